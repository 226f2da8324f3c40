import TestSupport
import Testing

@testable import CallReporter

@Suite struct BackoffTests {
    @Test func `pauses double up to a minute, and differ from app to app`() {
        var backoff = Backoff()
        var random = RandomSource(seed: 1)
        for expected in [1.0, 2, 4, 8, 16, 32, 60, 60, 60] {
            let pause = backoff.next(using: &random)
            #expect((.seconds(expected / 2)...(.seconds(expected))).contains(pause), "\(pause)")
        }
        for _ in 0..<100 { _ = backoff.next(using: &random) }
        backoff.reset()
        #expect(backoff.next(using: &random) <= .seconds(1))
    }

    @Test func `what the collector asks for is kept to, within reason`() {
        var backoff = Backoff()
        var random = RandomSource(seed: 1)
        #expect((.seconds(30)...(.seconds(37.5))).contains(backoff.next(requested: .seconds(30), using: &random)))
        #expect((.seconds(600)...(.seconds(750))).contains(backoff.next(requested: .seconds(86_400), using: &random)))
        #expect((.seconds(2)...(.seconds(4))).contains(backoff.next(requested: .zero, using: &random)))
        #expect(backoff.next(requested: .seconds(-5), using: &random) >= .seconds(4))
    }
}

@Suite struct VerdictTests {
    private static let receipt = #"{"accepted": 1, "repeated": 0, "contradicted": 0, "refused": []}"#
    private static let refusal =
        #"{"error": {"reason": "x", "message": "all wrong"}, "accepted": 0, "refused": [{"index": 0, "message": "wrong"}]}"#

    @Test(
        arguments: [
            (202, receipt, .taken(refused: 0, reason: nil)),
            (202, "<html>Welcome to the hotel", .later(reason: "it answers as no collector does", after: nil)),
            (200, #"{"hello": 1}"#, .later(reason: "it answers as no collector does", after: nil)),
            (422, refusal, .taken(refused: 1, reason: "wrong")),
            (410, refusal, .taken(refused: 1, reason: "wrong")),
            (422, "", .never(reason: "it answers 422")),
            (400, #"{"error": {"message": "no JSON"}}"#, .never(reason: "400: no JSON")),
            (415, "", .never(reason: "it answers 415")),
            (413, "", .tooLarge),
            (401, "", .later(reason: "it answers 401", after: nil)),
            (404, "", .later(reason: "it answers 404", after: nil)),
            (301, "", .later(reason: "it answers 301", after: nil)),
            (500, "", .later(reason: "it answers 500", after: nil)),
        ] as [(Int, String, Verdict)])
    func `an answer decides what becomes of entries`(status: Int, body: String, verdict: Verdict) {
        #expect(Verdict(TransportAnswer(status: status, body: body.bytes)) == verdict)
    }

    @Test(arguments: [202, 422]) func `what is refused for now is sent again, with all beside it`(status: Int) {
        let body = """
            {"accepted": 1, "refused": [{"index": 0, "reason": "malformed", "message": "wrong"},
            {"index": 1, "reason": "too_many_calls", "message": "one too many"}]}
            """
        let verdict = Verdict(TransportAnswer(status: status, body: body.bytes))
        #expect(verdict == .later(reason: "one too many", after: .seconds(10)))
    }

    @Test(arguments: [429, 503])
    func `a pause is asked for`(status: Int) {
        let answer = TransportAnswer(status: status, retryAfter: 7, body: [])
        #expect(Verdict(answer) == .later(reason: "it answers \(status)", after: .seconds(7)))
    }
}
