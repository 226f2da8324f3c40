import CallModel

/// The counters that ``MetricRule`` needs, by W3C member name.
struct MetricCounters: Hashable, Archivable {
    /// In the order of ``members``, 0 where unknown; empty while none is known.
    private var counts: [Double] = []
    /// Bit n: counter n is known.
    private var known: UInt64 = 0

    init() {}

    /// Reads what an `inbound-rtp` or `outbound-rtp` object has.
    init(of object: StatsObject, direction: MediaDirection) {
        for index in direction == .inbound ? Self.inbound : Self.outbound {
            if let value = object[Self.members[index]] { self[index] = value }
        }
        for (map, entry, index) in Self.entries {
            guard let value = object.members[map]?.members?[entry]?.number,
                (0...Double.largestExactWhole).contains(value)
            else { continue }
            self[index] = value
        }
    }

    /// The counters that are known.
    var values: [String: Double] {
        var values: [String: Double] = [:]
        for (index, member) in Self.members.enumerated() { values[member] = self[index] }
        return values
    }

    /// The counter at a place in ``members``; `nil` when it is not known.
    subscript(index: Int) -> Double? {
        get { known & (1 << UInt64(index)) == 0 ? nil : counts[index] }
        set {
            if counts.isEmpty { counts = Array(repeating: 0, count: Self.members.count) }
            counts[index] = newValue ?? 0
            known = newValue == nil ? known & ~(1 << UInt64(index)) : known | 1 << UInt64(index)
        }
    }

    /// What was counted since `earlier`, or since zero when the counters started anew; falling ones are left out.
    func difference(since earlier: MetricCounters, isRestart: Bool) -> MetricCounters {
        var result = MetricCounters()
        let isFromZero = isRestart || earlier.known == 0
        let both = known & (earlier.known | Self.absentWhileZero)
        Self.eachBit(of: isFromZero ? known : both) { index in
            let grown = counts[index] - (isFromZero ? 0 : earlier[index] ?? 0)
            if grown >= 0 { result[index] = grown }
        }
        return result
    }

    static func += (left: inout MetricCounters, right: MetricCounters) {
        eachBit(of: right.known) { left[$0] = (left[$0] ?? 0) + right.counts[$0] }
    }

    /// Multiplies numbers of samples, and sums over samples; see ``CounterSet/samplesScale(of:after:)``.
    mutating func scaleSamples(by scale: Double) {
        guard scale != 1 else { return }
        for index in Self.ofSamples { self[index] = self[index].map { scale * $0 } }
    }

    /// Leaves out what is counted of bytes: those of headers alone are no bit rate.
    mutating func forgetBytes() {
        for index in Self.bytes where self[index] != nil { self[index] = nil }
    }

    private static func eachBit(of bits: UInt64, _ body: (Int) -> Void) {
        var rest = bits
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }
}

// MARK: - Figures

extension MetricCounters {
    /// The figures these counters give over `seconds`, or over `bytesSeconds` where bytes were counted for a part of them.
    func figures(of stream: StreamKey, seconds: Double, bytesSeconds: Double? = nil) -> [StreamMetric: Double] {
        var figures: [StreamMetric: Double] = [:]
        guard known != 0 else { return figures }
        figures.reserveCapacity(StreamMetric.allCases.count / 2)
        for rule in stream.direction == .inbound ? MetricRule.inbound : MetricRule.outbound
        where rule.kind == nil || rule.kind == stream.kind {
            let length = rule.metric == .lineKilobitsPerSecond ? bytesSeconds ?? seconds : seconds
            if let value = rule.value(self, seconds: length) { figures[rule.metric] = value }
        }
        if stream.direction == .inbound {
            if stream.kind == .audio { addConcealment(to: &figures, seconds: seconds) }
            if stream.kind == .video { figures[.frameIntervalVariation] = frameIntervalVariation }
        }
        return figures
    }

