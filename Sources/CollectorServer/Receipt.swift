import CallModel
import ClientStats
import Hummingbird

/// What became of every part of a message.
struct Receipt: Hashable, Sendable {
    /// A part that was not stored.
    struct Refused: Hashable, Sendable {
        /// Position in the message, from 0: array element or line.
        var index: Int
        var reason: RefusalReason
        var message: String
    }

    /// Stored; survives a crash.
    var accepted = 0
    /// Known already; nothing changed.
    var repeated = 0
    /// Stored beside a different content under the same key.
    var contradicted = 0
    /// In order of ``Refused/index``.
    var refused: [Refused] = []
    var unknownTypes: [String] = []
    var unknownProperties: [String] = []
}

extension Receipt {
    /// - Parameters:
    ///   - parsed: what was handed to the collector, and what never came so far.
    ///   - outcomes: what the collector answered, per submission and item.
    init(of parsed: ParsedBody, outcomes: [[FactOutcome]]) {
        unknownTypes = parsed.unknownTypes
        unknownProperties = parsed.unknownProperties
        refused = parsed.refusals.map { Refused(index: $0.index, reason: $0.reason, message: $0.message) }
        for (submission, outcomes) in zip(parsed.submissions, outcomes) {
            for (item, outcome) in zip(submission.facts, outcomes) {
                count(outcome, at: item.index, of: submission.identity.call)
            }
        }
        refused.sort { $0.index < $1.index }
    }

    private mutating func count(_ outcome: FactOutcome, at index: Int, of call: CallID) {
        switch outcome {
        case .accepted: accepted += 1
        case .repeated: repeated += 1
        case .contradicted: contradicted += 1
        case .refused(let reason):
            refused.append(Refused(index: index, reason: reason, message: Self.message(for: reason, of: call)))
        }
    }

    private static func message(for reason: RefusalReason, of call: CallID) -> String {
        let name = call.rawValue.shortened
        return switch reason {
        case .evicted: "call \"\(name)\" was evicted or erased; only a later callCreate opens the identifier again"
        case .tooManyCalls:
            "call \"\(name)\" is one more than may go on at a time; nothing of it was stored, "
                + "retry in \(Self.callRetrySeconds) s"
        default: "not stored for call \"\(name)\""
        }
    }
}

extension Receipt {
    /// The members of the JSON answer.
    var members: JSONObject {
        [
            "accepted": .integer(Int64(accepted)),
            "repeated": .integer(Int64(repeated)),
            "contradicted": .integer(Int64(contradicted)),
            "refused": .array(refused.map(\.json)),
            "unknownTypes": .array(unknownTypes.map(JSONValue.string)),
            "unknownProperties": .array(unknownProperties.map(JSONValue.string)),
        ]
    }

    /// Others end within a minute or two.
    private static let callRetrySeconds = 10

    /// 202 when anything was taken, or there was nothing to take.
    /// - Throws: ``APIError`` with this receipt when every part was refused: 410 when all belong to evicted calls,
    ///   413 when all were too large, 429 when any is of a call beyond the limit, else 422.
    func response() throws -> Response {
        let taken = accepted + repeated + contradicted
        // What may be taken later counts before what never will be: the client sends all of it again.
        let waiting = refused.filter { $0.reason == .tooManyCalls }
        let told = waiting.isEmpty ? refused : waiting
        guard taken == 0, let first = told.first else { return Response(json: .object(members), status: .accepted) }
        let reasons = Set(told.map(\.reason))
        let reason = reasons.count == 1 ? first.reason : .unrecognised
        let status = reason == .malformed ? .unprocessableContent : HTTPResponse.Status(refusal: reason)
        var error = APIError(
            status, reason.rawValue, "nothing of this was stored; the first of \(told.count): \(first.message)")
        if reason == .tooManyCalls { error.headers[.retryAfter] = String(Self.callRetrySeconds) }
        error.receipt = self
        throw error
    }
}

extension Receipt.Refused {
    fileprivate var json: JSONValue {
        ["index": .integer(Int64(index)), "reason": .string(reason.rawValue), "message": .string(message)]
    }
}
