import CallModel
import Foundation
import Testing

@Suite struct TimestampTests {
    private static let moment = Timestamp(milliseconds: 1_000)

    @Test func `lengths are signed`() {
        #expect(Timestamp(milliseconds: 1_500).milliseconds(since: Self.moment) == 500)
        #expect(Self.moment.seconds(since: Timestamp(milliseconds: 1_500)) == -0.5)
    }

    @Test func `arithmetic saturates and never traps`() {
        let last = Timestamp(milliseconds: .max)
        let first = Timestamp(milliseconds: .min)
        let longest: Int64 = 1 << 62
        #expect(last.milliseconds(since: first) == longest)
        #expect(first.milliseconds(since: last) == -longest)
        #expect(last.milliseconds(since: Timestamp(milliseconds: 0)) == longest)
        #expect(last.advanced(byMilliseconds: 1) == last)
        #expect(first.advanced(byMilliseconds: -1) == first)
        #expect(Self.moment.advanced(byMilliseconds: -2_000) == Timestamp(milliseconds: -1_000))
    }

    @Test func `is stored as a bare number`() throws {
        let bytes = try JSONEncoder().encode([Self.moment])
        #expect(String(decoding: bytes, as: UTF8.self) == "[1000]")
        #expect(try JSONDecoder().decode([Timestamp].self, from: bytes) == [Self.moment])
    }

    @Test func `an open span has no length`() {
        #expect(TimeSpan(start: Self.moment, end: nil).milliseconds == nil)
        #expect(TimeSpan(start: Self.moment, end: Timestamp(milliseconds: 1_250)).milliseconds == 250)
    }
}

@Suite struct QualityBandTests {
    @Test(
        arguments: [
            (100, .excellent), (90, .excellent), (89, .good), (80, .good), (79, .fair), (70, .fair), (69, .poor),
            (60, .poor), (59, .bad), (0, .bad),
        ] as [(Int, QualityBand)])
    func `has its limits at 90, 80, 70 and 60`(_ score: Int, _ band: QualityBand) {
        #expect(QualityBand(score: score) == band)
    }

    @Test func `has the scores that are of it`() {
        for score in 0...100 {
            #expect(QualityBand.allCases.filter { $0.scores.contains(score) } == [QualityBand(score: score)])
        }
    }
}

@Suite struct CallCursorTests {
    @Test(arguments: [(0, 0), (-1, 17), (.max, .max), (.min, 1)] as [(Int64, Int64)])
    func `reads back what it wrote`(_ value: Int64, _ number: Int64) {
        let cursor = CallCursor(sortValue: value, recordNumber: number)
        #expect(CallCursor(cursor.description) == cursor)
    }

    @Test(arguments: ["", ".", "1", "1.", ".1", "1.2.3", "a.b", "1.9223372036854775808", " 1.2"])
    func `refuses anything else`(_ text: String) {
        #expect(CallCursor(text) == nil)
    }
}

@Suite struct ContentHashTests {
    /// Published test values of 64-bit FNV-1a: a change of the hash would change which contents stand.
    @Test(
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)])
    func `is FNV-1a`(_ text: String, _ hash: UInt64) {
        #expect(ContentHash(of: text).rawValue == hash)
    }

    @Test func `of an object covers its members and its time`() {
        let object = StatsObject(id: "i", type: .codec, timestamp: nil, members: ["a": 1])
        var later = object
        later.timestamp = Timestamp(milliseconds: 1)
        var changed = object
        changed.members = ["a": 2]
        #expect(object.contentHash != later.contentHash)
        #expect(object.contentHash != changed.contentHash)
    }
}

@Suite struct CallSummaryTests {
    private static let received = Timestamp(milliseconds: 100_000)

    private func summary(endedAt: Timestamp? = nil) -> CallSummary {
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: "c")), observer: .client, attempt: 1)
        var summary = CallSummary(
            key: key, rulesVersion: 1, start: Timestamp(milliseconds: 0), lastActivity: Timestamp(milliseconds: 5),
            lastReceivedAt: Self.received)
        summary.endedAt = endedAt
        return summary
    }

    @Test func `a call that is silent for longer than its client's sign of life is stale`() {
        var live = summary()
        func isStale(after milliseconds: Int64) -> Bool {
            live.isStale(at: Self.received.advanced(byMilliseconds: milliseconds))
        }
        live.dataQuality.medianIntervalMilliseconds = 10_000
        #expect([29_000, 31_000, 91_000].map(isStale) == [false, true, false])
        live.course.configuration = CallConfiguration()
        live.course.configuration?.auditSeconds = 60
        #expect([31_000, 61_000].map(isStale) == [false, true])
        live.endedAt = Timestamp(milliseconds: 5)
        #expect(!isStale(after: 61_000))
    }

    @Test(arguments: [(0, true), (89_999, true), (90_000, false), (1_000_000, false)] as [(Int64, Bool)])
    func `is live for 90 s after it was last heard of, on the collector's clock`(_ later: Int64, _ isLive: Bool) {
        #expect(summary().isLive(at: Self.received.advanced(byMilliseconds: later)) == isLive)
    }

    @Test func `is not live once an event ended it`() {
        #expect(!summary(endedAt: Timestamp(milliseconds: 5)).isLive(at: Self.received))
    }

    @Test(arguments: [(4, true), (5, false), (60_000, false)] as [(Int64, Bool)])
    func `is not live once its probe stopped to watch, unless something was told of later`(
        _ watched: Int64, _ isLive: Bool
    ) {
        var told = summary()
        told.sensor = SensorHealth()
        #expect(told.isLive(at: Self.received))
        told.sensor?.watchedUntil = Timestamp(milliseconds: watched)
        #expect(told.isLive(at: Self.received) == isLive && !told.isStale(at: Self.received))
        // By that columns tell it from the end of a call.
        #expect(told.closedAt.map { $0 > told.lastActivity } ?? isLive)
        told.endedAt = Timestamp(milliseconds: 3)
        #expect(told.closedAt == told.endedAt)
    }

    @Test func `keeps everything when stored as JSON`() throws {
        var full = summary(endedAt: Timestamp(milliseconds: 9))
        full.costs = [.loss: 1.5, .delay: 0.25]
        full.secondsByBand = [.good: 10]
        full.score = 88
        full.iceDisconnects = [TimeSpan(start: Timestamp(milliseconds: 1), end: nil)]
        let bytes = try JSONEncoder().encode(full)
        #expect(try JSONDecoder().decode(CallSummary.self, from: bytes) == full)
    }
}

@Suite struct ScoreIntervalTests {
    @Test(
        arguments: [
            ([:], nil), ([.loss: 0.4], nil), ([.loss: 3, .delay: 5], .delay), ([.loss: 3, .late: 3], .late),
        ] as [([QualityCause: Double], QualityCause?)])
    func `leads with the dearest cause, if it is worth naming`(
        _ costs: [QualityCause: Double], _ cause: QualityCause?
    ) {
        let interval = ScoreInterval(
            series: .window, start: Timestamp(milliseconds: 0), end: Timestamp(milliseconds: 1), score: 90, costs: costs
        )
        #expect(interval.leadingCause == cause)
    }
}

@Suite struct StreamKeyTests {
    @Test func `sorts as a report lists streams`() {
        let keys = [MediaDirection.inbound, .outbound].flatMap { direction in
            [MediaKind.audio, .video].flatMap { kind in
                ["1", "2"].map {
                    StreamKey(connection: .only, direction: direction, kind: kind, source: $0)
                }
            }
        }
        #expect(keys.reversed().sorted() == keys)
    }
}
