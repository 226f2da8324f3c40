import RTPMeter
import Testing

@Suite struct RTCPFeedbackTests {
    /// Kind by kind: packet type, format, what follows the two SSRCs.
    static let kinds: [(type: UInt8, format: UInt8, entries: String, kind: RTCPFeedback.Kind)] = [
        (205, 1, "0064 8003 00c8 0000", .missingPackets(count: 5)),
        (205, 1, "", .missingPackets(count: 0)),
        (205, 3, "0a0b0c0d 0c000400 0a0b0c0d 08000600", .maximumBitRateRequest(bitsPerSecond: 12)),
        (205, 4, "", .maximumBitRateNotification),
        (205, 11, "00000000", .congestionControl),
        (205, 15, "1000 0019 00fb1a 07 2019 0000", .transportWideArrivals(packets: 25)),
        (206, 1, "", .pictureLoss),
        (206, 4, "0a0b0c0d 01000000 0e0f1011 02000000", .fullIntraRequest(sources: [0x0a0b_0c0d, 0x0e0f_1011])),
        (206, 4, "0a0b0c0d", .fullIntraRequest(sources: [])),
        (206, 15, "52454d42 01 0a ffff 0a0b0c0d", .estimatedMaximumBitRate(bitsPerSecond: 0x2_ffff << 2)),
        (206, 15, "52454d42 01 ff ffff 0a0b0c0d", .estimatedMaximumBitRate(bitsPerSecond: .max)),
        (206, 15, "52454d42 01 fc 0000 0a0b0c0d", .estimatedMaximumBitRate(bitsPerSecond: 0)),
        (206, 15, "58585858 00000000", .other(packetType: 206, format: 15)),
        (206, 15, "52454d42", .other(packetType: 206, format: 15)),
        (205, 9, "", .other(packetType: 205, format: 9)),
        (206, 2, "00000000", .other(packetType: 206, format: 2)),
    ]

    @Test(arguments: kinds)
    func `each kind is told apart`(type: UInt8, format: UInt8, entries: String, kind: RTCPFeedback.Kind) {
        let packet = rtcp(type: type, count: format, hex("01020304 0a0b0c0d" + entries))
        let feedback = RTCPFeedback(sender: 0x0102_0304, media: 0x0a0b_0c0d, kind: kind)
        #expect(compound(packet) == RTCPCompound(packets: [.feedback(feedback)]))
    }

    @Test func `a full intra request is about the sources of its entries, all else about the media`() {
        let request = RTCPFeedback.Kind.fullIntraRequest(sources: [3, 4])
        #expect(RTCPFeedback(sender: 1, media: 0, kind: request).sources == [3, 4])
        #expect(RTCPFeedback(sender: 1, media: 2, kind: .fullIntraRequest(sources: [])).sources == [2])
        #expect(RTCPFeedback(sender: 1, media: 2, kind: .pictureLoss).sources == [2])
    }

    @Test(arguments: [(205, 3), (205, 15)] as [(UInt8, UInt8)])
    func `a message without what it should say is an error`(type: UInt8, format: UInt8) {
        let error = RTCPError(.missing(.feedback, needed: 20, found: 12), at: 0)
        #expect(
            compound(rtcp(type: type, count: format, hex("01020304 0a0b0c0d")))
                == RTCPCompound(packets: [], error: error))
    }
}
