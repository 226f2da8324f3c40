import CallModel
import CallQuality
import Foundation
import TestSupport
import Testing

/// Calls in which somebody was silent, and why: what was done to them is in their `truth.json`.
@Suite struct SilenceAcceptanceTests {
    typealias Cadence = RecordedCall.Cadence

    static let both = RecordedCall.End.allCases.flatMap { end in Cadence.allCases.map { SilenceSample.Reader(end, $0) }
    }

    /// Between words the sender falls silent; nothing else happens.
    @Test(arguments: both, ["70-opus-dtx", "73-pcmu-cn", "79-mute", "80-mute-dtx", "83-opus-pauses"])
    func `silence that the sender meant is no outage, no hold and costs nothing`(
        _ reader: SilenceSample.Reader, _ name: String
    ) throws {
        let record = try SilenceSample(name).record(reader)
        #expect(record.summary.outages == [])
        #expect(record.summary.holds == [])
        #expect(record.summary.heldSeconds == 0)
        #expect(record.summary.costs[.blackout] == nil)
        #expect(record.summary.costs[.loss, default: 0] == 0)
        #expect(try #require(record.summary.score) >= 85)
    }

    @Test(arguments: both) func `a call with DTX scores as one without`(_ reader: SilenceSample.Reader) throws {
        for (with, without) in [("70-opus-dtx", "83-opus-pauses"), ("80-mute-dtx", "79-mute")] {
            let scores = try [with, without].map { try #require(try SilenceSample($0).record(reader).summary.score) }
            #expect(abs(scores[0] - scores[1]) <= 4, "\(with) \(scores[0]), \(without) \(scores[1])")
        }
    }

    /// The path was down for 5 s while the sender was silent, and for 5 s while it spoke.
    @Test(arguments: both) func `an outage is found in a call with DTX, in speech and in a pause`(
        _ reader: SilenceSample.Reader
    ) throws {
        let sample = try SilenceSample("71-opus-dtx-outage")
        let record = try sample.record(reader)
        try expect(record.summary.outages, at: sample.downtimes, reader, within: 0.5)
        #expect(record.summary.holds == [])
        let worst = try #require(record.summary.worstScore)
        #expect(QualityBand(score: worst) == .bad)
    }

    /// G.711 goes on with comfort noise for as long as it must: what shows in a pause is the age of the last packet, and
    /// reports of 10 s do not show it.
    @Test(arguments: both) func `an outage is found in a call with comfort noise`(
        _ reader: SilenceSample.Reader
    ) throws {
        let sample = try SilenceSample("74-pcmu-cn-outage")
        let down = reader.cadence == .oneSecond ? sample.downtimes : [sample.downtimes[1]]
        let outages = try sample.record(reader).summary.outages
        try expect(outages, at: down, reader, within: 0.5)
        #expect(outages.last?.evidence.contains("silentConcealedSamples") == true)
    }

    private func expect(
        _ outages: [MediaOutage], at downtimes: [TimeSpan], _ reader: SilenceSample.Reader, within tolerance: Double
    ) throws {
        try #require(outages.count == downtimes.count, "\(outages)")
        for (outage, down) in zip(outages, downtimes) {
            let seconds = Double(try #require(down.milliseconds)) / 1000
            #expect(abs(outage.seconds - seconds) <= tolerance, "\(outage.seconds) s of \(seconds)")
            let end = try #require(down.end)
            #expect(outage.span.start <= end)
            #expect(down.start <= outage.span.end ?? end)
            guard reader.cadence == .oneSecond else { continue }
            #expect(abs(outage.span.start.seconds(since: down.start)) <= 0.7)
        }
    }

    @Test(arguments: both) func `loss is heard in a call with DTX`(_ reader: SilenceSample.Reader) throws {
        let lossy = try SilenceSample("72-opus-dtx-loss5").record(reader)
        let clean = try SilenceSample("70-opus-dtx").record(reader)
        #expect(lossy.summary.outages == [])
        let scores = [try #require(lossy.summary.score), try #require(clean.summary.score)]
        #expect(scores[0] + 10 <= scores[1])
        #expect(lossy.summary.costs[.loss, default: 0] + lossy.summary.costs[.burst, default: 0] > 5)
    }
}

/// Streams that the sender stopped for 8 s while everything else went on.
@Suite struct StreamPauseAcceptanceTests {
    typealias Cadence = RecordedCall.Cadence

    @Test(arguments: Cadence.allCases) func `a stopped stream is no blackout`(_ cadence: Cadence) throws {
        for end in RecordedCall.End.allCases {
            let summary = try SilenceSample("75-stream-pause").record(.init(end, cadence)).summary
            #expect(summary.outages == [], "\(end)")
            #expect(summary.costs[.blackout] == nil, "\(end)")
            // Sound stopped once at either end.
            #expect(abs(summary.holds.map(\.seconds).reduce(0, +) - 8) <= 1, "\(end) \(summary.holds)")
            #expect(try #require(summary.score) >= 80, "\(end)")
        }
    }

    @Test(arguments: Cadence.allCases) func `a stopped picture is not frozen`(_ cadence: Cadence) throws {
        let record = try SilenceSample("75-stream-pause").record(.init(.callee, cadence))
        let video = try #require(
            record.summary.streams.first { $0.stream.kind == .video && $0.stream.direction == .inbound })
        #expect(try #require(video.frozenSeconds) < 0.5)
        #expect(record.summary.costs[.freeze, default: 0] < 1)
    }

    /// When the stream resumed, its numbers went on 30 and 200 further; none of those was ever sent.
    @Test(arguments: Cadence.allCases) func `numbers that jump when a stream resumes are not lost`(
        _ cadence: Cadence
    ) throws {
        let record = try SilenceSample("76-stream-pause-jump").record(.init(.callee, cadence))
        let audio = try #require(record.summary.streams.first { $0.stream.direction == .inbound })
        #expect(audio.resumeGapPackets == 30)
        #expect(audio.packetsLost == 0)
        #expect(record.summary.outages == [])
        #expect(record.summary.costs[.loss, default: 0] == 0)
        #expect(record.summary.costs[.blackout] == nil)
        #expect(try #require(record.summary.score) >= 85)
    }

    @Test(arguments: Cadence.allCases) func `the end that was not stopped hears nothing of it`(
        _ cadence: Cadence
    ) throws {
        let summary = try SilenceSample("76-stream-pause-jump").record(.init(.caller, cadence)).summary
        #expect(summary.outages == [])
        #expect(summary.heldSeconds == 0)
        #expect(try #require(summary.score) >= 85)
    }
}

/// Gaps around the 49 packets from which on engines of the libwebrtc family count none of them as lost.
@Suite struct GapAcceptanceTests {
    private static let packets = [42, 44, 46, 48, 49, 50, 51, 53, 56, 60]

    @Test(arguments: RecordedCall.End.allCases) func `each gap is an outage of its length, counted as lost or not`(
        _ end: RecordedCall.End
    ) throws {
        let record = try SilenceSample("77-gaps-42-60").record(.init(end, .oneSecond))
        let lengths = record.summary.outages.map(\.seconds)
        try #require(lengths.count == Self.packets.count)
        for (length, packets) in zip(lengths, Self.packets) {
            #expect(abs(length - 0.02 * Double(packets)) <= 0.07, "\(length) s of \(packets) packets")
        }
        let audio = try #require(record.summary.streams.first { $0.stream.direction == .inbound })
        // If the engine counts them all now, this proves nothing.
        let lost = try #require(audio.packetsLost)
        #expect(lost <= 185)
    }

    /// Gaps within one report cannot be told apart.
    @Test(arguments: RecordedCall.End.allCases) func `reports of 10 s have the same length in all`(
        _ end: RecordedCall.End
    ) throws {
        let outages = try SilenceSample("77-gaps-42-60").record(.init(end, .tenSeconds)).summary.outages
        let missing = 0.02 * Double(Self.packets.reduce(0, +))
        #expect(abs(outages.map(\.seconds).reduce(0, +) - missing) <= 0.1 * missing)
    }
}

/// Loss on one way only.
@Suite struct OneWayLossTests {
    @Test(arguments: RecordedCall.Cadence.allCases) func `only the end that it came to hears loss`(
        _ cadence: RecordedCall.Cadence
    ) throws {
        let sample = try SilenceSample("78-oneway-loss10")
        let callee = try sample.record(.init(.callee, cadence)).summary
        let caller = try sample.record(.init(.caller, cadence)).summary
        func inbound(_ summary: CallSummary) -> StreamSummary? {
            summary.streams.first { $0.stream.direction == .inbound }
        }
        let lossy = try #require(inbound(callee)?.lossPercent)
        #expect(abs(lossy - 10) <= 1.5)
        #expect(inbound(caller)?.packetsLost == 0)
        let scores = [try #require(caller.score), try #require(callee.score)]
        #expect(scores[0] >= 85)
        #expect(scores[1] <= scores[0] - 15)
    }
}
