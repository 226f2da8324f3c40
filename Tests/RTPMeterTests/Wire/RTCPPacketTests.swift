import RTPMeter
import Testing

@Suite struct RTCPPacketTests {
    private let block = ReportBlock(
        ssrc: 0x0a0b_0c0d, fractionLost: 64, cumulativeLost: 255, highestSequence: 0x2_abcd, jitterTicks: 85,
        lastSenderReport: 0xfc76_d123, delaySinceLastSenderReport: 0x2_0000)

    @Test func `every field of a sender report`() {
        let report = SenderReport(
            ssrc: 0x0102_0304, ntpTimestamp: 0xeb1f_c0de_1234_5678, rtpTimestamp: 654_080, packetCount: 1000,
            octetCount: 160_000, reports: [block])
        #expect(compound(Sample.senderReport) == RTCPCompound(packets: [.senderReport(report)]))
        #expect(report.ntpMiddle == 0xc0de_1234)
    }

    @Test func `every block of a receiver report`() {
        let report = ReceiverReport(ssrc: 0x0506_0708, reports: [block, block])
        #expect(compound(Sample.receiverReport) == RTCPCompound(packets: [.receiverReport(report)]))
    }

    @Test func `an empty receiver report`() {
        #expect(compound(hex("80c90001 00000000")) == RTCPCompound(packets: [.receiverReport(.init(ssrc: 0))]))
    }

    /// RFC 3550, section 6.4.1: a signed number of 24 bits.
    @Test(
        arguments: [
            ("000000", 0), ("000001", 1), ("7fffff", 8_388_607), ("800000", -8_388_608), ("ffffff", -1),
        ] as [(String, Int32)])
    func `lost packets have a sign, which takes nothing from the fraction`(bytes: String, lost: Int32) {
        for fraction in [0, 128, 255] as [UInt8] {
            let body = hex("01020304 0a0b0c0d") + [fraction] + hex(bytes + "00000000 00000000 00000000 00000000")
            let expected = ReportBlock(
                ssrc: 0x0a0b_0c0d, fractionLost: fraction, cumulativeLost: lost, highestSequence: 0, jitterTicks: 0,
                lastSenderReport: 0, delaySinceLastSenderReport: 0)
            #expect(
                compound(rtcp(type: 201, count: 1, body)).packets
                    == [.receiverReport(ReceiverReport(ssrc: 0x0102_0304, reports: [expected]))])
        }
    }

    @Test func `a source description gives canonical names only`() {
        #expect(
            compound(Sample.description)
                == RTCPCompound(packets: [
                    .sourceDescription([
                        SourceDescription(ssrc: 0x0102_0304, canonicalName: "a@b.c"),
                        SourceDescription(ssrc: 0x0a0b_0c0d, canonicalName: nil),
                    ])
                ]))
    }

    @Test func `a canonical name may come last, be empty, or not be text`() {
        let last = rtcp(type: 202, count: 1, hex("00000001 06 01 78 01 00 00 0000"))
        #expect(compound(last).packets == [.sourceDescription([.init(ssrc: 1, canonicalName: "")])])
        let binary = rtcp(type: 202, count: 1, hex("00000001 01 01 ff 00"))
        #expect(compound(binary).packets == [.sourceDescription([.init(ssrc: 1, canonicalName: "\u{fffd}")])])
    }

    @Test func `a goodbye with a reason`() {
        #expect(
            compound(Sample.goodbye)
                == RTCPCompound(packets: [.goodbye(Goodbye(sources: [0x0102_0304, 0x0a0b_0c0d], reason: "bye"))]))
    }

    @Test func `a goodbye without a reason, and without anybody`() {
        #expect(compound(hex("81cb0001 477f2b32")).packets == [.goodbye(Goodbye(sources: [0x477f_2b32]))])
        #expect(compound(hex("81cb0002 477f2b32 00000000")).packets == [.goodbye(Goodbye(sources: [0x477f_2b32]))])
        #expect(compound(hex("80cb0000")) == RTCPCompound(packets: [.goodbye(Goodbye(sources: []))]))
    }

    @Test func `an application's packet is named, its data counted`() {
        #expect(
            compound(Sample.application)
                == RTCPCompound(packets: [
                    .applicationDefined(
                        ApplicationDefined(ssrc: 0x0102_0304, subtype: 5, name: "bare", dataBytes: 8))
                ]))
    }

    @Test(arguments: [192, 195, 208, 223] as [UInt8]) func `other types are told by number`(type: UInt8) {
        #expect(compound([0x80, type, 0, 0]) == RTCPCompound(packets: [.unknown(packetType: type)]))
    }
}
