import CallModel

/// The counters that ``MetricRule`` needs, by W3C member name.
struct MetricCounters: Hashable, Codable {
    private(set) var values: [String: Double] = [:]

    init() {}

    /// Reads what an `inbound-rtp` or `outbound-rtp` object has.
    init(of object: StatsObject, direction: MediaDirection) {
        for member in direction == .inbound ? Self.inboundMembers : Self.outboundMembers {
            values[member] = object[member]
        }
        for (map, entry) in [("qualityLimitationDurations", "other"), ("psnrSum", "y")] {
            let value = object.members[map]?.members?[entry]?.number
            values["\(map).\(entry)"] = value.flatMap { (0...Double.largestExactWhole).contains($0) ? $0 : nil }
        }
    }

    /// What was counted since `earlier`, or since zero when the counters started anew; falling ones are left out.
    func difference(since earlier: MetricCounters, isRestart: Bool) -> MetricCounters {
        var result = MetricCounters()
        for (member, now) in values {
            guard let before = isRestart ? 0 : earlier.values[member] ?? (earlier.values.isEmpty ? 0 : nil) else {
                continue
            }
            if now >= before { result.values[member] = now - before }
        }
        return result
    }

    static func += (left: inout MetricCounters, right: MetricCounters) {
        left.values.merge(right.values) { $0 + $1 }
    }

    /// The figures these counters give over `seconds`.
    func figures(of stream: StreamKey, seconds: Double) -> [StreamMetric: Double] {
        var figures: [StreamMetric: Double] = [:]
        guard !values.isEmpty else { return figures }
        for rule in stream.direction == .inbound ? MetricRule.inbound : MetricRule.outbound
        where rule.kind == nil || rule.kind == stream.kind {
            figures[rule.metric] = rule.value(values, seconds: seconds)
        }
        if stream.direction == .inbound {
            if stream.kind == .audio { addConcealment(to: &figures, seconds: seconds) }
            if stream.kind == .video { figures[.frameIntervalVariation] = frameIntervalVariation }
        }
        return figures
    }

    /// Concealment that is heard as sound counts only while there is a stream to conceal.
    private func addConcealment(to figures: inout [StreamMetric: Double], seconds: Double) {
        guard let samples = values["totalSamplesReceived"], samples > 0, let concealed = values["concealedSamples"]
        else {
            return
        }
        if let silent = values["silentConcealedSamples"], let packets = values["packetsReceived"], seconds > 0,
            packets / seconds >= 10
        {
            figures[.audibleConcealedPercent] = min(100, max(0, 100 * (concealed - silent) / samples))
        }
        if let events = values["concealmentEvents"], events > 0, let duration = values["totalSamplesDuration"] {
            figures[.meanConcealmentMilliseconds] = 1000 * concealed / samples * duration / events
        }
    }

    private var frameIntervalVariation: Double? {
        guard let frames = values["framesDecoded"], frames > 1, let sum = values["totalInterFrameDelay"], sum > 0,
            let squares = values["totalSquaredInterFrameDelay"]
        else { return nil }
        let mean = sum / frames
        return max(0, squares / frames - mean * mean).squareRoot() / mean
    }

    private static let inboundMembers =
        members(of: MetricRule.inbound) + [
            "totalSamplesReceived", "totalSamplesDuration", "concealedSamples", "silentConcealedSamples",
            "totalInterFrameDelay", "totalSquaredInterFrameDelay",
        ]
    private static let outboundMembers = members(of: MetricRule.outbound)

    private static func members(of rules: [MetricRule]) -> [String] {
        let all = rules.flatMap { rule -> [String] in
            guard case .members(let denominator) = rule.denominator else { return rule.numerator }
            return rule.numerator + denominator
        }
        return Set(all).filter { !$0.contains(".") }.sorted()
    }
}
