/// What a receiver needs from the front of one RTP packet.
///
/// Layout: [RFC 3550, section 5.1](https://www.rfc-editor.org/rfc/rfc3550#section-5.1). SRTP leaves all of it readable,
/// except for the count of padding bytes ([RFC 3711, section 3.1](https://www.rfc-editor.org/rfc/rfc3711#section-3.1)).
public struct RTPHeader: Hashable, Sendable {
    /// Synchronisation source: tells the streams of one session apart. Chosen at random; 0 is a value like any other.
    public var ssrc: UInt32
    /// Sampling instant of the first byte of the payload, in ticks of the payload's clock; wraps at 2³².
    public var timestamp: UInt32
    /// Counts packets; wraps from 65535 to 0 (every 21.8 minutes at 50 packets a second).
    public var sequenceNumber: UInt16
    /// Format of the payload, 0...127; its meaning comes from signalling, or from RFC 3551 below 96.
    public var payloadType: UInt8
    /// Audio: first packet of a talkspurt. Video: last packet of a frame.
    public var hasMarker: Bool
    /// Where the payload lies in the packet as it was on the wire, in bytes, padding taken off.
    ///
    /// It may reach beyond what was captured. Empty for a packet of padding only, which senders use to probe the path.
    public var payload: Range<Int>
    /// How many bytes of padding end the packet, the count itself included; 0 for a packet without padding.
    ///
    /// Nil when the packet says it is padded and the count cannot be known: its end was not captured, or it names more
    /// bytes than there are, as in SRTP, which encrypts it. `payload` then runs to the end of the packet.
    public var paddingBytes: Int?

    /// Whether the packet says that it ends in padding.
    @inlinable
    public var hasPadding: Bool { paddingBytes != 0 }

    /// A header of known fields.
    @inlinable
    public init(
        payloadType: UInt8, hasMarker: Bool = false, sequenceNumber: UInt16, timestamp: UInt32, ssrc: UInt32,
        payload: Range<Int>, paddingBytes: Int? = 0
    ) {
        self.ssrc = ssrc
        self.timestamp = timestamp
        self.sequenceNumber = sequenceNumber
        self.payloadType = payloadType
        self.hasMarker = hasMarker
        self.payload = payload
        self.paddingBytes = paddingBytes
    }
}

extension RTPHeader {
    /// Reads the header of the packet at the start of `packet`.
    ///
    /// Lengths are held against the packet as it was sent, so a capture that kept only the first bytes of every packet
    /// still yields headers. Of a header extension whose length was not captured, only the first 4 bytes are taken off
    /// the payload.
    ///
    /// - Parameters:
    ///   - packet: The payload of a UDP datagram, of which a capture may have kept only the beginning.
    ///   - wireLength: How many bytes that payload had on the wire; bytes beyond are not looked at.
    /// - Throws: ``RTPHeaderError`` naming the first part that does not fit.
    @inlinable
    @inline(__always)
    public init(parsing packet: RawSpan, wireLength: Int) throws(RTPHeaderError) {
        let captured = min(packet.byteCount, wireLength)
        guard captured >= 12 else {
            throw .truncated(.fixedHeader, needed: 12, found: captured)
        }
        let front: UInt64 = packet.networkOrder(at: 0)
        guard front >> 62 == 2 else { throw .unsupportedVersion(UInt8(front >> 62)) }

        var start = 12 + 4 * Int(truncatingIfNeeded: front >> 56 & 0x0f)
        if start != 12 || front & 0x1000_0000_0000_0000 != 0 {
            start = try Self.payloadStart(of: packet, afterSources: start, wireLength: wireLength, captured: captured)
        }
        let isPadded = front & 0x2000_0000_0000_0000 != 0
        let padding = isPadded ? Self.padding(of: packet, payloadStart: start, wireLength: wireLength) : 0
        self.init(
            payloadType: UInt8(truncatingIfNeeded: front >> 48) & 0x7f,
            hasMarker: front & 0x0080_0000_0000_0000 != 0,
            sequenceNumber: UInt16(truncatingIfNeeded: front >> 32),
            timestamp: UInt32(truncatingIfNeeded: front),
            ssrc: packet.networkOrder(at: 8),
            payload: start..<(wireLength - (padding ?? 0)),
            paddingBytes: padding)
    }

    /// Where the payload begins when there are contributing sources or a header extension (RFC 3550, section 5.3.1).
    @inlinable
    static func payloadStart(
        of packet: RawSpan, afterSources start: Int, wireLength: Int, captured: Int
    ) throws(RTPHeaderError) -> Int {
        guard start <= wireLength else {
            throw .truncated(.contributingSources, needed: start, found: wireLength)
        }
        let first: UInt8 = packet.networkOrder(at: 0)
        guard first & 0b0001_0000 != 0 else { return start }
        guard start + 4 <= wireLength else {
            throw .truncated(.headerExtension, needed: start + 4, found: wireLength)
        }
        guard start + 4 <= captured else { return start + 4 }
        let words: UInt16 = packet.networkOrder(at: start + 2)
        let end = start + 4 + 4 * Int(words)
        guard end <= wireLength else {
            throw .truncated(.headerExtension, needed: end, found: wireLength)
        }
        return end
    }

    /// The count in the last byte of a padded packet, if it can be true (RFC 3550, section 5.1, "padding").
    @inlinable
    static func padding(of packet: RawSpan, payloadStart: Int, wireLength: Int) -> Int? {
        guard wireLength <= packet.byteCount, payloadStart < wireLength else { return nil }
        let count: UInt8 = packet.networkOrder(at: wireLength - 1)
        return count > 0 && Int(count) <= wireLength - payloadStart ? Int(count) : nil
    }
}
