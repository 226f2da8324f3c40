import CallModel
import Foundation
import RTPMeter
import TestSupport
import Testing

@testable import PacketCapture

/// What an attacker, or a broken capture, may do to a probe.
@Suite struct HostileProbeTests {
    @Test func `a flood of packets that only look like media fills no table`() {
        var probe = WireProbe(linkType: .ethernet)
        var random = RandomSource(seed: 1)
        var script = ProbeScript()
        let here = ProbeScript.Place(0x0A00_0001, 6_000)
        let flood = WireProbe.mostCandidates + 1_000
        for index in 0..<flood {
            let there = ProbeScript.Place(UInt32(truncatingIfNeeded: random.next()), UInt16(1_024 + index % 60_000))
            script.media(
                ProbeScript.Media(
                    ssrc: UInt32(truncatingIfNeeded: random.next()), from: there, to: here, start: Double(index) * 1e-6,
                    packets: 1, payloadBytes: 20))
        }
        script.play(into: &probe)
        #expect(probe.candidates.count == WireProbe.mostCandidates)
        #expect(probe.index.count == probe.candidates.count)
        #expect(probe.streams.count == 0)
        // Ten quiet seconds later nothing of it is left, and a stream is taken as ever.
        var after = ProbeScript()
        after.media(
            ProbeScript.Media(ssrc: 7, from: ProbeScript.caller, to: here, start: 10, packets: 100))
        after.play(into: &probe)
        #expect(probe.candidates.count == 0)
        #expect(probe.index.count == 1)
        let run = ProbeRun(ending: &probe)
        #expect(run.streams.map { WireProbeCallTests.words($0) } == ["7 100 lost 0 repeated 0 twice 0"])
        #expect(run.figures.rejectedRTPPackets == flood)
    }

    @Test func `streams that come and go leave nothing behind`() {
        var probe = WireProbe(linkType: .ethernet)
        // As a message of SIP does.
        #expect(probe.callsWithoutSignalling(at: [Endpoint]()) == [])
        var script = ProbeScript()
        for index in 0..<UInt32(300) {
            var media = ProbeScript.Media(
                ssrc: index, from: ProbeScript.Place(0x0A00_0000 + index, 4_000),
                to: ProbeScript.Place(0x0B00_0000 + index, 6_000), start: Double(index), packets: 20)
            script.media(media)
            // Every other one changes its port on the way.
            guard index % 2 == 0 else { continue }
            (media.from.port, media.skip, media.start) = (4_002, 20, media.start + 0.4)
            script.media(media)
        }
        script.play(into: &probe)
        probe.advance(to: ArrivalTime(nanoseconds: ProbeScript.epoch + 400_000_000_000))
        #expect(probe.streams.count == 0)
        #expect(probe.calls.count == 0)
        #expect(probe.index.count == 0)
        #expect(probe.placesBySSRC.isEmpty)
        #expect(probe.flowOwners.isEmpty)
        #expect(probe.aliases.isEmpty)
        #expect(probe.terms.isEmpty)
        #expect(probe.control.isEmpty)
        #expect(probe.pairedCalls.isEmpty)
        #expect(probe.placedCalls.isEmpty)
        #expect(ProbeRun(ending: &probe).figures.calls == 300)
    }

    @Test func `a sender that changes its port again and again is one stream, and takes little room`() {
        var probe = WireProbe(linkType: .ethernet)
        var script = ProbeScript()
        for change: UInt16 in 0..<100 {
            var media = ProbeScript.Media(
                ssrc: 7, from: ProbeScript.Place(0x0A00_0001, 4_000 + 2 * change),
                to: ProbeScript.Place(0x0B00_0001, 6_000), start: 0.4 * Double(change), packets: 20)
            media.skip = 20 * Int(change)
            script.media(media)
        }
        script.play(into: &probe)
        #expect(probe.aliases.values.map(\.count) == [WireProbe.mostAliases])
        #expect(probe.index.count == 1 + WireProbe.mostAliases)
        let run = ProbeRun(ending: &probe)
        #expect(run.streams.map { WireProbeCallTests.words($0) } == ["7 2000 lost 0 repeated 0 twice 0"])
    }

    @Test func `beyond the most streams, packets are counted and not followed`() {
        var probe = WireProbe(linkType: .ethernet)
        probe.mostStreams = 10
        var script = ProbeScript()
        for index in 0..<UInt32(20) {
            script.media(
                ProbeScript.Media(
                    ssrc: index, from: ProbeScript.Place(0x0A00_0001 + index, 4_000),
                    to: ProbeScript.Place(0x0B00_0001 + index, 6_000), start: 0.2 * Double(index), packets: 5))
        }
        script.play(into: &probe)
        #expect(probe.streams.count == 10)
        let run = ProbeRun(ending: &probe)
        #expect(run.streams.map(\.ssrc).sorted() == Array(0..<10))
        #expect(run.figures.refused == ["RTP: more streams than are followed": 50])
        #expect(run.figures.rejectedRTPPackets == 0)
    }

    @Test func `one end of a call has only so many streams`() {
        var script = ProbeScript()
        let flood = WireProbe.mostStreamsAtEnd + 10
        for index in 0..<flood {
            script.media(
                ProbeScript.Media(
                    ssrc: UInt32(index), from: ProbeScript.Place(0x0A00_0001, 4_000),
                    to: ProbeScript.Place(0x0B00_0001, 6_000), start: Double(index) * 0.0005, packets: 3))
        }
        let run = script.run()
        #expect(run.streams.count == WireProbe.mostStreamsAtEnd)
        #expect(run.figures.streams == WireProbe.mostStreamsAtEnd)
        #expect(run.figures.refused == ["RTP: more streams than are followed": 30])
    }

