import RTPMeter

extension FrameDecoder {
    /// A shortcut for what nearly all frames are: Ethernet II, IPv4 without options and fragments, UDP, RTP or RTCP.
    ///
    /// The full way comes to the same result through many more instructions. What begins as RTP does, with fewer than
    /// eight contributing sources, is neither a TURN message nor a tunnel: VXLAN with group policies begins with 0x88.
    /// - Returns: nil for every other frame, which then goes the full way.
    @inline(__always)
    func plainMedia(_ bytes: RawSpan, wireLength: Int) -> DecodedFrame? {
        // 14 bytes of Ethernet, 20 of IPv4, 8 of UDP, 12 of RTP.
        guard bytes.byteCount >= 54, bytes.networkOrder(at: 12, as: UInt32.self) >> 8 == 0x08_0045,
            bytes.networkOrder(at: 20, as: UInt32.self) & 0x3FFF_00FF == UInt32(IPProtocol.udp),
            bytes.byte(at: 42) & 0xC8 == 0x80
        else { return nil }
        let packetLength = Int(bytes.networkOrder(at: 16, as: UInt16.self))
        let datagramLength = Int(bytes.networkOrder(at: 38, as: UInt16.self))
        guard datagramLength >= 20, datagramLength == packetLength - 20, packetLength + 14 <= wireLength else {
            return nil
        }
        return DecodedFrame(
            transport: .udp, flow: Self.plainFlow(bytes),
            payload: 42..<min(bytes.byteCount, packetLength + 14), payloadWireLength: datagramLength - 8,
            identification: bytes.networkOrder(at: 18), hopLimit: bytes.byte(at: 22), isOutgoing: nil, encapsulation: []
        )
    }

    /// The stream of such a frame of RTP, at a glance: right where the frame is one, anything where it is not.
    /// - Returns: nil where a glance tells that it is none.
    @inline(__always)
    func likelyStream(of bytes: RawSpan) -> StreamIdentity? {
        guard linkType == .ethernet, bytes.byteCount >= 54,
            bytes.networkOrder(at: 12, as: UInt32.self) >> 8 == 0x08_0045
        else { return nil }
        return StreamIdentity(flow: Self.plainFlow(bytes), ssrc: bytes.networkOrder(at: 50))
    }

    @inline(__always)
    private static func plainFlow(_ bytes: RawSpan) -> Flow {
        let ports: UInt32 = bytes.networkOrder(at: 34)
        return Flow(
            source: Endpoint(
                address: IPAddress(v4: bytes.networkOrder(at: 26)), port: UInt16(truncatingIfNeeded: ports >> 16)),
            destination: Endpoint(
                address: IPAddress(v4: bytes.networkOrder(at: 30)), port: UInt16(truncatingIfNeeded: ports)))
    }
}
