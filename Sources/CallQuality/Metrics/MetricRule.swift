import CallModel

/// How one figure comes from differences of W3C counters: a ratio of sums, times a scale.
struct MetricRule: Sendable {
    /// The rule in words: members by their names.
    struct Source: Sendable {
        let metric: StreamMetric
        let numerator: [String]
        let denominator: Denominator
        var scale = 1.0
        /// `nil` for both.
        var kind: MediaKind?
    }

    /// What the counters are divided by.
    enum Denominator: Sendable {
        case seconds
        case members([String])
    }

    let metric: StreamMetric
    let kind: MediaKind?
    private let numerator: [Int]
    /// Empty: seconds.
    private let denominator: [Int]
    private let scale: Double

    init(_ source: Source) {
        (metric, kind, scale) = (source.metric, source.kind, source.scale)
        numerator = source.numerator.map(MetricCounters.index)
        guard case .members(let members) = source.denominator else {
            denominator = []
            return
        }
        denominator = members.map(MetricCounters.index)
    }

    /// The figure over a span; `nil` when a member was not reported, or there is nothing to divide by.
    func value(_ counted: MetricCounters, seconds: Double) -> Double? {
        guard let above = Self.sum(numerator, counted),
            let below = denominator.isEmpty ? seconds : Self.sum(denominator, counted), below > 0, above >= 0
        else { return nil }
        return scale * above / below
    }

    private static func sum(_ members: [Int], _ counted: MetricCounters) -> Double? {
        var sum = 0.0
        for member in members {
            guard let value = counted[member] else { return nil }
            sum += value
        }
        return sum
    }
}

extension MetricRule {
    /// The rules of received streams.
    static let inbound = inboundSources.map(MetricRule.init)
    /// The rules of sent streams.
    static let outbound = outboundSources.map(MetricRule.init)
}

extension MetricRule {
    /// The rules of received streams, by the names of their members.
    static let inboundSources: [Source] =
        [
            .init(metric: .packetsPerSecond, numerator: ["packetsReceived"], denominator: .seconds),
            .init(
                metric: .lineKilobitsPerSecond, numerator: ["bytesReceived", "headerBytesReceived"],
                denominator: .seconds,
                scale: 0.008),
            .init(
                metric: .discardedPercent, numerator: ["packetsDiscarded"], denominator: .members(["packetsReceived"]),
                scale: 100),
            .init(
                metric: .concealmentsPerMinute, numerator: ["concealmentEvents"], denominator: .seconds, scale: 60,
                kind: .audio),
            .init(
                metric: .jitterBufferTargetMilliseconds, numerator: ["jitterBufferTargetDelay"],
                denominator: .members(["jitterBufferEmittedCount"]), scale: 1000),
            .init(
                metric: .jitterBufferMinimumMilliseconds, numerator: ["jitterBufferMinimumDelay"],
                denominator: .members(["jitterBufferEmittedCount"]), scale: 1000),
            .init(
                metric: .retransmittedPercent, numerator: ["retransmittedPacketsReceived"],
                denominator: .members(["packetsReceived"]), scale: 100),
            .init(
                metric: .fecPercent, numerator: ["fecPacketsReceived"], denominator: .members(["packetsReceived"]),
                scale: 100),
            .init(
                metric: .fecDiscardedPercent, numerator: ["fecPacketsDiscarded"],
                denominator: .members(["fecPacketsReceived"]), scale: 100),
            .init(
                metric: .ect1Percent, numerator: ["packetsReceivedWithEct1"],
                denominator: .members(["packetsReceived"]),
                scale: 100),
            .init(
                metric: .congestionMarkedPercent, numerator: ["packetsReceivedWithCe"],
                denominator: .members(["packetsReceived"]), scale: 100),
        ] + inboundVideo + feedback

    private static let inboundVideo: [Source] = [
        .init(
            metric: .keyFramesPerMinute, numerator: ["keyFramesDecoded"], denominator: .seconds, scale: 60,
            kind: .video),
        .init(
            metric: .framesDroppedPercent, numerator: ["framesDropped"],
            denominator: .members(["framesDecoded", "framesDropped"]), scale: 100, kind: .video),
        .init(
            metric: .decodeMilliseconds, numerator: ["totalDecodeTime"], denominator: .members(["framesDecoded"]),
            scale: 1000, kind: .video),
        .init(
            metric: .processingMilliseconds, numerator: ["totalProcessingDelay"],
            denominator: .members(["framesDecoded"]), scale: 1000, kind: .video),
        .init(
            metric: .assemblyMilliseconds, numerator: ["totalAssemblyTime"],
            denominator: .members(["framesAssembledFromMultiplePackets"]), scale: 1000, kind: .video),
        .init(
            metric: .corruptionProbability, numerator: ["totalCorruptionProbability"],
            denominator: .members(["corruptionMeasurements"]), kind: .video),
    ]

    /// The rules of sent streams, by the names of their members.
    static let outboundSources: [Source] =
        [
            .init(metric: .packetsPerSecond, numerator: ["packetsSent"], denominator: .seconds),
            .init(
                metric: .lineKilobitsPerSecond, numerator: ["bytesSent", "headerBytesSent"], denominator: .seconds,
                scale: 0.008),
            .init(
                metric: .retransmittedPercent, numerator: ["retransmittedPacketsSent"],
                denominator: .members(["packetsSent"]), scale: 100),
            .init(
                metric: .packetSendDelayMilliseconds, numerator: ["totalPacketSendDelay"],
                denominator: .members(["packetsSent"]), scale: 1000),
            .init(
                metric: .keyFramesPerMinute, numerator: ["keyFramesEncoded"], denominator: .seconds, scale: 60,
                kind: .video),
            .init(
                metric: .encodeMilliseconds, numerator: ["totalEncodeTime"], denominator: .members(["framesEncoded"]),
                scale: 1000, kind: .video),
            .init(
                metric: .hugeFramesPercent, numerator: ["hugeFramesSent"], denominator: .members(["framesSent"]),
                scale: 100, kind: .video),
            .init(
                metric: .lumaSignalToNoiseDecibels, numerator: ["psnrSum.y"],
                denominator: .members(["psnrMeasurements"]),
                kind: .video),
            .init(
                metric: .otherLimitedPercent, numerator: ["qualityLimitationDurations.other"], denominator: .seconds,
                scale: 100, kind: .video),
        ] + feedback

    private static let feedback: [Source] = [
        .init(metric: .nacksPerMinute, numerator: ["nackCount"], denominator: .seconds, scale: 60),
        .init(
            metric: .pictureLossesPerMinute, numerator: ["pliCount"], denominator: .seconds, scale: 60, kind: .video),
        .init(
            metric: .fullIntraRequestsPerMinute, numerator: ["firCount"], denominator: .seconds, scale: 60,
            kind: .video),
    ]
}
