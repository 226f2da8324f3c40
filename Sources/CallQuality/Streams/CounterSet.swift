/// The cumulative members of `inbound-rtp` and `outbound-rtp` that are used, and their like from the wire.
///
/// A lane each, for they are added and subtracted all at once, several times for every report.
struct CounterSet: Hashable {
    /// The counters, by the names of their properties.
    enum Counter: Int, CaseIterable {
        case packets
        case packetsLost
        case packetsDiscarded
        case retransmittedPackets
        case bytes
        case samples
        case samplesSeconds
        case concealedSamples
        case silentConcealedSamples
        case concealmentEvents
        case insertedSamples
        case removedSamples
        case audioEnergy
        case jitterBufferSeconds
        case jitterBufferEmitted
        case frames
        case quantizerSum
        case freezes
        case frozenSeconds
        case pauses
        case pausedSeconds
        case cpuLimitedSeconds
        case bandwidthLimitedSeconds
        /// Seconds in which packets were missing in runs of 0.4 s and more (wire).
        case outageSeconds
        /// Packets lost in those runs (wire).
        case packetsLostInOutages
        /// Seconds in which the sender sent nothing (wire).
        case senderPausedSeconds
        /// Seconds of audio missing in the simulated jitter buffer because packets came late (wire).
        case lateSeconds
        /// Seconds by which that buffer stretched the audio (wire).
        case stretchedSeconds
        /// Times the sequence numbers began anew (wire).
        case sequenceRestarts
        /// Seconds with media and without a frame, where freezes are not counted.
        case stillSeconds
        /// Packets that the receiver lacks beyond those that a probe missed; may fall (wire).
        case packetsLostBehind
        /// How many runs ``packetsLostInOutages`` were lost in (wire).
        case outageRuns
    }

    /// 0 where unknown.
    private var values = Lanes()
    /// Bit n: counter n is known.
    private var known: UInt32 = 0

    /// A counter; `nil` when it is not known.
    @inline(__always)
    subscript(counter: Counter) -> Double? {
        get { known & (1 << counter.rawValue) == 0 ? nil : values[counter.rawValue] }
        set {
            values[counter.rawValue] = newValue ?? 0
            known = newValue == nil ? known & ~(1 << counter.rawValue) : known | 1 << counter.rawValue
        }
    }
}

// MARK: - Arithmetic

extension CounterSet {
    /// What was counted since `earlier`; a counter that is missing on either side stays unknown.
    func difference(since earlier: CounterSet) -> CounterSet {
        var result = CounterSet()
        result.known = known & earlier.known
        // Nearly always both know the same, and what neither knows is 0 in both.
        guard known != earlier.known else {
            result.values = values - earlier.values
            return result
        }
        for counter in Counter.allCases { result[counter] = zip(self[counter], earlier[counter]).map { $0 - $1 } }
        return result
    }

    /// Samples inserted and removed to follow the jitter buffer; `nil` when neither was reported, never negative.
    var stretchedSamples: Double? {
        insertedSamples == nil && removedSamples == nil ? nil : max(0, (insertedSamples ?? 0) + (removedSamples ?? 0))
    }

    /// Adds what `other` counted; a counter that only one side knows keeps that side's value.
    static func += (left: inout CounterSet, right: CounterSet) {
        left.values += right.values
        left.known |= right.known
    }

    /// Whether the counters started anew between `earlier` and this: those of packets and bytes, which can only grow, have
    /// shrunk, or, where neither is known, another one has.
    ///
    /// One that falls while the others go on has wrapped, or was counted wrongly (``takeFalls()``). `packetsLost` may shrink
    /// by itself (RFC 3550 A.3: late and duplicate packets), so it does not tell.
    func hasRestarted(since earlier: CounterSet) -> Bool {
        let counts = [Counter.packets, .bytes].compactMap { hasFallen($0, since: earlier) }
        let others = [Counter.samples, .frames].compactMap { hasFallen($0, since: earlier) }
        return counts.isEmpty ? others.contains(true) : counts.allSatisfy { $0 }
    }

