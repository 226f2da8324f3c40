import CallModel

/// One stream's column of the table.
struct StreamFigures: Sendable {
    let stream: StreamSummary
    /// The time series of this stream.
    let intervals: [MediaInterval]
    /// What a stream of a probe is called, for ``WireSection`` has the rest of it; `nil` for one of a client.
    let name: String?

    /// A row of the table: `nil` where it does not apply to the stream, `–` where the figure was not reported.
    struct Row: Sendable {
        var label: String
        /// Whether the row is left out, too, when no stream reported the figure.
        var isOptional = false
        var value: @Sendable (StreamFigures) -> String?
    }

    /// All rows, in order. Those that apply to no stream are left out.
    static var rows: [Row] { identity + network + repair + sound + picture + processing }

    private static let identity: [Row] = [
        Row(label: "") { $0.name ?? "\($0.isInbound ? "in" : "out") \($0.stream.stream.kind.rawValue)" },
        Row(label: "codec") { $0.ofClient($0.codec) },
        Row(label: "ssrc") { $0.ofClient($0.stream.stream.source.printable) },
        Row(label: "connection") { $0.connection },
        Row(label: "score, worst", isOptional: true) { $0.score },
    ]

    private static let network: [Row] = [
        Row(label: "packets") { $0.ofClient(Figures.count($0.stream.packets)) },
        Row(label: "lost") { $0.ofClient(Figures.count($0.stream.packetsLost)) },
        Row(label: "lost share") { Figures.percent($0.stream.lossPercent) },
        Row(label: "lost share p95") { Figures.percent($0.percentile95(\.lossPercent)) },
        Row(label: "too late to play") { $0.ofClient($0.inbound(Figures.count($0.stream.packetsDiscarded))) },
        Row(label: "gaps at resume") { $0.stream.resumeGapPackets > 0 ? "\($0.stream.resumeGapPackets)" : nil },
        Row(label: "counters restarted") { $0.stream.segments > 1 ? "\($0.stream.segments - 1)" : nil },
        Row(label: "bit rate") { Figures.number($0.stream.bitrateKilobitsPerSecond, "kbit/s") },
        Row(label: "jitter mean") { $0.ofClient(Figures.number($0.stream.jitterMilliseconds, "ms")) },
        Row(label: "jitter p95") { Figures.number($0.percentile95(\.jitterMilliseconds), "ms") },
        Row(label: "jitter max") { $0.ofClient(Figures.number($0.stream.maximumJitterMilliseconds, "ms")) },
        Row(label: "round trip") { $0.ofClient(Figures.number($0.stream.roundTripMilliseconds, "ms")) },
        Row(label: "jitter buffer") {
            $0.ofClient($0.inbound(Figures.number($0.stream.jitterBufferMilliseconds, "ms")))
        },
        Row(label: "buffer target", isOptional: true) {
            $0.inbound($0.number(.jitterBufferTargetMilliseconds, "ms"))
        },
    ]

    private static let repair: [Row] = [
        Row(label: "loss in worst span") { $0.worstShareOfLoss },
        Row(label: "no packets for") { $0.length($0.stream.deadSeconds) },
        Row(label: "retransmitted", isOptional: true) { $0.number(.retransmittedPercent, "%") },
        Row(label: "FEC", isOptional: true) { $0.inbound($0.number(.fecPercent, "%")) },
        Row(label: "NACK/PLI a minute", isOptional: true) { $0.requests },
    ]

    private static let sound: [Row] = [
        Row(label: "concealed") { $0.ofClient($0.inbound(Figures.percent($0.stream.concealedPercent), .audio)) },
        Row(label: "concealed p95") {
            $0.ofClient($0.inbound(Figures.percent($0.percentile95(\.concealedPercent)), .audio))
        },
        Row(label: "stretched") { $0.ofClient($0.inbound(Figures.percent($0.stream.stretchedPercent), .audio)) },
        Row(label: "silent") { $0.length($0.stream.silentSeconds) },
    ]

