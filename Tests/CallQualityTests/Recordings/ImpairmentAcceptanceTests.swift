import CallModel
import TestSupport
import Testing

@testable import CallQuality

/// What one recording must score beside another. Clean recordings carry processor noise of their own.
@Suite(SharedData.required) struct ImpairmentAcceptanceTests {
    @Test(arguments: [RecordedCall.End.caller, .callee])
    func `G_711 without redundancy scores below Opus at the same loss`(_ end: RecordedCall.End) async throws {
        #expect(try await score("19-pcma-loss5", end) < score("03-loss5", end))
    }

    @Test func `loss in bursts scores below the same loss spread out`() async throws {
        #expect(try await score("12-burst5", .callee) < score("03-loss5", .callee))
        #expect(try await meanScore("12-burst5") < meanScore("03-loss5"))
    }

    @Test(arguments: [RecordedCall.End.caller, .callee])
    func `delay alone lowers the score`(_ end: RecordedCall.End) async throws {
        let delayed = try await Recordings.shared.record("06-delay300", end)
        #expect(try await score("06-delay300", end) < score("01-clean", end))
        #expect(delayed.summary.costs[.delay, default: 0] > 10)
        #expect(delayed.stream(.inbound, .audio)?.packetsLost == 0)
    }

    @Test(arguments: [RecordedCall.End.caller, .callee])
    func `duplicated packets cost nothing`(_ end: RecordedCall.End) async throws {
        let record = try await Recordings.shared.record("15-dup5", end)
        #expect(record.summary.costs[.loss, default: 0] == 0)
        #expect(record.summary.costs[.burst, default: 0] == 0)
        #expect(try await abs(score("15-dup5", end) - score("01-clean", end)) <= 12)
    }

    @Test(arguments: [RecordedCall.End.caller, .callee])
    func `padding on the audio stream does not hide loss nor swell the bit rate`(_ end: RecordedCall.End) async throws {
        let record = try await Recordings.shared.record("21-opus-loss15", end)
        let audio = try #require(record.stream(.inbound, .audio))
        let wire = try await Recordings.shared.wire("21-opus-loss15").stream(audio.stream.source, until: audio.lastSeen)
        #expect(abs(try #require(audio.lossPercent) - #require(wire.lossPercent)) <= 1)
        let kilobits = try #require(audio.bitrateKilobitsPerSecond)
        #expect((15...60).contains(kilobits), "\(kilobits) kbit/s")
    }

    @Test func `redundancy in RED is heard`() async throws {
        #expect(try await meanScore("22-opus-red-loss15") > meanScore("21-opus-loss15"))
    }

    @Test(arguments: [RecordedCall.End.caller, .callee])
    func `a staircase of loss comes out as a staircase of scores`(_ end: RecordedCall.End) async throws {
        let truth = try Recordings.shared.truth("14-staircase")
        let record = try await Recordings.shared.record("14-staircase", end)
        let levels = try (0..<5).map { level in
            let span = try truth.span(Double(20 * level) - 2, Double(20 * level) + 22)
            let inside = record.windows.filter { span.contains($0.start) && span.contains($0.end) }
            let scores = inside.compactMap(\.score).map(Double.init)
            return try #require(scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count), "level \(level)")
        }
        // 0, 1, 5, 15, 0 % of loss.
        #expect(
            levels[0] > levels[2] && levels[1] > levels[2] && levels[2] > levels[3] && levels[4] > levels[2],
            "\(levels)")
    }

    @Test(arguments: [RecordedCall.End.caller, .callee])
    func `mute, camera off and hold do not lower the score`(_ end: RecordedCall.End) async throws {
        let truth = try Recordings.shared.truth("29-mute-hold")
        for cadence in RecordedCall.Cadence.allCases {
            let record = try await Recordings.shared.record("29-mute-hold", end, cadence)
            for quiet in [try truth.span(10, 30), try truth.span(35, 45)] {
                for window in record.windows where window.span.overlaps(quiet) {
                    #expect(window.score ?? 100 >= 80, "\(cadence) \(window)")
                }
            }
            #expect(abs(record.summary.heldSeconds - 10) <= 1)
            #expect(record.summary.outages == [])
        }
        #expect(try await abs(score("29-mute-hold", end) - score("01-clean", end)) <= 12)
    }

    @Test(arguments: [RecordedCall.End.caller, .callee])
    func `a hold is no freeze`(_ end: RecordedCall.End) async throws {
        let hold = try Recordings.shared.truth("29-mute-hold").span(35, 47)
        for cadence in RecordedCall.Cadence.allCases {
            let record = try await Recordings.shared.record("29-mute-hold", end, cadence)
            let frozen = record.intervals.filter {
                $0.stream.direction == .inbound && $0.stream.kind == .video
                    && TimeSpan(start: $0.start, end: $0.end).overlaps(hold)
            }.compactMap(\.frozenSeconds).reduce(0, +)
            #expect(frozen < 0.5, "\(cadence)")
        }
    }

    private func score(_ name: String, _ end: RecordedCall.End) async throws -> Int {
        try #require(try await Recordings.shared.record(name, end).summary.score, "\(name) \(end)")
    }

    private func meanScore(_ name: String) async throws -> Double {
        try await Double(score(name, .caller) + score(name, .callee)) / 2
    }
}
