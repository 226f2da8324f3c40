import RTPMeter
import Testing

@Suite struct PacketClassTests {
    /// The table of RFC 7983, section 7, for a first packet of RTP that could be none of RTCP.
    private func expected(first: UInt8) -> PacketClass {
        switch first {
        case 0...3: .stun
        case 16...19: .zrtp
        case 20...63: .dtls
        case 64...79: .turnChannel
        case 128...191: .rtp
        default: .unknown
        }
    }

    @Test(arguments: UInt8.min...UInt8.max) func `the first byte tells the protocol`(first: UInt8) {
        #expect(packetClass([first] + Sample.plain.dropFirst()) == expected(first: first))
    }

    /// RFC 5761, section 4: 192...223 is RTCP, and their payload types 64...95 are never RTP.
    @Test(arguments: UInt8.min...UInt8.max) func `the second byte tells RTP from RTCP`(second: UInt8) {
        let packet = [0x80, second] + hex("0002 01020304 01020304")
        let expected: PacketClass =
            switch second {
            case 192...223: .rtcp
            case 64...95: .unknown
            default: .rtp
            }
        #expect(packetClass(packet) == expected)
    }

    @Test func `RTCP must have room for what its length says, and for an SSRC`() {
        #expect(packetClass(hex("80c90001 01020304")) == .rtcp)
        #expect(packetClass(hex("80c90002 01020304")) == .unknown)
        #expect(packetClass(hex("80c90002"), wireLength: 12) == .rtcp)
        #expect(packetClass(hex("abd20000 00010000 00000000 01310131")) == .unknown, "a question to a name server")
        #expect(packetClass(hex("80c900")) == .unknown)
    }

    @Test func `RTP must have room for a header`() {
        #expect(packetClass(Array(Sample.plain.prefix(12))) == .rtp)
        #expect(packetClass(Array(Sample.plain.prefix(11))) == .unknown)
        #expect(packetClass(Sample.plain, wireLength: 11) == .unknown)
        #expect(packetClass([0x80]) == .unknown)
        #expect(packetClass([]) == .unknown)
    }

    @Test func `text is none of them`() {
        #expect(packetClass(Array("REGISTER sip:example.org".utf8)) == .unknown)
        #expect(packetClass(Array("\r\n\r\n".utf8)) == .unknown)
    }
}
