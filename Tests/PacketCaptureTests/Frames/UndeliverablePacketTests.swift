import RTPMeter
import Testing

@testable import PacketCapture

/// What is kept of ICMP errors, all of which are refused.
@Suite struct UndeliverablePacketTests {
    private typealias Build = FrameBytes

    private static func error4(_ code: UInt8, type: UInt8 = 3, _ quoted: [UInt8]) -> [UInt8] {
        Build.ethernet(Build.ipv4([type, code, 0, 0, 0, 0, 0, 0] + quoted, number: 1))
    }

    private static func error6(_ code: UInt8, type: UInt8 = 1, _ quoted: [UInt8]) -> [UInt8] {
        Build.ethernet(Build.ipv6([type, code, 0, 0, 0, 0, 0, 0] + quoted, next: 58), type: 0x86DD)
    }

    private static func packet(_ source: IPAddress, _ destination: IPAddress, ssrc: UInt32?) -> UndeliverablePacket {
        UndeliverablePacket(
            flow: Flow(
                source: Endpoint(address: source, port: 4_000), destination: Endpoint(address: destination, port: 5_004)
            ),
            ssrc: ssrc)
    }

    private static func version4(ssrc: UInt32?) -> UndeliverablePacket {
        packet(IPAddress(v4: 0x0A4D_0001), IPAddress(v4: 0x0A4D_0002), ssrc: ssrc)
    }

    private static func version6(ssrc: UInt32?) -> UndeliverablePacket {
        packet(
            IPAddress(high: 0x2001_0DB8_0000_0000, low: 1), IPAddress(high: 0x2001_0DB8_0000_0000, low: 2), ssrc: ssrc)
    }

    private static let quoted4 = Build.ipv4(Build.udp(Build.rtp))
    private static let quoted6 = Build.ipv6(Build.udp(Build.rtp))
    private static let receiverReport: [UInt8] = [0x80, 201, 0, 1, 0, 0, 0, 1, 0x81, 202, 0, 1, 0, 0, 0, 1]

    @Test(
        arguments: [
            (error4(3, quoted4), version4(ssrc: 0x1234_5678)), (error4(1, quoted4), version4(ssrc: 0x1234_5678)),
            (error4(13, Array(quoted4.prefix(40))), version4(ssrc: 0x1234_5678)),
            (error4(3, Array(quoted4.prefix(28))), version4(ssrc: nil)),
            (error6(4, quoted6), version6(ssrc: 0x1234_5678)),
            (error6(0, Array(quoted6.prefix(48))), version6(ssrc: nil)),
            // More fragments, time exceeded, too big, a part of an RTP header, a later fragment, TCP, RTCP, no IP.
            (error4(4, quoted4), nil), (error4(0, type: 11, quoted4), nil), (error6(0, type: 2, quoted6), nil),
            (error4(3, Array(quoted4.prefix(36))), nil),
            (error4(3, Build.ipv4(Build.udp(Build.rtp), fragment: 185)), nil),
            (error4(3, Build.ipv4(Build.tcp([1, 2, 3]), number: 6)), nil),
            (error4(3, Build.ipv4(Build.udp(receiverReport))), nil), (error4(3, [0, 0, 0]), nil),
        ] as [([UInt8], UndeliverablePacket?)])
    func `of a destination that cannot be reached the media that went there are known`(
        frame: [UInt8], packet: UndeliverablePacket?
    ) {
        var decoder = FrameDecoder(linkType: .ethernet)
        let decoded = decoder.decode(frame.span.bytes, wireLength: frame.count, at: ArrivalTime(nanoseconds: 0))
        #expect(decoded == nil && decoder.refused == [.icmpError: 1])
        let taken = [decoder.takeUndeliverable(), decoder.takeUndeliverable()]
        #expect(taken == [packet, nil])
    }

    @Test(arguments: [error4(3, quoted4), error6(4, quoted6)])
    func `an error that is cut anywhere is refused all the same`(frame: [UInt8]) {
        for length in 0..<frame.count {
            var decoder = FrameDecoder(linkType: .ethernet)
            let cut = Array(frame.prefix(length))
            let decoded = decoder.decode(cut.span.bytes, wireLength: frame.count, at: ArrivalTime(nanoseconds: 0))
            #expect(decoded == nil && decoder.refused.values.reduce(0, +) == 1)
        }
    }
}
