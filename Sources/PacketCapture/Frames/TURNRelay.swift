import RTPMeter

/// Media inside the messages of a TURN relay ([RFC 8656](https://www.rfc-editor.org/rfc/rfc8656)).
///
/// The flow stays that of the relay: which of its peers is meant is told by the SSRC.
enum TURNRelay {
    /// The first bytes of a Send and a Data indication (methods 6 and 7, class indication).
    private static let indications: ClosedRange<UInt16> = 0x0016...0x0017
    private static let magicCookie: UInt32 = 0x2112_A442
    /// The attribute that holds what is relayed (RFC 8656 §18.4).
    private static let dataAttribute: UInt16 = 0x0013

    /// The relayed packet, if the payload is a TURN message that holds media; nil otherwise.
    @inline(__always)
    static func content(_ bytes: RawSpan, _ payload: Extent) -> Extent? {
        guard payload.has(12) else { return nil }
        let first = bytes.byte(at: payload.start)
        // RTP begins with 128...191: most packets are done here.
        if first & 0xF0 == 0x40 { return channelData(bytes, payload) }
        if first == 0 { return indication(bytes, payload) }
        return nil
    }

    /// RFC 8656 §12.4: channel number 0x4000...0x4FFF, length, data; over UDP it may be padded to a multiple of four.
    ///
    /// SIP begins with letters in the same range ("INVITE", "BYE", …), so the length must fit exactly, and what is
    /// inside must be media.
    private static func channelData(_ bytes: RawSpan, _ payload: Extent) -> Extent? {
        let length = Int(bytes.networkOrder(at: payload.start + 2, as: UInt16.self))
        let rest = payload.wireCount - 4 - length
        guard length > 0, rest == 0 || (0..<4).contains(rest) && payload.wireCount % 4 == 0 else { return nil }
        return media(bytes, payload.dropping(4).limited(toWire: length))
    }

    /// A Send or Data indication (RFC 8656 §11): the DATA attribute of a STUN message.
    private static func indication(_ bytes: RawSpan, _ payload: Extent) -> Extent? {
        guard payload.has(20), indications.contains(bytes.networkOrder(at: payload.start)),
            bytes.networkOrder(at: payload.start + 4, as: UInt32.self) == magicCookie
        else { return nil }
        var rest = payload.dropping(20)
        while rest.has(4) {
            let type: UInt16 = bytes.networkOrder(at: rest.start)
            let length = Int(bytes.networkOrder(at: rest.start + 2, as: UInt16.self))
            guard 4 + length <= rest.wireCount else { return nil }
            if type == dataAttribute { return media(bytes, rest.dropping(4).limited(toWire: length)) }
            let padded = 4 + (length + 3) & ~3
            guard rest.has(padded) else { return nil }
            rest = rest.dropping(padded)
        }
        return nil
    }

    private static func media(_ bytes: RawSpan, _ extent: Extent) -> Extent? {
        guard extent.count > 0 else { return nil }
        switch PacketClass.of(bytes.extracting(extent.start..<extent.end), wireLength: extent.wireCount) {
        case .rtp, .rtcp, .stun, .dtls: return extent
        default: return nil
        }
    }
}