    private static let picture: [Row] = [
        Row(label: "frames a second") { $0.ofClient($0.video(Figures.number($0.stream.framesPerSecond))) },
        Row(label: "picture") { $0.ofClient($0.video($0.picture)) },
        Row(label: "frozen") { $0.ofClient($0.inbound($0.frozen, .video)) },
        Row(label: "frames dropped", isOptional: true) { $0.inbound($0.number(.framesDroppedPercent, "%"), .video) },
    ]

    private static let processing: [Row] = [
        Row(label: "decode a frame", isOptional: true) { $0.inbound($0.number(.decodeMilliseconds, "ms"), .video) },
        Row(label: "encode a frame", isOptional: true) { $0.outboundVideo($0.number(.encodeMilliseconds, "ms")) },
        Row(label: "implementation") { $0.name($0.stream.implementation) },
        Row(label: "layer") { $0.name($0.stream.layer) },
        Row(label: "content", isOptional: true) { $0.name($0.stream.content) },
    ]
}

extension StreamFigures {
    private var isInbound: Bool { stream.stream.direction == .inbound }

    /// What the table of the wire has, or a probe cannot see, is only told of a client's stream.
    private func ofClient(_ text: String?) -> String? {
        name == nil ? text : nil
    }

    private func inbound(_ text: String, _ kind: MediaKind? = nil) -> String? {
        isInbound && (kind == nil || kind == stream.stream.kind) ? text : nil
    }

    private func outboundVideo(_ text: String) -> String? {
        isInbound ? nil : video(text)
    }

    private func number(_ metric: StreamMetric, _ unit: String) -> String {
        Figures.number(stream.metrics[metric], unit)
    }

    private func name(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0.printable }
    }

    /// A length worth a row.
    private func length(_ seconds: Double?) -> String? {
        seconds.flatMap { $0 > 0.5 ? Words.duration(seconds: $0) : nil }
    }

    /// Of one or two lost packets, a share says nothing.
    private var worstShareOfLoss: String? {
        guard let lost = stream.packetsLost, lost > 2 else { return nil }
        return stream.worstIntervalShareOfLossPercent.map(Figures.percent)
    }

    /// `12.0 / 0.50`: requests to send packets again, and for a new picture.
    private var requests: String {
        let figures = [stream.metrics[.nacksPerMinute], stream.metrics[.pictureLossesPerMinute]].map(Figures.number)
        return figures.allSatisfy { $0 == Figures.unknown } ? Figures.unknown : figures.joined(separator: " / ")
    }

    private func video(_ text: String) -> String? {
        stream.stream.kind == .video ? text : nil
    }

    /// `opus 48 kHz`; the kind is said above it.
    private var codec: String {
        guard let codec = stream.codec else { return Figures.unknown }
        let name = codec.split(separator: "/", maxSplits: 1).last.map(String.init) ?? codec
        let rate = stream.clockRate.map { $0 % 1000 == 0 ? " \($0 / 1000) kHz" : " \($0) Hz" } ?? ""
        return name.printable + (stream.stream.kind == .audio ? rate : "")
    }

    private var connection: String? {
        stream.stream.connection == .only ? nil : stream.stream.connection.rawValue.printable
    }

    private var score: String {
        guard let score = stream.score else { return Figures.unknown }
        return "\(score)" + (stream.worstScore.map { ", \($0)" } ?? "")
    }

    private var picture: String {
        guard let width = stream.frameWidth, let height = stream.frameHeight else { return Figures.unknown }
        return "\(width)×\(height)"
    }

    private var frozen: String {
        guard let seconds = stream.frozenSeconds else { return Figures.unknown }
        let times = stream.freezeCount.map { " in \($0)" } ?? ""
        return Words.duration(seconds: seconds) + times
    }

    /// The value that is not exceeded for 95 % of the time, by the lengths of the intervals; `nil` when no interval has one.
    func percentile95(_ figure: KeyPath<MediaInterval, Double?>) -> Double? {
        let sorted = intervals.compactMap { interval in
            interval[keyPath: figure].flatMap { $0.isFinite ? (value: $0, seconds: interval.seconds) : nil }
        }
        .sorted { $0.value < $1.value }
        var left = 0.95 * sorted.reduce(0) { $0 + $1.seconds }
        return sorted.first { (_, seconds) in
            left -= seconds
            return left <= 0
        }?.value ?? sorted.last?.value
    }
}
