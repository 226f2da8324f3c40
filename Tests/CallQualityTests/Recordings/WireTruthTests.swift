import CallModel
import TestSupport
import Testing

@testable import CallQuality

/// What the product says against what the router did, over every engine and both ends.
///
/// Tolerances: what the clients' own figures keep on a busy machine.
@Suite(SharedData.required) struct WireTruthTests {
    /// Calls whose impairment stayed the same from beginning to end, in order.
    private static let steady = [
        "01-clean", "02-loss1", "03-loss5", "05-delay100", "06-delay300", "12-burst5", "15-dup5", "16-h264", "17-vp9",
        "18-av1", "19-pcma-loss5", "21-opus-loss15", "22-opus-red-loss15", "31-plain-clean", "32-plain-loss5-jitter30",
        "40-chromium-firefox-clean", "42-firefox-chromium-jitter30", "45-audio-long", "47-vp9-720p",
        "50-chromium87-loss5", "51-chromium90-loss5", "60-chromium-aiortc-loss5", "62-chromium-libwebrtc-loss5",
    ]
    private static let overtaking = ["08-jitter80-reorder", "09-reorder5"]
    private static let changing = ["10-outage5s", "14-staircase", "34-gap-ladder"]
    /// Three packets in four are padding here, which the wire and the engine take differently into the jitter.
    private static let padded = "19-pcma-loss5"
    /// Their delay is no constant.
    private static let jittered = ["32-plain-loss5-jitter30", "42-firefox-chromium-jitter30"]

    @Test(arguments: RecordedEnd.both(steady + changing))
    func `packets lost are those the router dropped in gaps the engine counts`(_ source: RecordedEnd) async throws {
        let record = try await source.record()
        let audio = try #require(record.stream(.inbound, .audio))
        let wire = try await wire(of: audio, source)
        let lost = try #require(audio.packetsLost)
        // Two of the last packets may be on their way; where many are lost, more are lost just before the last report.
        let tolerance = max(2, wire.countableLost / 100)
        #expect(
            abs(lost - wire.countableLost) <= tolerance,
            "\(source.testDescription): \(lost), wire \(wire.countableLost)")
    }

    /// A packet that is overtaken counts as lost until it comes; one that comes very late may stay counted.
    @Test(arguments: RecordedEnd.both(overtaking))
    func `packets that overtake each other are not lost`(_ source: RecordedEnd) async throws {
        let audio = try #require(try await source.record().stream(.inbound, .audio))
        #expect(abs(try #require(audio.packetsLost)) <= 5, "\(source.testDescription)")
        #expect(try #require(audio.lossPercent) < 0.2)
    }

    @Test(arguments: RecordedEnd.both(steady))
    func `the share of audio lost is that of the router`(_ source: RecordedEnd) async throws {
        let audio = try #require(try await source.record().stream(.inbound, .audio))
        let percent = try #require(audio.lossPercent)
        let truth = try #require(try await wire(of: audio, source).lossPercent)
        #expect(abs(percent - truth) <= 0.15, "\(source.testDescription): \(percent) %, wire \(truth) %")
    }

    @Test(arguments: RecordedEnd.both(steady.filter { $0 != "45-audio-long" }))
    func `the share of video lost leaves retransmissions out`(_ source: RecordedEnd) async throws {
        guard let video = try await source.record().stream(.inbound, .video) else { return }
        let percent = try #require(video.lossPercent)
        let truth = try #require(try await wire(of: video, source).lossPercent)
        #expect(abs(percent - truth) <= 1, "\(source.testDescription): \(percent) %, wire \(truth) %")
    }

    @Test(arguments: RecordedEnd.both(steady))
    func `mean jitter is that of the wire`(_ source: RecordedEnd) async throws {
        let audio = try #require(try await source.record(.oneSecond).stream(.inbound, .audio))
        let mean = try #require(audio.jitterMilliseconds)
        let clockRate = audio.clockRate ?? 48_000
        let truth = try #require(try await wire(of: audio, source).meanJitterMilliseconds(clockRate: clockRate))
        let tolerance: Double = source.name == Self.padded ? 5 : 3
        #expect(abs(mean - truth) <= tolerance, "\(source.testDescription): \(mean) ms, wire \(truth) ms")
    }

    /// The middle one of the rows: single RTCP packets are late on a busy machine, and a mean follows them.
    @Test(arguments: RecordedEnd.both(steady.filter { !jittered.contains($0) }))
    func `the round trip is twice the delay that was set`(_ source: RecordedEnd) async throws {
        let record = try await source.record(.oneSecond)
        let stream = try #require(record.stream(.outbound, .audio)?.stream)
        let measured = record.intervals.filter { $0.stream == stream }.compactMap(\.roundTripMilliseconds).sorted()
        try #require(measured.count > 4, "\(source.testDescription)")
        let median = measured[measured.count / 2]
        let set = try 2 * Recordings.shared.truth(source.name).oneWayMilliseconds
        // aiortc stamps RTCP when its event loop comes to it.
        let tolerance: Double = source.name == "60-chromium-aiortc-loss5" ? 8 : 3
        #expect(
            median >= set - 1 && median <= set + tolerance, "\(source.testDescription): \(median) ms, set \(set) ms")
    }

    /// The sender learns of the loss through RTCP, up to 12 s late.
    @Test(arguments: RecordedEnd.both(steady))
    func `both ends of a stream tell one story`(_ source: RecordedEnd) async throws {
        let sender = RecordedEnd(name: source.name, end: source.end == .caller ? .callee : .caller)
        let received = try #require(try await source.record().stream(.inbound, .audio))
        let sent = try #require(
            try await sender.record().summary.streams.first {
                $0.stream.direction == .outbound && $0.stream.source == received.stream.source
            }, "\(sender.testDescription) sends no stream \(received.stream.source)")
        let heard = try #require(received.lossPercent)
        let told = try #require(sent.lossPercent)
        #expect(abs(heard - told) <= 1 + 0.1 * heard, "\(source.testDescription): \(heard) %, RTCP \(told) %")
        let lost = try #require(received.packetsLost)
        #expect(try #require(sent.packetsLost) <= lost + 2, "RTCP cannot know of more than the receiver")
        if let jitter = received.jitterMilliseconds, let jitterTold = sent.jitterMilliseconds {
            #expect(abs(jitter - jitterTold) <= 4, "\(source.testDescription): \(jitter) ms, RTCP \(jitterTold) ms")
        }
    }

    /// The packets that can have reached the receiver by its last report.
    private func wire(of stream: StreamSummary, _ source: RecordedEnd) async throws -> RouterStream {
        let delay = try Recordings.shared.truth(source.name).oneWayMilliseconds
        let wire = try await Recordings.shared.wire(source.name)
        return wire.stream(stream.stream.source, until: stream.lastSeen.advanced(byMilliseconds: -Int64(delay)))
    }
}