    /// Concealment that is heard as sound counts only while there is a stream to conceal.
    private func addConcealment(to figures: inout [StreamMetric: Double], seconds: Double) {
        guard let samples = self[Self.samples], samples > 0, let concealed = self[Self.concealed] else { return }
        if let silent = self[Self.silent], let packets = self[Self.packets], seconds > 0, packets / seconds >= 10 {
            figures[.audibleConcealedPercent] = min(100, max(0, 100 * (concealed - silent) / samples))
        }
        if let events = self[Self.concealments], events > 0, let duration = self[Self.duration] {
            figures[.meanConcealmentMilliseconds] = 1000 * concealed / samples * duration / events
        }
    }

    /// Frames that came whole and were not decoded, or were dropped; `nil` where neither is reported, negative where earlier
    /// ones were decoded meanwhile.
    var framesUndecoded: Double? {
        zip(self[Self.received], self[Self.decoded]).map { $0 - $1 } ?? self[Self.dropped]
    }

    private var frameIntervalVariation: Double? {
        guard let frames = self[Self.decoded], frames > 1, let sum = self[Self.frameDelay], sum > 0,
            let squares = self[Self.squaredFrameDelay]
        else { return nil }
        let mean = sum / frames
        return max(0, squares / frames - mean * mean).squareRoot() / mean
    }
}

// MARK: - Members

extension MetricCounters {
    /// Every counter that a figure needs, sorted; at most 64. One in a map is written `map.entry`.
    static let members = Set(inboundMembers + outboundMembers).sorted()

    /// The place of a member that is in ``members``.
    static func index(of member: String) -> Int {
        members.firstIndex(of: member) ?? members.startIndex
    }

    private static let inbound = inboundMembers.filter { !$0.contains(".") }.map(index)
    private static let outbound = outboundMembers.filter { !$0.contains(".") }.map(index)
    private static let entries = members.enumerated().compactMap { index, member in
        let parts = member.split(separator: ".").map(String.init)
        return parts.count == 2 ? (map: parts[0], entry: parts[1], index: index) : nil
    }

    private static let bytes = ["bytesReceived", "headerBytesReceived", "bytesSent", "headerBytesSent"].map(index)
    private static let ofSamples = [
        "totalSamplesReceived", "concealedSamples", "silentConcealedSamples", "jitterBufferEmittedCount",
        "jitterBufferTargetDelay", "jitterBufferMinimumDelay",
    ].map(index)
    /// What engines leave out before there is anything to count.
    private static let absentWhileZero = UInt64(1) << UInt64(index(of: "retransmittedPacketsReceived"))
    private static let samples = index(of: "totalSamplesReceived")
    private static let duration = index(of: "totalSamplesDuration")
    private static let concealed = index(of: "concealedSamples")
    private static let silent = index(of: "silentConcealedSamples")
    private static let concealments = index(of: "concealmentEvents")
    private static let packets = index(of: "packetsReceived")
    private static let received = index(of: "framesReceived")
    private static let decoded = index(of: "framesDecoded")
    private static let dropped = index(of: "framesDropped")
    private static let frameDelay = index(of: "totalInterFrameDelay")
    private static let squaredFrameDelay = index(of: "totalSquaredInterFrameDelay")

    private static let inboundMembers =
        members(of: MetricRule.inboundSources) + [
            "totalSamplesReceived", "totalSamplesDuration", "concealedSamples", "silentConcealedSamples",
            "totalInterFrameDelay", "totalSquaredInterFrameDelay", "framesReceived",
        ]
    private static let outboundMembers = members(of: MetricRule.outboundSources)

    private static func members(of rules: [MetricRule.Source]) -> [String] {
        rules.flatMap { rule -> [String] in
            guard case .members(let denominator) = rule.denominator else { return rule.numerator }
            return rule.numerator + denominator
        }
    }
}

// MARK: - Archive

extension MetricCounters {
    func write(to archive: inout ArchiveWriter) {
        archive.put(unsigned: known)
        Self.eachBit(of: known) { archive.put(counts[$0]) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        var rest = try archive.unsigned()
        guard rest >> UInt64(Self.members.count) == 0 else { throw ArchiveError() }
        while rest != 0 {
            self[rest.trailingZeroBitCount] = try archive.get() as Double
            rest &= rest - 1
        }
    }
}
