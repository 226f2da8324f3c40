/// What a receiver wants of a sender at once, or tells it to steer by
/// ([RFC 4585, section 6.1](https://www.rfc-editor.org/rfc/rfc4585#section-6.1)).
public struct RTCPFeedback: Hashable, Sendable {
    /// What the message says, as far as statistics need it.
    public enum Kind: Hashable, Sendable {
        /// These many packets did not come (generic NACK, RFC 4585, section 6.2.1).
        case missingPackets(count: Int)
        /// A picture cannot be shown: send a whole one (PLI, RFC 4585, section 6.3.1).
        case pictureLoss
        /// Send a whole picture now; these sources are asked (FIR, RFC 5104, section 4.3.1).
        case fullIntraRequest(sources: [UInt32])
        /// Send at most so many bits a second; the smallest of all entries (TMMBR, RFC 5104, section 4.2.1).
        case maximumBitRateRequest(bitsPerSecond: UInt64)
        /// The answer to that (TMMBN, RFC 5104, section 4.2.2).
        case maximumBitRateNotification
        /// The receiver thinks that the path carries so many bits a second (REMB, draft-alvestrand-rmcat-remb-03).
        case estimatedMaximumBitRate(bitsPerSecond: UInt64)
        /// Arrival of so many packets in a row, by their transport-wide numbers
        /// (draft-holmer-rmcat-transport-wide-cc-extensions-01).
        case transportWideArrivals(packets: Int)
        /// Arrival of packets, by their RTP sequence numbers (RFC 8888).
        case congestionControl
        /// Any other message: 205 is about transport, 206 about the payload.
        case other(packetType: UInt8, format: UInt8)
    }

    /// Who asks.
    public var sender: UInt32
    /// The media that it is about; 0 for messages that name their sources elsewhere, see ``sources``.
    public var media: UInt32
    /// What the message says.
    public var kind: Kind

    /// A message of known fields.
    public init(sender: UInt32, media: UInt32, kind: Kind) {
        self.sender = sender
        self.media = media
        self.kind = kind
    }
}

extension RTCPFeedback {
    /// The sources that it is about: those that the entries of a full intra request name, whose ``media`` is 0
    /// ([RFC 5104, section 4.3.1.2](https://www.rfc-editor.org/rfc/rfc5104#section-4.3.1.2)), else ``media``.
    public var sources: [UInt32] {
        if case .fullIntraRequest(let sources) = kind, !sources.isEmpty { return sources }
        return [media]
    }

    init?(_ packet: RawSpan, _ body: inout RTCPBody) {
        let offset = body.offset
        guard body.has(.sender, upTo: offset + 8), body.has(.mediaSource, upTo: offset + 12) else { return nil }
        sender = packet.networkOrder(at: offset + 4)
        media = packet.networkOrder(at: offset + 8)
        let entries = offset + 12..<body.end
        switch (body.type, body.count) {
        case (205, 1): kind = .missingPackets(count: Self.missingPackets(packet, entries))
        case (205, 3):
            guard let rate = Self.smallestBitRate(packet, entries, &body) else { return nil }
            kind = .maximumBitRateRequest(bitsPerSecond: rate)
        case (205, 4): kind = .maximumBitRateNotification
        case (205, 11): kind = .congestionControl
        case (205, 15):
            guard body.has(.feedback, upTo: offset + 20) else { return nil }
            kind = .transportWideArrivals(packets: Int(packet.networkOrder(at: offset + 14, as: UInt16.self)))
        case (206, 1): kind = .pictureLoss
        case (206, 4): kind = .fullIntraRequest(sources: Self.requestedSources(packet, entries))
        case (206, 15) where Self.isEstimate(packet, entries):
            kind = .estimatedMaximumBitRate(bitsPerSecond: Self.estimate(packet, at: offset + 17))
        default: kind = .other(packetType: body.type, format: UInt8(truncatingIfNeeded: body.count))
        }
    }

    /// Each entry names one packet, and has a bit for each of the sixteen after it.
    private static func missingPackets(_ packet: RawSpan, _ entries: Range<Int>) -> Int {
        packet.words(in: entries).reduce(0) { $0 + 1 + ($1 & 0xffff).nonzeroBitCount }
    }

    /// Each entry names one source, and has eight bits that tell a request from one that is sent again.
    private static func requestedSources(_ packet: RawSpan, _ entries: Range<Int>) -> [UInt32] {
        stride(from: entries.lowerBound, to: entries.upperBound - 7, by: 8).map { packet.networkOrder(at: $0) }
    }

    /// The smallest limit of the entries: 6 bits of exponent, 17 of mantissa, 9 of overhead.
    private static func smallestBitRate(
        _ packet: RawSpan, _ entries: Range<Int>, _ body: inout RTCPBody
    ) -> UInt64? {
        guard body.has(.feedback, upTo: entries.lowerBound + 8) else { return nil }
        return stride(from: entries.lowerBound, to: entries.upperBound - 7, by: 8).map { entry in
            let limit: UInt32 = packet.networkOrder(at: entry + 4)
            return scaled(limit >> 9 & 0x1_ffff, by: limit >> 26)
        }.min()
    }

    /// The letters "REMB" in front tell the estimate from other messages of the application layer.
    private static func isEstimate(_ packet: RawSpan, _ entries: Range<Int>) -> Bool {
        entries.count >= 8 && packet.networkOrder(at: entries.lowerBound, as: UInt32.self) == 0x5245_4d42
    }

    /// 6 bits of exponent and 18 of mantissa.
    private static func estimate(_ packet: RawSpan, at offset: Int) -> UInt64 {
        let high: UInt8 = packet.networkOrder(at: offset)
        let low: UInt16 = packet.networkOrder(at: offset + 1)
        return scaled(UInt32(high & 0b11) << 16 | UInt32(low), by: UInt32(high >> 2))
    }

    /// mantissa · 2^exponent; the largest number there is when 64 bits do not hold it.
    private static func scaled(_ mantissa: UInt32, by exponent: UInt32) -> UInt64 {
        let mantissa = UInt64(mantissa)
        return mantissa.leadingZeroBitCount < Int(exponent) && mantissa != 0 ? .max : mantissa << UInt64(exponent)
    }
}
