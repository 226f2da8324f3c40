import RTPMeter
import Testing

@Suite struct PacketClassTests {
    /// The table of RFC 7983, section 7, for a first packet of RTP that could be none of RTCP, and none of STUN.
    private func expected(first: UInt8) -> PacketClass {
        switch first {
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

    /// 8 bytes of attributes behind the header of 20.
    private static let binding = hex("0101 0008 2112a442 0102030405060708090a0b0c 80220004 74657374")

    @Test(arguments: 0...3 as ClosedRange<UInt8>) func `STUN has the magic cookie`(first: UInt8) {
        let packet = [first] + Self.binding.dropFirst()
        #expect(packetClass(packet) == .stun)
        #expect(packetClass(packet + [0]) == .stun, "bytes behind the message")
        #expect(packetClass(Array(packet.prefix(8)), wireLength: 40) == .stun, "cut by the snap length")
        #expect(packetClass(Array(packet.prefix(7)), wireLength: 40) == .unknown)
    }

    /// RFC 3489 has no cookie: its length must be that of the datagram.
    @Test func `classic STUN has the length it says`() {
        var packet = Self.binding
        packet[4] = 0x22
        #expect(packetClass(packet) == .stun)
        #expect(packetClass(Array(packet.prefix(4)), wireLength: packet.count) == .stun)
        #expect(packetClass(Array(packet.prefix(3)), wireLength: packet.count) == .unknown)
        #expect(packetClass(packet + [0]) == .unknown)
        #expect(packetClass(Array(packet.dropLast())) == .unknown)
    }

    @Test(arguments: [
        ("Geneve", "0000 6558 00006400 020000000001 020000000002 0800 4500"),
        ("L2TP", "0002 1234 5678 ff03 0021 4500"),
        ("TZSP", "0100 0001 01 020000000001 020000000002 0800 4500 0054"),
        ("IKE behind ESP's marker", "00000000 0102030405060708 0000000000000000 2120 2208 00000000 00000040"),
        ("multicast DNS", "0000 8400 00000001 00000000 056c6f63616c00"),
        ("one zero", "00"),
    ]) func `what only begins as STUN does is not STUN`(name: String, digits: String) {
        #expect(packetClass(hex(digits)) == .unknown, "\(name)")
    }

    @Test func `text is none of them`() {
        #expect(packetClass(Array("REGISTER sip:example.org".utf8)) == .unknown)
        #expect(packetClass(Array("\r\n\r\n".utf8)) == .unknown)
    }
}
