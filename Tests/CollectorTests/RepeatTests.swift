import CallModel
import ClientStats
import TestSupport
import Testing

@testable import Collector

/// What is sent again while its own time cannot be used: its receipt is another one then.
@Suite struct RepeatTests {
    /// Six events of a call; the letters stand for their times.
    private static let course = [
        ("callMetric", "callCreate"), ("callMetric", "callRestSent"), ("callMetric", "callRinging"),
        ("callMetric", "callAnswerReceived"), ("iceState", "iceConnected"), ("callState", "ENDED"),
    ]

    private static func message(_ index: Int, time: Int64, received: Int64) -> Message {
        let (action, type) = course[index]
        return Message(
            body: #"{"action":"\#(action)","type":"\#(type)","callId":"c-1","time":\#(time)}"#,
            parse: EventsBody.parse, receivedAt: received)
    }

    /// Objects that count from the start of the client.
    private static func report(_ index: Int, received: Int64) -> Message {
        let object =
            #"{"id":"I","type":"inbound-rtp","kind":"audio","ssrc":7,"timestamp":\#(index)000.5,"packetsReceived":\#(index * 50)}"#
        return Message(
            call: CallID(rawValue: "c-1"), body: "[\(object)]", parse: StatsBody.parse, receivedAt: received)
    }

    private func outcomes(_ messages: [Message], in fixture: CollectorFixture) async throws -> [FactOutcome] {
        var outcomes: [FactOutcome] = []
        for message in messages {
            outcomes += try await fixture.collector.submit(try message.submissions()).flatMap(\.self)
        }
        return outcomes
    }

    @Test(arguments: [0, 1_455_701_052, -5, 915_148_799_999, 99_999_999_999_999] as [Int64])
    func `an event whose time cannot be used is taken once`(time: Int64) async throws {
        let fixture = try CollectorFixture()
        let events = Self.course.indices.map { Self.message($0, time: time, received: Int64($0) * 1000) }
        #expect(try await outcomes(events, in: fixture) == events.map { _ in .accepted })
        let report = try await fixture.report(.of("c-1"))
        let again = Self.course.indices.map { Self.message($0, time: time, received: 60_000 + Int64($0)) }
        for isRestarted in [false, true] {
            if isRestarted { try await fixture.restart() }
            #expect(try await outcomes(again, in: fixture) == again.map { _ in .repeated })
            #expect(try await fixture.listed() == ["c-1/client/1"])
            #expect(try await fixture.report(.of("c-1")) == report)
        }
    }

    @Test func `a report without a time is taken once`() async throws {
        let fixture = try CollectorFixture()
        let reports = (1...5).map { Self.report($0, received: Int64($0) * 1000) }
        #expect(try await outcomes(reports, in: fixture) == reports.map { _ in .accepted })
        let report = try await fixture.report(.of("c-1"))
        let again = [Self.report(5, received: 7000), Self.report(3, received: 8000)]
        #expect(try await outcomes(again, in: fixture) == [.repeated, .repeated])
        #expect(try await fixture.report(.of("c-1")) == report)
    }

    /// Times of a device that keeps them in 32 bits, and retries of them.
    @Test func `the report does not depend on the order in which times that lost their upper bits come`() async throws {
        let wrapped = Self.course.indices.map { index in
            let time = Int64(Int32(truncatingIfNeeded: Message.start + Int64(index) * 2_500))
            return Self.message(index, time: time, received: 20_000 + Int64(index))
        }
        let inOrder = try CollectorFixture()
        try await inOrder.post(wrapped)
        let expected = try #require(try await inOrder.report(.of("c-1")))
        #expect(try await inOrder.summary("c-1")?.setup.answerDelay == 7_500)
        #expect(try await inOrder.summary("c-1")?.setup.anomalies == ["absolute_time_unknown"])
        for seed: UInt64 in 1...10 {
            var random = RandomSource(seed: seed)
            let fixture = try CollectorFixture()
            try await fixture.post((wrapped + wrapped).shuffled(using: &random))
            await fixture.collector.maintain()
            #expect(try await fixture.listed() == ["c-1/client/1"])
            #expect(try await fixture.report(.of("c-1")) == expected, "seed \(seed)")
        }
    }

    /// Of two receipts of one event the first stands, also if it is stored last.
    @Test func `the report does not depend on the order in which events without a usable time are stored`() async throws
    {
        let told = [0, 1, 2, 3, 4].map { Self.message($0, time: 0, received: Int64($0) * 1000) }
        let retried = [1, 3, 4].map { Self.message($0, time: 0, received: Int64($0) * 1000 + 500) }
        let reports = (1...3).flatMap { index in
            [10, 600].map { Self.report(index, received: 4000 + Int64(index) * 1000 + $0) }
        }
        let all = (told + retried + reports).sorted { $0.receivedAt < $1.receivedAt }
        let inOrder = try CollectorFixture()
        try await inOrder.post(all)
        let expected = try #require(try await inOrder.report(.of("c-1")))
        for seed: UInt64 in 1...20 {
            var random = RandomSource(seed: seed)
            let fixture = try CollectorFixture()
            for message in all.shuffled(using: &random) {
                try await fixture.post(message)
                if Int.random(in: 0..<4, using: &random) == 0 { try await fixture.restart() }
                if Int.random(in: 0..<4, using: &random) == 0 { await fixture.collector.maintain() }
            }
            await fixture.collector.maintain()
            #expect(try await fixture.report(.of("c-1")) == expected, "seed \(seed)")
        }
    }
}