    /// `nil` where it is not known on both sides, or nothing had been counted.
    private func hasFallen(_ counter: Counter, since earlier: CounterSet) -> Bool? {
        zip(self[counter], earlier[counter]).flatMap { now, before in before > 0 ? now < before : nil }
    }

    /// Takes the counters that fell, though they can only grow, out of what was counted in a span.
    /// - Returns: by how much each of them fell.
    mutating func takeFalls() -> CounterSet {
        var falls = CounterSet()
        guard values.hasNegative else { return falls }
        for counter in Counter.allCases {
            guard let grown = self[counter], grown < 0, !mayFall(counter) else { continue }
            falls[counter] = -grown
            self[counter] = nil
        }
        return falls
    }

    /// Late and duplicate packets are lost no more; and a probe takes back what later packets explain.
    private func mayFall(_ counter: Counter) -> Bool {
        let isOfWire = self[.outageSeconds] != nil
        return isOfWire ? counter != .packets && counter != .bytes : counter == .packetsLost
    }

    /// Leaves unknown what is counted where sound is played, and what its jitter buffer throws away.
    mutating func forgetPlayout() {
        for counter in [
            Counter.packetsDiscarded, .samples, .samplesSeconds, .concealedSamples, .silentConcealedSamples,
            .concealmentEvents,
            .insertedSamples, .removedSamples, .audioEnergy, .jitterBufferSeconds, .jitterBufferEmitted,
        ] {
            self[counter] = nil
        }
    }

    /// The counters of a stream that has just begun: zero wherever `sample` knows a value.
    static func zero(like sample: CounterSet) -> CounterSet {
        var result = CounterSet()
        result.known = sample.known
        return result
    }

}

/// Thirty-two numbers in vectors that fit into the registers of a processor. One of all thirty-two does not, and is
/// copied through memory with every access.
private struct Lanes: Hashable {
    private var first = SIMD8<Double>.zero
    private var second = SIMD8<Double>.zero
    private var third = SIMD8<Double>.zero
    private var fourth = SIMD8<Double>.zero

    @inline(__always)
    subscript(lane: Int) -> Double {
        get {
            switch lane >> 3 {
            case 0: first[lane & 7]
            case 1: second[lane & 7]
            case 2: third[lane & 7]
            default: fourth[lane & 7]
            }
        }
        set {
            switch lane >> 3 {
            case 0: first[lane & 7] = newValue
            case 1: second[lane & 7] = newValue
            case 2: third[lane & 7] = newValue
            default: fourth[lane & 7] = newValue
            }
        }
    }

    var hasNegative: Bool { first.min() < 0 || second.min() < 0 || third.min() < 0 || fourth.min() < 0 }

    @inline(__always)
    static func += (left: inout Lanes, right: Lanes) {
        left.first += right.first
        left.second += right.second
        left.third += right.third
        left.fourth += right.fourth
    }

    @inline(__always)
    static func - (left: Lanes, right: Lanes) -> Lanes {
        var result = Lanes()
        result.first = left.first - right.first
        result.second = left.second - right.second
        result.third = left.third - right.third
        result.fourth = left.fourth - right.fourth
        return result
    }
}

// MARK: - Archive

