import RTPMeter

/// Numbers of what follows an IP header
/// ([protocol numbers](https://www.iana.org/assignments/protocol-numbers)).
enum IPProtocol {
    static let hopByHop: UInt8 = 0
    static let icmp: UInt8 = 1
    static let ipv4: UInt8 = 4
    static let tcp: UInt8 = 6
    static let udp: UInt8 = 17
    static let ipv6: UInt8 = 41
    static let routing: UInt8 = 43
    static let fragment: UInt8 = 44
    static let gre: UInt8 = 47
    static let esp: UInt8 = 50
    static let authentication: UInt8 = 51
    static let icmpv6: UInt8 = 58
    static let destinationOptions: UInt8 = 60

    /// Whether an IPv6 extension header with a length byte (or a fragment header) is meant.
    static func isExtensionHeader(_ number: UInt8) -> Bool {
        switch number {
        case hopByHop, routing, fragment, destinationOptions, 135, 139, 140: true
        default: false
        }
    }
}

extension FrameDecoder {
    /// Whatever IP carries.
    mutating func transport(
        _ number: UInt8, _ bytes: RawSpan, _ extent: Extent, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        switch number {
        case IPProtocol.udp: udp(bytes, extent, header, descent)
        case IPProtocol.tcp: tcp(bytes, extent, header, descent)
        case IPProtocol.ipv4: enter(descent, .ipInIP) { $0.ipv4(bytes, extent, $1) }
        case IPProtocol.ipv6: enter(descent, .ipInIP) { $0.ipv6(bytes, extent, $1) }
        case IPProtocol.gre: gre(bytes, extent, descent)
        case IPProtocol.esp: esp(bytes, extent, header, descent)
        case IPProtocol.authentication: authenticated(bytes, extent, header, descent)
        case IPProtocol.icmp, IPProtocol.icmpv6: icmp(number, bytes, extent)
        default: refuse(.otherProtocol)
        }
    }

    /// UDP ([RFC 768](https://www.rfc-editor.org/rfc/rfc768)), and the tunnels that run over it.
    @inline(__always)
    mutating func udp(
        _ bytes: RawSpan, _ extent: Extent, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        guard extent.has(8) else { return refuseShort(extent, needing: 8) }
        let source: UInt16 = bytes.networkOrder(at: extent.start)
        let destination: UInt16 = bytes.networkOrder(at: extent.start + 2)
        let stated = Int(bytes.networkOrder(at: extent.start + 4, as: UInt16.self))
        // 0: a jumbogram (RFC 2675), or segmented by the network card after the capture.
        let length = stated == 0 ? extent.wireCount : stated
        guard length >= 8, length <= extent.wireCount else { return refuse(.malformed) }
        let payload = extent.limited(toWire: length).dropping(8)
        if let tunnel = UDPTunnel(source: source, destination: destination, bytes, payload) {
            return content(of: tunnel, bytes, payload, header, descent)
        }
        var frame = DecodedFrame(
            transport: .udp,
            flow: Flow(
                source: Endpoint(address: header.source, port: source),
                destination: Endpoint(address: header.destination, port: destination)),
            payload: payload.start..<payload.end, payloadWireLength: payload.wireCount,
            identification: header.identification, hopLimit: header.hopLimit, isOutgoing: descent.isOutgoing,
            encapsulation: descent.encapsulation)
        if let relayed = TURNRelay.content(bytes, payload) {
            frame.payload = relayed.start..<relayed.end
            frame.payloadWireLength = relayed.wireCount
            frame.encapsulation.insert(.turn)
        }
        return frame
    }

    /// TCP ([RFC 9293 §3.1](https://www.rfc-editor.org/rfc/rfc9293#section-3.1)), options skipped.
    private mutating func tcp(
        _ bytes: RawSpan, _ extent: Extent, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        guard extent.has(20) else { return refuseShort(extent, needing: 20) }
        let start = extent.start
        let headerLength = Int(bytes.byte(at: start + 12) >> 4) * 4
        guard headerLength >= 20 else { return refuse(.malformed) }
        guard extent.has(headerLength) else { return refuseShort(extent, needing: headerLength) }
        let payload = extent.dropping(headerLength)
        return DecodedFrame(
            transport: .tcp(
                sequence: bytes.networkOrder(at: start + 4), acknowledgment: bytes.networkOrder(at: start + 8),
                flags: bytes.byte(at: start + 13)),
            flow: Flow(
                source: Endpoint(address: header.source, port: bytes.networkOrder(at: start)),
                destination: Endpoint(address: header.destination, port: bytes.networkOrder(at: start + 2))),
            payload: payload.start..<payload.end, payloadWireLength: payload.wireCount,
            identification: header.identification, hopLimit: header.hopLimit, isOutgoing: descent.isOutgoing,
            encapsulation: descent.encapsulation)
    }

    /// The authentication header of IPsec, which hides nothing
    /// ([RFC 4302 §2](https://www.rfc-editor.org/rfc/rfc4302#section-2)).
    private mutating func authenticated(
        _ bytes: RawSpan, _ extent: Extent, _ header: NetworkHeader, _ descent: Descent
    ) -> DecodedFrame? {
        guard extent.has(12) else { return refuseShort(extent, needing: 12) }
        let size = (Int(bytes.byte(at: extent.start + 1)) + 2) * 4
        guard size >= 12 else { return refuse(.malformed) }
        guard extent.has(size) else { return refuseShort(extent, needing: size) }
        let number = bytes.byte(at: extent.start)
        return enter(descent, []) { $0.extensionHeaders(number, bytes, extent.dropping(size), header, $1) }
    }
}
