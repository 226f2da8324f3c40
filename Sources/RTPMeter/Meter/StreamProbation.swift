/// Decides whether packets that look like RTP are a stream, and with which clock, before a ``RTPStreamMeter`` counts them.
///
/// One SSRC between one pair of addresses is a stream once three packets in a row, duplicates left out, have consecutive
/// numbers and one payload type: one or two would let through much that is not RTP. A stream that signalling announced needs two packets with numbers near each other.
///
/// Nor is it a stream, unless announced, while its timestamp stands still for longer than ``longestInstant``, for it comes
/// from a clock ([RFC 3550 §5.1](https://www.rfc-editor.org/rfc/rfc3550#section-5.1)), or while all its numbers are the
/// lengths of their packets: remote procedure calls (RFC 5531) and BACnet look like RTP otherwise.
///
/// The packets seen so far are held and counted afterwards, so that probation costs the stream nothing. While the clock is
/// not known they are held longer, to infer it: ``inferenceStep`` packets mostly suffice, and at ``capacity`` the stream is
/// measured without one.
public struct StreamProbation: Sendable {
    /// At most so many packets are held, and only while a clock is being inferred or the timestamp has not moved; 24 bytes each.
    public static let capacity = 256
    /// After every so many packets, the clock is inferred from those there are.
    public static let inferenceStep = 64
    /// The packets of one picture come within so many nanoseconds, for there are two pictures a second and more.
    static let longestInstant: Int64 = 500_000_000
    /// A length in the place of the number is that of the packet, with or without what stands before it.
    private static let mostUncountedBytes = 4

    /// The clock from signalling, if there is one; may be set while the stream is on probation.
    public var clock: RTPClock?
    /// Whether signalling announced this stream; may be set while the stream is on probation.
    public var isAnnounced: Bool
    /// Whether this is a stream. It may still be held until its clock is known; see ``finish()``.
    public var isAccepted: Bool { hasRun && (isAnnounced || !hasLengths && (isTimed || isWithinInstant && !areCalls)) }
    private var hasRun = false
    /// Whether the timestamp has moved, or need not: all packets of a telephone event have one
    /// ([RFC 4733 §2.2](https://www.rfc-editor.org/rfc/rfc4733#section-2.2)), and padding repeats one.
    private var isTimed = false
    /// Whether the first packet was a remote procedure call, or the reply to one: zero, or one, where RTP has the timestamp
    /// ([RFC 5531 §9](https://www.rfc-editor.org/rfc/rfc5531#section-9)).
    private var areCalls = false
    /// Whether all numbers may be lengths of their packets.
    private var hasLengths = true
    private var first: MeteredPacket?
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
        let packet = MeteredPacket(header, arrival: arrival, payloadBytes: payloadBytes, kind: kind)
        noteRun(header)
        noteTime(packet, ssrc: header.ssrc)
        if !(0...Self.mostUncountedBytes).contains(header.wireLength - Int(header.sequenceNumber)) {
            hasLengths = false
        }
        held.append(packet)
        inference.take(packet)
        guard isAccepted else {
            forgetOldest()
            return nil
        }
        let known = clock ?? staticClock
        if let known, isTimed || isAnnounced {
            return replay(clock: known)
        }
        guard held.count % Self.inferenceStep == 0 else { return nil }
        let isFull = held.count >= Self.capacity
        let inferred = isFull ? inferredClock : inference.clock
        return inferred != nil || isFull ? replay(clock: known ?? inferred) : nil
    }

    /// Ends the probation with what there is, because no more packets will come or because it has lasted long enough.
    ///
    /// - Returns: The meter, without a clock if none could be inferred; nil if this is not a stream.
    public mutating func finish() -> RTPStreamMeter? {
        isAccepted ? replay(clock: clock ?? staticClock ?? inferredClock) : nil
    }

    /// The clock by the pace of all packets that are held, or else by that of the later half, if it is exact: a stream may begin
    /// with packets that had been held back and come all at once.
    private var inferredClock: RTPClock? {
        if let clock = inference.clock { return clock }
        var later = ClockInference()
        for packet in held.suffix(held.count / 2) { later.take(packet) }
        return later.exactClock
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
        hasRun =
            hasRun || run >= 3 || completesRun(header) || (isAnnounced && distance < SequenceTracker.maximumDropout)
    }

    private mutating func noteTime(_ packet: MeteredPacket, ssrc: UInt32) {
        guard let first else {
            (first, isTimed) = (packet, packet.kind.mayStandStill)
            // The version of the protocol, or the status of the reply, has the place of the SSRC.
            areCalls = packet.timestamp == 0 ? ssrc == 2 : packet.timestamp == 1 && ssrc <= 1
            return
        }
        isTimed = isTimed || packet.timestamp != first.timestamp || packet.kind.mayStandStill
    }

    /// Whether all packets so far may be of one picture.
    private var isWithinInstant: Bool {
        guard let first, let last = held.last else { return true }
        return last.arrival - first.arrival < Self.longestInstant
    }

    /// Whether three numbers in a row were there, in whatever order, and no more copies than others: a network may reorder
    /// every other packet.
    private func completesRun(_ header: RTPHeader) -> Bool {
        var near: UInt8 = 0
        for packet in held where packet.payloadType == header.payloadType {
            let distance = Int16(bitPattern: packet.sequenceNumber &- header.sequenceNumber)
            if (-2...2).contains(distance) { near |= 1 << UInt8(distance + 2) }
        }
        guard near & 0b00011 == 0b00011 || near & 0b01010 == 0b01010 || near & 0b11000 == 0b11000 else { return false }
        return 2 * Set(held.map(\.sequenceNumber)).union([header.sequenceNumber]).count > held.count
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

extension PacketKind {
    /// Whether packets of the kind may all have one timestamp.
    fileprivate var mayStandStill: Bool { self == .telephoneEvent || self == .padding }
}

extension RTPHeader {
    /// How many bytes the packet had on the wire; padding of unknown length is in the payload.
    fileprivate var wireLength: Int { payload.upperBound + (paddingBytes ?? 0) }
}
