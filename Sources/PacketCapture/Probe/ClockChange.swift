import RTPMeter

/// A payload type of a stream of which nobody tells the clock, while it is not known whether the stream's clock is its own.
///
/// A sender may go on within its stream with a codec of another clock
/// ([RFC 7160](https://www.rfc-editor.org/rfc/rfc7160)), and signalling need not have been seen of it. Other payload types
/// only come between: redundancy and repair (RFC 2198, RFC 5109), a change back and forth; their clock is mostly the same.
struct ClockChange {
    /// The payload type whose packets are looked at.
    private(set) var payloadType: UInt8
    /// What these say of their clock.
    private(set) var inference = ClockInference()
    /// Packets of this payload type, and of those that were looked at before it.
    private(set) var packets = 0
    /// Packets of other payload types since the last of this one.
    private(set) var others = 0

    /// After so many packets without a clock that was found, none is looked for.
    static let mostPackets = 6_000
    /// After so many of others the payload type only came between.
    static let mostOthers = 100
    /// The rates of nearly all codecs differ from each other by much more, and a network makes packets this uneven.
    private static let nearHertz = 0.75...1.33

    init(to payloadType: UInt8) {
        self.payloadType = payloadType
    }

    /// Takes the next packet of the payload type, or of another one, which then takes its place.
    mutating func take(_ header: RTPHeader, arrival: ArrivalTime) {
        if header.payloadType != payloadType { (payloadType, inference) = (header.payloadType, ClockInference()) }
        packets += 1
        others = 0
        inference.take(header, arrival: arrival)
    }

    /// Notes a packet of another payload type.
    mutating func noteOther() { others += 1 }

    /// The clock of the payload type; `nil` while its packets are too few, or tell none.
    var clock: RTPClock? { inference.packets >= StreamProbation.inferenceStep ? inference.clock : nil }

    /// Whether the packets so far may have a clock of so many ticks a second. What never comes twice in a row says nothing to
    /// the contrary.
    func mayHaveClock(of hertz: UInt32) -> Bool {
        guard inference.pairs > 0 else { return true }
        return inference.measuredHertz.map { Self.nearHertz.contains($0 / Double(hertz)) } ?? false
    }
}
