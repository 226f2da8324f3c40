import CallModel
import Testing

@testable import CallQuality

/// The series of scores, made from reports at various cadences.
@Suite struct ScoreTimelineTests {
    /// A call whose reports come every `cadence` seconds; `trouble` shapes the seconds from 0 on.
    private func fold(
        seconds: Int, cadence: Int, start: Int64 = 1_000_000,
        trouble: (Int, inout AudioSource) -> Void = { $1.sound(1) }
    ) -> (rows: CallSession.Rows, summary: CallSummary?) {
        var source = AudioSource(at: start)
        var facts = [source.report]
        for second in 0..<seconds {
            trouble(second, &source)
            if (second + 1) % cadence == 0 || second == seconds - 1 { facts.append(source.report) }
        }
        let key = CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: "c")), observer: .client, attempt: 1)
        var session = CallSession(key: key)
        let rows = session.fold(facts)
        return (rows, session.summary())
    }

    private func windows(_ rows: CallSession.Rows) -> [ScoreInterval] {
        rows.scores.filter { $0.series == .window }
    }

    private func live(_ rows: CallSession.Rows) -> [ScoreInterval] {
        rows.scores.filter { $0.series == .live }
    }

    @Test(arguments: [1, 2, 5, 10]) func `windows count 10 s from first media whatever the cadence`(_ cadence: Int) {
        let rows = fold(seconds: 60, cadence: cadence).rows
        let expected = (0..<6).map { 1_000_000 + Int64($0) * 10_000 }
        #expect(windows(rows).map(\.start.milliseconds) == expected)
        #expect(windows(rows).map(\.end.milliseconds) == expected.map { $0 + 10_000 })
        #expect(windows(rows).allSatisfy { $0.score == 100 })
    }

    // MARK: Several connections

    /// A minute of a call with losses in its third window, as `connections` report it every ten seconds, one 20 ms after
    /// the other; the one that `receives` has the sound. A connection may leave early, and the call be on hold for a while.
    private func fold(
        _ connections: [String], leaving: [String: Int] = [:], holding: ClosedRange<Int64>? = nil
    ) -> CallSession.Rows {
        var source = AudioSource(at: 1_000_000)
        var facts: [Fact] = []
        if let holding {
            for (second, state) in [(holding.lowerBound, "ON_HOLD"), (holding.upperBound, "IN_CALL")] {
                let time = Timestamp(milliseconds: 1_000_000 + 1_000 * second)
                facts.append(
                    .event(CallEvent(time: time, receivedAt: time, action: "callState", type: state, members: [:])))
            }
        }
        for second in 0...60 {
            if second > 0 { source.sound(1) }
            if (21...30).contains(second) { source.lose(packets: 3) }
            guard second % 10 == 0, case .report(let whole) = source.report else { continue }
            for (place, name) in connections.enumerated() where second <= leaving[name] ?? 60 {
                let time = whole.time.advanced(byMilliseconds: Int64(20 * place))
                facts.append(
                    .report(
                        StatsReport(
                            connection: ConnectionID(rawValue: name), time: time, receivedAt: time,
                            objects: name == "receives" ? whole.objects : [])))
            }
        }
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "c"))
        var session = CallSession(key: CallKey(identity: identity, observer: .client, attempt: 1))
        let rows = session.fold(facts.sorted { $0.key < $1.key })
        #expect(CallSession(archived: session.archived())?.summary() == session.summary())
        return rows
    }

    @Test(arguments: [
        ["sends", "receives"], ["receives", "sends"], ["sends", "receives", "shares"], ["receives"],
    ])
    func `windows hold what all connections told of them, whichever was asked first`(connections: [String]) {
        let scores = windows(fold(connections)).map(\.score)
        #expect(scores.count == 6)
        #expect(scores[2] ?? 100 < 90)
        #expect([scores[0], scores[1], scores[3], scores[4], scores[5]].allSatisfy { $0 == 100 }, "\(scores)")
    }

    @Test(arguments: [["receives"], ["sends", "receives"], ["receives", "sends", "shares"]])
    func `a hold is one, however many connections tell of it`(connections: [String]) {
        let found = windows(fold(connections, holding: 12...17))
        #expect(found.map { $0.heldSeconds.rounded() } == [0, 5, 0, 0, 0, 0])
        #expect(found.allSatisfy { $0.score != nil })
    }

    @Test func `a connection that is gone is not waited for`() {
        let scores = windows(fold(["sends", "receives"], leaving: ["sends": 30])).map(\.score)
        #expect(scores.count >= 5)
        #expect(scores[2] ?? 100 < 90)
        #expect(scores.enumerated().allSatisfy { $0.offset == 2 || $0.element == 100 }, "\(scores)")
    }

    @Test(arguments: [(1, 5), (2, 6), (5, 5), (10, 10), (15, 15)])
    func `the live series follows the reports but is not finer than 5 s`(_ cadence: Int, _ length: Int64) {
        let lengths = live(fold(seconds: 60, cadence: cadence).rows).map { $0.end.milliseconds(since: $0.start) }
        #expect(lengths.allSatisfy { $0 == 1000 * length }, "\(lengths)")
        #expect(lengths.count == 60 / Int(length))
    }

    @Test func `clients are told the first score, then each that differs from the one told before`() {
        let rows = fold(seconds: 60, cadence: 10) { second, source in
            source.sound(1)
            if (20..<40).contains(second) { source.lose(packets: 3) }
        }.rows
        let told = live(rows).map(\.isEmitted)
        let scores = live(rows).compactMap(\.score)
        #expect(scores.count == 6)
        #expect(scores[2] == scores[3] && scores[2] < 100)
        #expect(told == [true, false, true, false, true, false])
    }

    @Test func `the first score comes one interval after media, not after the call began`() throws {
        let rows = fold(seconds: 40, cadence: 5) { second, source in
            if second < 20 { source.hold(1) } else { source.sound(1) }
        }.rows
        let first = try #require(live(rows).first { $0.isEmitted })
        #expect(first.end.milliseconds == 1_000_000 + 25_000)
        #expect(live(rows).filter { $0.end.milliseconds <= 1_020_000 }.allSatisfy { $0.score == nil })
    }

    @Test(arguments: [(12, 10.0), (13, 13.0), (20, 20.0), (2, 2.0)])
    func `a remainder counts from 2_5 s on, or when it is all there is`(_ seconds: Int, _ scored: Double) {
        #expect(fold(seconds: seconds, cadence: 1).summary?.scoredSeconds == scored)
    }

    @Test(arguments: [(12, nil), (13, 3), (20, nil), (27, 7), (2, 2)] as [(Int, Int64?)])
    func `the remainder that counts is a window that can be shown`(_ seconds: Int, _ length: Int64?) throws {
        let (rows, summary) = fold(seconds: seconds, cadence: 1) { second, source in
            source.sound(1)
            if second == seconds - 1 { source.lose(packets: 10) }
        }
        let open = summary?.openWindow
        #expect(open.map { $0.end.milliseconds(since: $0.start) } == length.map { 1000 * $0 })
        let shown = windows(rows) + [open].compactMap(\.self)
        #expect(zip(shown, shown.dropFirst()).allSatisfy { $0.end == $1.start })
        #expect(shown.reduce(0) { $0 + $1.end.seconds(since: $1.start) } == summary?.scoredSeconds)
        #expect(open == nil || shown.last?.score ?? 100 < 100)
    }

    @Test func `a hold is told as such and lowers nothing`() {
        let (rows, summary) = fold(seconds: 40, cadence: 10) { second, source in
            if (10..<20).contains(second) { source.hold(1) } else { source.sound(1) }
        }
        #expect(windows(rows).map(\.score) == [100, nil, 100, 100])
        #expect(windows(rows)[1].absence == .held)
        #expect(summary?.heldSeconds == 10)
        #expect(summary?.score == 100)
        #expect(summary?.scoredSeconds == 30)
    }

    @Test(arguments: [1, 2, 5, 10]) func `a blackout is the worst stretch and an outage at any cadence`(_ cadence: Int)
    {
        let summary = fold(seconds: 60, cadence: cadence) { second, source in
            if (23..<28).contains(second) { source.blackout(1) } else { source.sound(1) }
        }.summary
        #expect(summary?.worstScore ?? 100 < 60)
        #expect(
            summary?.worstSpan
                == TimeSpan(start: Timestamp(milliseconds: 1_010_000), end: Timestamp(milliseconds: 1_030_000)))
        #expect(summary?.outages.count == 1)
        #expect(abs((summary?.outages.first?.seconds ?? 0) - 5) < 0.2)
        #expect(summary?.costs[.blackout] ?? 0 > 1)
    }

    @Test(arguments: 0..<10) func `a blackout that reports cut in two is as bad a stretch as one that they do not`(
        _ shift: Int
    ) throws {
        func worst(from start: Int) throws -> Int {
            let summary = fold(seconds: 60, cadence: 10) { second, source in
                if (start..<start + 5).contains(second) { source.blackout(1) } else { source.sound(1) }
            }.summary
            return try #require(summary?.worstScore)
        }
        #expect(abs(try worst(from: 20 + shift) - worst(from: 22)) <= 3)
    }

    @Test(arguments: [8, 11]) func `of a call of one window that is the worst stretch`(_ seconds: Int) throws {
        let summary = try #require(
            fold(seconds: seconds, cadence: 1) { second, source in
                if (3..<5).contains(second) { source.blackout(1) } else { source.sound(1) }
            }.summary)
        #expect(try #require(summary.score) < 90)
        #expect(summary.worstScore == summary.score)
        #expect(summary.worstSpan?.start.milliseconds == 1_000_000)
        #expect(summary.worstSpan?.end?.milliseconds == 1_000_000 + Int64(1000 * min(seconds, 10)))
    }

    @Test func `where reports come seldom, one window is a stretch by itself`() throws {
        let summary = try #require(
            fold(seconds: 120, cadence: 20) { second, source in
                if (44..<54).contains(second) { source.blackout(1) } else { source.sound(1) }
            }.summary)
        let fine = try #require(
            fold(seconds: 120, cadence: 10) { second, source in
                if (44..<54).contains(second) { source.blackout(1) } else { source.sound(1) }
            }.summary)
        #expect(summary.worstSpan?.start.milliseconds == 1_040_000)
        #expect(summary.worstScore == fine.worstScore)
    }

    @Test func `a gap between reports is one long interval, not a fault`() {
        let (rows, summary) = fold(seconds: 90, cadence: 45)
        #expect(windows(rows).count == 2)
        #expect(summary?.score == 100)
        #expect(summary?.scoredSeconds == 90)
    }
}
