import Foundation
import RTPMeter
import TestSupport
import Testing

@testable import PacketCapture

/// What real captures hold, against tshark.
@Suite(SharedData.required) struct RecordedFramesTests {
    /// What a whole file decodes to.
    struct Tally {
        var frames = 0
        var datagrams = 0
        var segments = 0
        var portSum = 0
        var encapsulations: [UInt16: Int] = [:]
        var payloadBytes = 0
        var capturedBytes = 0
        var outgoing: [Bool?: Int] = [:]
        var decoder: FrameDecoder
        var end: FrameLoopEnd?

        init(_ path: String) throws {
            var file = try CaptureFile(path: path)
            var decoder = FrameDecoder(linkType: file.linkType)
            self.decoder = decoder
            end = file.forEachFrame { (bytes, wireLength, time) throws(Never) in
                frames += 1
                if let frame = decoder.decode(bytes, wireLength: wireLength, at: time) { count(frame) }
                return .more
            }
            self.decoder = decoder
        }

        private mutating func count(_ frame: DecodedFrame) {
            if frame.transport == .udp { datagrams += 1 } else { segments += 1 }
            portSum += Int(frame.flow.source.port) + Int(frame.flow.destination.port)
            encapsulations[frame.encapsulation.rawValue, default: 0] += 1
            payloadBytes += frame.payloadWireLength
            capturedBytes += frame.payload.count
            outgoing[frame.isOutgoing, default: 0] += 1
        }
    }

    private func tally(_ name: String) throws -> Tally { try Tally(SharedData.url("captures/\(name)").path) }

    /// Where tshark counts something else, and why we do not.
    static let differences = [
        // The UDP header claims 57,343 bytes in an IP packet of 37 (tshark: "bogus"). Every receiver drops it (RFC 768:
        // the length includes header and data), so it was never heard.
        "captures/tcpdump-rtp-seg-fault-1.pcapng": RecordedFrames.Expected(
            "captures/tcpdump-rtp-seg-fault-1.pcapng", 1, 0, 0, 0)
    ]

    @Test(arguments: RecordedFrames.all) func `the innermost datagrams are those that tshark finds`(
        expected: RecordedFrames.Expected
    ) throws {
        let tally = try Tally(SharedData.url(expected.file).path)
        let seen = RecordedFrames.Expected(
            expected.file, tally.frames, tally.datagrams, tally.segments, tally.portSum)
        #expect(seen == (Self.differences[expected.file] ?? expected))
        #expect(tally.end == .endOfFile)
        let refused = tally.decoder.refused.values.reduce(0, +)
        #expect(tally.frames == tally.datagrams + tally.segments + refused + tally.decoder.heldFragments)
    }

    @Test func `SIP over IPv6 fragments is put together`() throws {
        let tally = try tally("sngrep-ipv6frag.pcap")
        #expect(tally.encapsulations == [0: 30, Encapsulation.fragments.rawValue: 2])
        #expect(tally.decoder.fragmentFates == FragmentTable.Fates(assembled: 2))
        #expect(tally.decoder.heldFragments == 2)
    }

    @Test func `tunnels of real networks are taken off`() throws {
        let gtp = try tally("ndpi-false_positives.pcapng")
        #expect(
            gtp.encapsulations == [0: 6, Encapsulation.vlan.rawValue: 60, Encapsulation([.vlan, .gtp]).rawValue: 54])
        #expect(try tally("ndpi-gre.pcapng").encapsulations == [Encapsulation([.vlan, .gre, .ppp]).rawValue: 1])
        #expect(try tally("sngrep-ipip.pcap").encapsulations == [0: 2, Encapsulation.ipInIP.rawValue: 2])
    }

    @Test func `packets that ICMP errors quote are not counted`() throws {
        let tally = try tally("rtpproxy-srtp1.o.rtp.pcap")
        #expect(tally.datagrams == 246)
        #expect(tally.decoder.refused == [.icmpError: 5])
    }

    @Test func `TURN channels of Signal lead to their media`() throws {
        let tally = try tally("ndpi-stun_signal.pcapng")
        #expect(tally.encapsulations[Encapsulation.turn.rawValue] != nil)
        #expect(tally.decoder.refused == [.icmpError: 53])
    }

    @Test func `a capture of the device "any" says what was sent`() throws {
        #expect(try tally("hdiniz-sample1_ipv4_amr-nb.pcap").outgoing == [true: 525, false: 1938])
    }

    @Test func `truncated frames keep the length they had`() throws {
        let tally = try tally("zoomanalysis-zoom_test.pcap")
        #expect(tally.datagrams == 64)
        #expect(tally.payloadBytes == 23_959)
        // By tshark: the smaller of "UDP length - 8" and "captured length - 42" of each frame.
        #expect(tally.capturedBytes == 4548)
    }
}
