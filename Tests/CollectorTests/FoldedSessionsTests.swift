import CallModel
import TestSupport
import Testing

@testable import Collector

/// A call and its session where no store keeps them: a file that is only shown.
@Suite struct FoldedSessionsTests {
    /// Events under the call's id, statistics under the session's, one message with both; and what befalls the session.
    private static let kandy: [Message] =
        [
            .event("callMetric", "callCreate", at: 0, call: "c-1"),
            .event("callMetric", "callRinging", at: 2580, call: "c-1"),
            .event("callMetric", "callAnswerReceived", at: 3720, call: "c-1", session: "s-81"),
            .event("iceState", "iceConnected", at: 3900, call: "c-1"),
            .event("connection", "onConnectionLost", at: 30_000, session: "s-81"),
            .event("callState", "ENDED", at: 61_000, call: "c-1"),
        ] + (0...6).map { .statistics(at: 4000 + 9000 * $0, path: "s-81") }

    /// The caller's first event knows only the channel (SendBird).
    private static let sendBird: [Message] = [
        .event("call", "startCallWithAudioOnly", at: 0, channel),
        .event("call", "didSendStartCall", at: 350, call: "sb-1", channel),
        .event("call", "didReceiveAcceptCall", at: 6240, call: "sb-1", channel),
        .event("call", "didConnectCall", at: 7020, call: "sb-1", channel),
    ]

    private static let channel = #""channelUrl":"ch-1","side":"caller","#

    /// Two calls go on at once: whose the statistics are nobody can tell.
    private static let rivals: [Message] = [
        .event("callMetric", "callCreate", at: 0, call: "c-1", session: "s-9"),
        .event("callMetric", "callCreate", at: 5000, call: "c-2", session: "s-9"),
        .event("connection", "onConnectionLost", at: 10_000, session: "s-9"),
        .statistics(at: 12_000, path: "s-9"), .statistics(at: 16_000, path: "s-9"),
        .event("callState", "ENDED", at: 20_000, call: "c-1"), .event("callState", "ENDED", at: 30_000, call: "c-2"),
    ]

    /// What a file of these messages is.
    private static func read(_ messages: [Message], into fold: inout CaptureFold) throws {
        for submission in try messages.flatMap({ try $0.submissions() }) {
            for item in submission.facts {
                try fold.take(
                    item.fact, call: submission.identity.call, observer: submission.observer, names: item.names)
            }
        }
        try fold.joinSessions()
    }

    @Test(arguments: [kandy, sendBird, rivals], 0..<10)
    func `calls and their sessions are what a collector makes of them, in any order`(
        messages: [Message], seed: Int
    ) async throws {
        var random = RandomSource(seed: UInt64(seed))
        let fixture = try CollectorFixture()
        try await fixture.post(messages)
        await fixture.collector.maintain()
        var fold = CaptureFold(hasClients: true)
        try Self.read(messages.shuffled(using: &random), into: &fold)
        var folded: [CallSummary] = []
        for call in fold.open { folded += try fold.summaries(of: call) }
        #expect(folded.map(\.key.text).sorted() == (try await fixture.listed()))
        for summary in folded {
            let key = summary.key
            #expect(
                try await fixture.summary(key.identity.call.rawValue, observer: key.observer.rawValue) == summary)
        }
    }

    @Test func `a session is a name of its calls`() throws {
        var fold = CaptureFold(hasClients: true)
        try Self.read(Self.kandy + Self.sendBird, into: &fold)
        var named: [[String]] = []
        for name in ["s-81", "ch-1", "c-1"] {
            named.append(fold.claimants(of: CallID(rawValue: name)).map(\.rawValue))
        }
        #expect(named == [["c-1"], ["sb-1"], []])
        let ties = try fold.records(of: CallID(rawValue: "c-1")).map(\.ties)
        #expect(ties == [CallTies(names: [CallName(.session, "s-81", source: "sessionId")])])
        let attempts = fold.openAttempts
        #expect(attempts == 2)
        fold.forget(CallID(rawValue: "c-1"))
        let rest = fold.claimants(of: CallID(rawValue: "s-81"))
        #expect(rest.isEmpty)
    }
}