extension CounterSet: Archivable {
    /// Which are known, which of those are not 0, and these.
    func write(to archive: inout ArchiveWriter) {
        var counted: UInt32 = 0
        for lane in 0..<Counter.allCases.count where values[lane].bitPattern != 0 { counted |= 1 << UInt32(lane) }
        archive.put(known, counted)
        Self.eachBit(of: counted) { archive.put(values[$0]) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        var counted: UInt32
        (known, counted) = try archive.get()
        while counted != 0 {
            values[counted.trailingZeroBitCount] = try archive.get()
            counted &= counted - 1
        }
    }

    private static func eachBit(of bits: UInt32, _ body: (Int) -> Void) {
        var rest = bits
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }
}

// MARK: - By name

extension CounterSet {
    var packets: Double? {
        get { self[.packets] }
        set { self[.packets] = newValue }
    }
    var packetsLost: Double? {
        get { self[.packetsLost] }
        set { self[.packetsLost] = newValue }
    }
    var packetsDiscarded: Double? {
        get { self[.packetsDiscarded] }
        set { self[.packetsDiscarded] = newValue }
    }
    var retransmittedPackets: Double? {
        get { self[.retransmittedPackets] }
        set { self[.retransmittedPackets] = newValue }
    }
    var bytes: Double? {
        get { self[.bytes] }
        set { self[.bytes] = newValue }
    }
    var samples: Double? {
        get { self[.samples] }
        set { self[.samples] = newValue }
    }
    var samplesSeconds: Double? {
        get { self[.samplesSeconds] }
        set { self[.samplesSeconds] = newValue }
    }
    var concealedSamples: Double? {
        get { self[.concealedSamples] }
        set { self[.concealedSamples] = newValue }
    }
    var silentConcealedSamples: Double? {
        get { self[.silentConcealedSamples] }
        set { self[.silentConcealedSamples] = newValue }
    }
    var concealmentEvents: Double? {
        get { self[.concealmentEvents] }
        set { self[.concealmentEvents] = newValue }
    }
    var insertedSamples: Double? {
        get { self[.insertedSamples] }
        set { self[.insertedSamples] = newValue }
    }
    var removedSamples: Double? {
        get { self[.removedSamples] }
        set { self[.removedSamples] = newValue }
    }
    var audioEnergy: Double? {
        get { self[.audioEnergy] }
        set { self[.audioEnergy] = newValue }
    }
    var jitterBufferSeconds: Double? {
        get { self[.jitterBufferSeconds] }
        set { self[.jitterBufferSeconds] = newValue }
    }
    var jitterBufferEmitted: Double? {
        get { self[.jitterBufferEmitted] }
        set { self[.jitterBufferEmitted] = newValue }
    }
    var frames: Double? {
        get { self[.frames] }
        set { self[.frames] = newValue }
    }
    var quantizerSum: Double? {
        get { self[.quantizerSum] }
        set { self[.quantizerSum] = newValue }
    }
    var freezes: Double? {
        get { self[.freezes] }
        set { self[.freezes] = newValue }
    }
    var frozenSeconds: Double? {
        get { self[.frozenSeconds] }
        set { self[.frozenSeconds] = newValue }
    }
    var pauses: Double? {
        get { self[.pauses] }
        set { self[.pauses] = newValue }
    }
    var pausedSeconds: Double? {
        get { self[.pausedSeconds] }
        set { self[.pausedSeconds] = newValue }
    }
    var cpuLimitedSeconds: Double? {
        get { self[.cpuLimitedSeconds] }
        set { self[.cpuLimitedSeconds] = newValue }
    }
    var bandwidthLimitedSeconds: Double? {
        get { self[.bandwidthLimitedSeconds] }
        set { self[.bandwidthLimitedSeconds] = newValue }
    }
    var outageSeconds: Double? {
        get { self[.outageSeconds] }
        set { self[.outageSeconds] = newValue }
    }
    var packetsLostInOutages: Double? {
        get { self[.packetsLostInOutages] }
        set { self[.packetsLostInOutages] = newValue }
    }
    var outageRuns: Double? {
        get { self[.outageRuns] }
        set { self[.outageRuns] = newValue }
    }
    var lateSeconds: Double? {
        get { self[.lateSeconds] }
        set { self[.lateSeconds] = newValue }
    }
    var stretchedSeconds: Double? {
        get { self[.stretchedSeconds] }
        set { self[.stretchedSeconds] = newValue }
    }
    var senderPausedSeconds: Double? {
        get { self[.senderPausedSeconds] }
        set { self[.senderPausedSeconds] = newValue }
    }
    var sequenceRestarts: Double? {
        get { self[.sequenceRestarts] }
        set { self[.sequenceRestarts] = newValue }
    }
    var packetsLostBehind: Double? {
        get { self[.packetsLostBehind] }
        set { self[.packetsLostBehind] = newValue }
    }
    var stillSeconds: Double? {
        get { self[.stillSeconds] }
        set { self[.stillSeconds] = newValue }
    }
}
