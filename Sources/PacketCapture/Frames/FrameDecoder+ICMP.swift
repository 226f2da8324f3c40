import RTPMeter

/// A packet of media that did not reach where it was sent, as an ICMP error quotes it.
struct UndeliverablePacket: Hashable, Sendable {
    /// From where to where it was sent.
    var flow: Flow
    /// Its source; nil where so little of it is quoted that it may be anything.
    var ssrc: UInt32?
}

extension FrameDecoder {
    /// ICMP ([RFC 792](https://www.rfc-editor.org/rfc/rfc792)) and ICMPv6
    /// ([RFC 4443](https://www.rfc-editor.org/rfc/rfc4443)). Errors quote the packet they complain about, often with its RTP
    /// header: none of it was sent here. That its destination cannot be reached is kept (``takeUndeliverable()``).
    mutating func icmp(_ number: UInt8, _ bytes: RawSpan, _ extent: Extent) -> DecodedFrame? {
        guard extent.has(1) else { return refuseShort(extent, needing: 1) }
        let type = bytes.byte(at: extent.start)
        let isVersion6 = number == IPProtocol.icmpv6
        let isError = isVersion6 ? type < 128 : [3, 4, 5, 11, 12].contains(type)
        guard isError else { return refuse(.otherProtocol) }
        if extent.has(8), type == (isVersion6 ? 1 : 3),
            isVersion6 || bytes.byte(at: extent.start + 1) != Self.needsFragments
        {
            let quoted = extent.dropping(8)
            keep(undeliverable: isVersion6 ? Self.quoted6(bytes, quoted) : Self.quoted4(bytes, quoted))
        }
        return refuse(.icmpError)
    }

    /// The code of a packet that is too long for the way and must not be fragmented: its sender sends it again in pieces.
    private static let needsFragments: UInt8 = 4

    private static func quoted4(_ bytes: RawSpan, _ extent: Extent) -> UndeliverablePacket? {
        guard extent.has(20) else { return nil }
        let start = extent.start
        let (first, fragment) = (bytes.byte(at: start), bytes.networkOrder(at: start + 6, as: UInt16.self))
        let headerLength = Int(first & 0x0F) * 4
        guard first >> 4 == 4, headerLength >= 20, bytes.byte(at: start + 9) == IPProtocol.udp, fragment & 0x1FFF == 0
        else {
            return nil
        }
        return quotedMedia(
            bytes, extent.dropping(headerLength), from: IPAddress(v4: bytes.networkOrder(at: start + 12)),
            to: IPAddress(v4: bytes.networkOrder(at: start + 16)))
    }

    private static func quoted6(_ bytes: RawSpan, _ extent: Extent) -> UndeliverablePacket? {
        guard extent.has(40) else { return nil }
        let start = extent.start
        guard bytes.byte(at: start) >> 4 == 6, bytes.byte(at: start + 6) == IPProtocol.udp else { return nil }
        return quotedMedia(
            bytes, extent.dropping(40),
            from: IPAddress(high: bytes.networkOrder(at: start + 8), low: bytes.networkOrder(at: start + 16)),
            to: IPAddress(high: bytes.networkOrder(at: start + 24), low: bytes.networkOrder(at: start + 32)))
    }

    /// A datagram that is RTP as far as it is quoted; some quote no more than its ports.
    private static func quotedMedia(
        _ bytes: RawSpan, _ extent: Extent, from source: IPAddress, to destination: IPAddress
    ) -> UndeliverablePacket? {
        guard extent.has(8) else { return nil }
        let flow = Flow(
            source: Endpoint(address: source, port: bytes.networkOrder(at: extent.start)),
            destination: Endpoint(address: destination, port: bytes.networkOrder(at: extent.start + 2)))
        let length = Int(bytes.networkOrder(at: extent.start + 4, as: UInt16.self))
        let payload = extent.dropping(8)
        guard payload.has(12) else { return payload.has(1) ? nil : UndeliverablePacket(flow: flow) }
        let datagram = bytes.extracting(payload.start..<payload.end)
        guard PacketClass.of(datagram, wireLength: max(length - 8, datagram.byteCount)) == .rtp else { return nil }
        return UndeliverablePacket(flow: flow, ssrc: datagram.networkOrder(at: 8))
    }
}
