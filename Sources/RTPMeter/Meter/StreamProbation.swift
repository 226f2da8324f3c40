/// Decides whether packets that look like RTP are a stream, and with which clock, before a ``RTPStreamMeter`` counts them.
///
/// One SSRC between one pair of addresses is a stream once three packets in a row, duplicates left out, have consecutive
/// numbers and one payload type: one or two would let through much that is not RTP. A stream that signalling announced needs two packets with numbers near each other.
///
/// The packets seen so far are held and counted afterwards, so that probation costs the stream nothing. While the clock is
/// not known they are held longer, to infer it: ``inferenceStep`` packets mostly suffice, and at ``capacity`` the stream is
/// measured without one.
public struct StreamProbation: Sendable {
    /// At most so many packets are held, and only while a clock is being inferred; 24 bytes each.
    public static let capacity = 256
    /// After every so many packets, the clock is inferred from those there are.
    public static let inferenceStep = 64

    /// The clock from signalling, if there is one; may be set while the stream is on probation.
    public var clock: RTPClock?
    /// Whether signalling announced this stream; may be set while the stream is on probation.
    public var isAnnounced: Bool
    /// Whether this is a stream. It may still be held until its clock is known; see ``finish()``.
    public private(set) var isAccepted = false
    private var forgotten: UInt32 = 0
    private var held: [MeteredPacket] = []
    private var run = 0
    private var inference = ClockInference()

    /// A probation that has seen nothing.
    public init(clock: RTPClock? = nil, isAnnounced: Bool = false) {
        self.clock = clock
        self.isAnnounced = isAnnounced
    }

    /// When the last packet arrived; nil before the first.
    public var lastArrival: ArrivalTime? {
        held.last.map { ArrivalTime(nanoseconds: $0.arrival) }
    }

    /// Packets held.
    public var heldPackets: Int { held.count }

    /// Packets that are held no more because there were too many before this was a stream: no meter counts them.
    public var forgottenPackets: Int { Int(forgotten) }

    /// Takes the next packet, in the order of capture.
    ///
    /// - Returns: The meter to go on with, in which all packets are counted that were held, this one included; nil while on
    ///   probation. After a meter was returned, the probation is over and empty, but for ``forgottenPackets``.
    public mutating func take(
        _ header: RTPHeader, arrival: ArrivalTime, payloadBytes: Int, kind: PacketKind
    ) -> RTPStreamMeter? {
        noteRun(header)
        held.append(MeteredPacket(header, arrival: arrival, payloadBytes: payloadBytes, kind: kind))
        inference.take(header, arrival: arrival)
        guard isAccepted else {
            forgetOldest()
            return nil
        }
        if let clock = clock ?? staticClock {
            return replay(clock: clock)
        }
        guard held.count % Self.inferenceStep == 0 else { return nil }
        let inferred = inference.clock
        return inferred != nil || held.count >= Self.capacity ? replay(clock: inferred) : nil
    }

    /// Ends the probation with what there is, because no more packets will come or because it has lasted long enough.
    ///
    /// - Returns: The meter, without a clock if none could be inferred; nil if this is not a stream.
    public mutating func finish() -> RTPStreamMeter? {
        isAccepted ? replay(clock: clock ?? staticClock ?? inference.clock) : nil
    }

    private mutating func noteRun(_ header: RTPHeader) {
        guard let last = held.last else {
            run = 1
            return
        }
        let step = header.sequenceNumber &- last.sequenceNumber
        guard step != 0 else { return }
        run = step == 1 && header.payloadType == last.payloadType ? run + 1 : 1
        let distance = min(step, 0 &- step)
        isAccepted =
            isAccepted || run >= 3 || completesRun(header) || (isAnnounced && distance < SequenceTracker.maximumDropout)
    }

    /// Whether three numbers in a row were there, in whatever order: a network may reorder every other packet.
    private func completesRun(_ header: RTPHeader) -> Bool {
        var near: UInt8 = 0
        for packet in held where packet.payloadType == header.payloadType {
            let distance = Int16(bitPattern: packet.sequenceNumber &- header.sequenceNumber)
            if (-2...2).contains(distance) { near |= 1 << UInt8(distance + 2) }
        }
        return near & 0b00011 == 0b00011 || near & 0b01010 == 0b01010 || near & 0b11000 == 0b11000
    }

    private mutating func forgetOldest() {
        if held.count >= Self.inferenceStep {
            held.removeFirst(Self.inferenceStep / 2)
            forgotten &+= UInt32(Self.inferenceStep / 2)
        }
    }

    /// The clock of the payload type that most of the held packets carry, if RFC 3551 fixes it.
    private var staticClock: RTPClock? {
        var votes = 0
        var winner: UInt8 = 0xff
        for packet in held where packet.kind == .media {
            if votes == 0 {
                winner = packet.payloadType
            }
            votes += packet.payloadType == winner ? 1 : -1
        }
        return StaticPayloadType.clock(of: winner)
    }

    private mutating func replay(clock: RTPClock?) -> RTPStreamMeter {
        var meter = RTPStreamMeter(clock: clock)
        for packet in held {
            _ = meter.take(packet)
        }
        let before = forgotten
        self = StreamProbation(clock: clock, isAnnounced: isAnnounced)
        forgotten = before
        return meter
    }
}
