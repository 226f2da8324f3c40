import RTPMeter
import Testing

@Suite struct RTCPCompoundTests {
    private func packets(_ bytes: [UInt8]) -> [RTCPPacket] { compound(bytes).packets }

    @Test func `several packets in one datagram, and several compounds in a row`() {
        let one = Sample.senderReport + Sample.description
        let expected = packets(Sample.senderReport) + packets(Sample.description)
        #expect(compound(one) == RTCPCompound(packets: expected))
        #expect(compound(one + one + Sample.goodbye).packets == expected + expected + packets(Sample.goodbye))
    }

    @Test func `padding belongs to no packet`() {
        var goodbye = Sample.goodbye + hex("00000004")
        goodbye[0] |= 0b0010_0000
        goodbye[3] += 1
        #expect(compound(Sample.senderReport + goodbye).packets.last == packets(Sample.goodbye).first)
        #expect(compound(goodbye).error == nil)
    }

    @Test(arguments: [0, 17, 255] as [UInt8]) func `padding that cannot be true is an error`(count: UInt8) {
        var bytes = Sample.goodbye
        bytes[0] |= 0b0010_0000
        bytes[15] = count
        #expect(
            compound(bytes).error
                == RTCPError(.impossiblePadding(announced: Int(count), available: 12), at: 0))
    }

    @Test func `a report that announces more blocks than it holds gives those it has`() {
        var bytes = Sample.receiverReport
        bytes[0] = 0x83
        let missing = RTCPError(.missing(.reportBlock, needed: 80, found: 56), at: 52)
        #expect(
            compound(Sample.senderReport + bytes + Sample.goodbye)
                == RTCPCompound(
                    packets: packets(Sample.senderReport) + packets(Sample.receiverReport) + packets(Sample.goodbye),
                    error: missing))
        #expect(
            missing.description
                == "RTCP packet at byte 52: ends after 56 bytes, inside its report block, expected 80")
    }

    /// What lies behind a packet that can be read, and what is said about it.
    static let ends: [(String, RTCPError.Problem, words: String)] = [
        ("80c9", .incompleteHeader(found: 2), "2 bytes left, expected at least the 4 of a packet header"),
        ("00c90000", .unsupportedVersion(0), "version 0, expected 2; the datagram may be encrypted (SRTCP)"),
        (
            "80600000", .foreignPacketType(96),
            "packet type 96, expected 192 to 223; the datagram may be encrypted (SRTCP)"
        ),
        (
            "80c8ffff 00000000", .tooLong(announced: 262_144, available: 8),
            "says it is 262144 bytes long, expected at most the 8 that the datagram has left"
        ),
        (
            "80c80001 00000000", .missing(.senderInformation, needed: 28, found: 8),
            "ends after 8 bytes, inside its sender information, expected 28"
        ),
        (
            "80c90000", .missing(.sender, needed: 8, found: 4),
            "ends after 4 bytes, inside its sender's SSRC, expected 8"
        ),
        (
            "80cf0000", .missing(.sender, needed: 8, found: 4),
            "ends after 4 bytes, inside its sender's SSRC, expected 8"
        ),
        (
            "80cc0001 00000000", .missing(.name, needed: 12, found: 8),
            "ends after 8 bytes, inside its application's name, expected 12"
        ),
        (
            "81ce0001 00000000", .missing(.mediaSource, needed: 12, found: 8),
            "ends after 8 bytes, inside its SSRC of the media, expected 12"
        ),
    ]

    @Test(arguments: ends)
    func `what was read before an error counts`(bytes: String, problem: RTCPError.Problem, words: String) {
        let error = RTCPError(problem, at: 16)
        #expect(
            compound(Sample.goodbye + hex(bytes))
                == RTCPCompound(packets: packets(Sample.goodbye), error: error))
        #expect(error.description == "RTCP packet at byte 16: \(words)")
    }

    @Test func `lists and texts that end early give what they have`() {
        #expect(
            compound(hex("83cb0002 00000001 00000002"))
                == RTCPCompound(
                    packets: [.goodbye(Goodbye(sources: [1, 2]))],
                    error: RTCPError(.missing(.sources, needed: 16, found: 12), at: 0)))
        #expect(
            compound(hex("81cb0002 00000001 04616263"))
                == RTCPCompound(
                    packets: [.goodbye(Goodbye(sources: [1]))],
                    error: RTCPError(.missing(.reason, needed: 13, found: 12), at: 0)))
        #expect(
            compound(hex("82ca0002 00000001 01026162"))
                == RTCPCompound(
                    packets: [.sourceDescription([.init(ssrc: 1, canonicalName: "ab")])],
                    error: RTCPError(.missing(.item, needed: 13, found: 12), at: 0)))
    }

    @Test func `an empty datagram is an incomplete header`() {
        #expect(compound([]) == RTCPCompound(packets: [], error: RTCPError(.incompleteHeader(found: 0), at: 0)))
    }

    @Test func `a capture that cut the datagram gives the blocks that are whole`() {
        let datagram = Sample.senderReport + Sample.receiverReport
        let cut = compound(Array(datagram.prefix(90)), wireLength: datagram.count)
        guard case .receiverReport(let report) = cut.packets.last else {
            Issue.record("no receiver report in \(cut)")
            return
        }
        #expect(cut.packets.count == 2)
        #expect(report.reports.count == 1)
        let error = RTCPError(.notCaptured(length: 56, captured: 38), at: 52)
        #expect(cut.error == error)
        #expect(error.description == "RTCP packet at byte 52: only 38 of its 56 bytes were captured")
    }

    @Test func `an encrypted datagram says who sent what first`() {
        let datagram = Sample.senderReport + hex("80000001 00112233445566778899")
        #expect(
            compound(datagram, isEncrypted: true)
                == RTCPCompound(packets: [.encrypted(packetType: 200, sender: 0x0102_0304)]))
        #expect(!fitsExactly(datagram))
        #expect(fitsExactly(Sample.senderReport + Sample.goodbye))
        #expect(!fitsExactly([]))
        #expect(!fitsExactly(Array(Sample.senderReport.prefix(3)), wireLength: 52))
    }

    @Test(arguments: [(0, 0), (2, 2), (4, 4), (14, 14)]) func `what is behind the last packet is told`(
        zeros: Int, behind: Int
    ) {
        let bytes = Sample.senderReport + Sample.goodbye + [UInt8](repeating: 0, count: zeros)
        #expect(bytesBehind(bytes) == behind)
        #expect(bytesBehind([UInt8](repeating: 0, count: zeros)) == nil)
    }
}