    private static let small = [
        "sipp-dtmf_2833_1.pcap", "ndpi-gre.pcapng", "sngrep-ipip.pcap", "sngrep-ipv6frag.pcap", "pcpp-sdp.pcap",
        "tcpdump-rtp-seg-fault-1.pcapng", "tcpdump-rtp-seg-fault-2.pcapng", "zoomanalysis-zoom_test.pcap",
        "ndpi-rtcp_multiple_pkts_in_the_same_datagram.pcap", "heplify-ipip0.pcap", "packetnet-ipv6_rtcp2.pcap",
        "ndpi-stun_dtls_rtp_unidir.pcapng",
    ]

    @Test(SharedData.required, arguments: small)
    func `frames cut at every length and with every byte turned are survived`(name: String) throws {
        let (linkType, frames) = try Self.frames(of: name, atMost: 3_000)
        var probe = WireProbe(linkType: linkType)
        var nanoseconds = ProbeScript.epoch
        for frame in frames {
            for length in 0...frame.count {
                nanoseconds += 1_000_000
                let time = ArrivalTime(nanoseconds: nanoseconds)
                probe.take(Array(frame[..<length]).span.bytes, wireLength: frame.count, at: time)
                probe.take(Array(frame[..<length]).span.bytes, wireLength: length, at: time)
                guard length < frame.count else { continue }
                for mask in [0xFF, 1 << UInt8(length % 8)] as [UInt8] {
                    var turned = frame
                    turned[length] ^= mask
                    probe.take(turned.span.bytes, wireLength: turned.count, at: time)
                }
            }
        }
        let run = ProbeRun(ending: &probe)
        for stream in run.streams {
            #expect(stream.count(.packetsLost) >= 0)
            #expect(stream.count(.packetsReceived) >= 0)
        }
    }

    @Test(
        SharedData.required,
        arguments: [
            "ndpi-FAX-Call-t38-CA-TDM-SIP-FB-1.pcap", "hdiniz-sample1_ipv4_amr-nb.pcap", "ndpi-stun_wa_call.pcapng",
        ])
    func `the same capture is told the same way twice`(name: String) throws {
        let once = try ProbeRun(CaptureTruth.capture(name))
        let again = try ProbeRun(CaptureTruth.capture(name))
        #expect(once.told == again.told)
        #expect(once.figures == again.figures)
    }

    @Test(SharedData.required) func `times that run backwards do no harm`() throws {
        let (linkType, frames) = try Self.frames(of: "rtpproxy-lost.a.rtp.pcap", atMost: 15_000)
        var probe = WireProbe(linkType: linkType)
        let times: [Int64] = [.max, 0, .min, ProbeScript.epoch, -1, .max - 1, .min + 1]
        for (index, frame) in frames.enumerated() {
            probe.take(
                frame.span.bytes, wireLength: frame.count, at: ArrivalTime(nanoseconds: times[index % times.count]))
        }
        let run = ProbeRun(ending: &probe)
        #expect(run.streams.allSatisfy { $0.count(.packetsLost) >= 0 })
    }

    @Test func `what is expected changes nothing, whether it comes or not`() {
        var script = ProbeScript()
        // As many streams as make a probe look ahead.
        for number: UInt16 in 0..<4_200 {
            script.media(
                ProbeScript.Media(
                    ssrc: UInt32(number) << 8, from: ProbeScript.Place(0xC000_0201, 4_000 + number),
                    to: ProbeScript.Place(0xC633_6402, 6_000 + number), start: Double(number) / 100_000, packets: 5))
        }
        let frames = script.frames.sorted { $0.nanoseconds < $1.nanoseconds }
        var random = RandomSource(seed: 5)
        var probe = WireProbe(linkType: .ethernet)
        var expecting = WireProbe(linkType: .ethernet)
        for (index, frame) in frames.enumerated() {
            let time = ArrivalTime(nanoseconds: frame.nanoseconds)
            probe.take(frame.bytes.span.bytes, wireLength: frame.bytes.count, at: time)
            expecting.take(frame.bytes.span.bytes, wireLength: frame.bytes.count, at: time)
            var coming = frames[min(index + 16, frames.count - 1)].bytes
            // Some are not what will come, some are cut, some are nothing.
            if index % 3 == 0 { coming[Int.random(in: 0..<coming.count, using: &random)] ^= 0xFF }
            if index % 5 == 0 { coming = Array(coming.prefix(Int.random(in: 0...60, using: &random))) }
            expecting.expect(coming.span.bytes)
        }
        let run = ProbeRun(ending: &probe)
        let expected = ProbeRun(ending: &expecting)
        #expect(run.figures.streams == 4_200)
        #expect(run.figures == expected.figures)
        #expect(run.told == expected.told)
    }

    /// The first frames of a capture, until they are so many bytes.
    private static func frames(of name: String, atMost limit: Int) throws -> (LinkType, [[UInt8]]) {
        var capture = try CaptureFile(path: CaptureTruth.capture(name).path)
        var frames: [[UInt8]] = []
        var bytes = 0
        _ = capture.forEachFrame { frame, _, _ in
            frames.append((0..<frame.byteCount).map { frame.byte(at: $0) })
            bytes += frame.byteCount
            return bytes < limit ? .more : .enough
        }
        return (capture.linkType, frames)
    }
}
