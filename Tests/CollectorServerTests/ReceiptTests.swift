import CallModel
import HTTPTypes
import Testing

@testable import CollectorServer

/// What a message is answered of which nothing was taken.
@Suite struct ReceiptTests {
    private struct Answer: Equatable {
        var status: Int
        var reason: String
        var message: String
        var retryAfter: String?
    }

    private func answer(_ reasons: RefusalReason...) throws -> Answer {
        var receipt = Receipt()
        receipt.refused = reasons.enumerated().map {
            Receipt.Refused(index: $0.offset, reason: $0.element, message: "part \($0.offset)")
        }
        let error = try #require(throws: APIError.self) { try receipt.response() }
        return Answer(
            status: error.status.code, reason: error.reason, message: error.message,
            retryAfter: error.headers[.retryAfter])
    }

    @Test func `what may be taken later is to be sent again, whatever else is refused for good`() throws {
        let nothing = "nothing of this was stored; the first of"
        let later = Answer(
            status: 429, reason: "too_many_calls", message: "\(nothing) 2: part 1", retryAfter: "10")
        #expect(try answer(.missingMember, .tooManyCalls, .tooManyCalls) == later)
        let sooner = Answer(
            status: 429, reason: "too_many_calls", message: "\(nothing) 1: part 0", retryAfter: "10")
        #expect(try answer(.tooManyCalls, .evicted) == sooner)
    }

    @Test func `one reason is that of the whole, several for good are none`() throws {
        let nothing = "nothing of this was stored; the first of 2: part 0"
        #expect(try answer(.evicted, .evicted) == Answer(status: 410, reason: "evicted", message: nothing))
        #expect(try answer(.evicted, .tooLarge) == Answer(status: 422, reason: "unrecognised", message: nothing))
    }
}
