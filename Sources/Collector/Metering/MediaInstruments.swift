import CallModel
import Metrics

/// Counters of what intervals say of the media.
struct MediaInstruments: Sendable {
    private let audio: OfKind
    private let video: OfKind

    init(_ factory: any MetricsFactory) {
        audio = OfKind(.audio, factory)
        video = OfKind(.video, factory)
    }

    func count(_ intervals: [MediaInterval]) {
        for interval in intervals {
            switch interval.stream.kind {
            case .audio: audio.count(interval)
            case .video: video.count(interval)
            }
        }
    }

    private struct OfKind: Sendable {
        private let inbound: Counter
        private let outbound: Counter
        private let packets: Counter
        private let lost: Counter
        private let jitter: Recorder

        init(_ kind: MediaKind, _ factory: any MetricsFactory) {
            func samples(_ direction: String) -> Counter {
                Counter(
                    label: "sidetone_ingest_samples_total", dimensions: [("kind", kind.rawValue), ("dir", direction)],
                    factory: factory)
            }
            let kind = [("kind", kind.rawValue)]
            inbound = samples("in")
            outbound = samples("out")
            packets = Counter(label: "sidetone_rtp_packets_total", dimensions: kind, factory: factory)
            lost = Counter(label: "sidetone_rtp_packets_lost_total", dimensions: kind, factory: factory)
            jitter = Recorder(
                label: "sidetone_rtp_jitter_seconds", dimensions: kind, aggregate: true, factory: factory)
        }

        func count(_ interval: MediaInterval) {
            guard interval.stream.direction == .inbound else { return outbound.increment() }
            inbound.increment()
            if let count = interval.packets { packets.increment(by: count) }
            // Late packets make it negative; what was counted stays counted.
            if let count = interval.packetsLost, count > 0 { lost.increment(by: count) }
            if let milliseconds = interval.jitterMilliseconds { jitter.record(milliseconds / 1000) }
        }
    }
}
