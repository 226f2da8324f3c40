import Foundation
import RTPMeter
import TestSupport
import Testing

@Suite(SharedData.required) struct RTCPCaptureTests {
    /// Datagrams of RTCP, and the packets in them by type, as tshark counts them.
    static let captures: [(file: String, types: [UInt8: Int])] = [
        ("captures/asterisk-crash-27382.pcap", [200: 2, 201: 2, 202: 2]),
        ("captures/ndpi-rtcp_multiple_pkts_in_the_same_datagram.pcap", [200: 3, 201: 2, 202: 5]),
        ("captures/packetnet-ipv6_rtcp1.pcap", [203: 1]),
        ("captures/packetnet-ipv6_rtcp2.pcap", [200: 1, 202: 1]),
        ("captures/rtpproxy-rtcp.o.pcap", [200: 1, 202: 1]),
        ("captures/sngrep-aaa.pcap", [200: 1, 202: 1, 203: 1]),
    ]

    private func type(_ packet: RTCPPacket) -> UInt8 {
        switch packet {
        case .senderReport: 200
        case .receiverReport: 201
        case .sourceDescription: 202
        case .goodbye: 203
        case .applicationDefined: 204
        case .feedback(let feedback): if case .other(let type, _) = feedback.kind { type } else { 205 }
        case .extendedReport: 207
        case .encrypted(let type, _), .unknown(let type): type
        }
    }

    private func datagrams(_ file: String) throws -> [[UInt8]] {
        try CapturedPayloads(file).payloads.filter { packetClass($0) == .rtcp }
    }

    @Test(arguments: captures) func `agrees with tshark on the packets`(file: String, types: [UInt8: Int]) throws {
        var found: [UInt8: Int] = [:]
        for packet in try datagrams(file).flatMap({ compound($0).packets }) {
            found[type(packet), default: 0] += 1
        }
        #expect(found == types)
    }

    /// The second receiver report of this capture has no block, which once brought a telephone exchange down.
    @Test func `an empty receiver report between others is no error`() throws {
        let found = try datagrams("captures/asterisk-crash-27382.pcap").map { compound($0) }
        #expect(found.map(\.error) == [nil, nil])
        #expect(found.last?.packets[1] == .receiverReport(ReceiverReport(ssrc: 0x6a1b_26d7)))
        #expect(
            found.last?.packets[2]
                == .sourceDescription([SourceDescription(ssrc: 0x6a1b_26d7, canonicalName: "nr")]))
    }

    @Test(arguments: captures.map(\.file)) func `cut at every length and flipped at every byte`(file: String) throws {
        for datagram in try datagrams(file) {
            for length in 0...datagram.count {
                let cut = Array(datagram.prefix(length))
                #expect(compound(cut, wireLength: datagram.count).packets.count <= compound(datagram).packets.count)
                _ = compound(cut)
            }
            for place in datagram.indices {
                var flipped = datagram
                flipped[place] ^= 0xff
                let answer = compound(flipped)
                #expect(!answer.packets.isEmpty || answer.error != nil)
            }
        }
    }

    /// Whatever a network carries is classified and read without a trap: names, files, media, tunnels, damaged packets.
    @Test func `everything that was ever captured can be read as anything`() throws {
        let folder = SharedData.url("captures").path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count > 50)
        for file in files where file.hasSuffix(".pcap") {
            for payload in try CapturedPayloads("captures/\(file)", atMost: 1000).payloads {
                let answer = compound(payload)
                #expect(!answer.packets.isEmpty || answer.error != nil)
                _ = try? header(payload)
                _ = packetClass(payload)
            }
        }
    }

    /// linphone sends a receiver's reference time with every report, and nobody answers it.
    @Test func `a call of ours with extended reports`() throws {
        let datagrams = try datagrams("sip/s12-linphone-rtcpxr-loss5-jitter20.callee.pcap")
        let found = datagrams.map { compound($0) }
        #expect(found.count >= 10)
        #expect(found.allSatisfy { $0.error == nil })
        let blocks = found.flatMap(\.packets).compactMap { packet -> [ExtendedReport.Block]? in
            guard case .extendedReport(let report) = packet else { return nil }
            return report.blocks
        }
        #expect(!blocks.isEmpty)
        #expect(
            blocks.allSatisfy {
                guard case .receiverReferenceTime(let time)? = $0.first else { return false }
                return $0.count == 1 && time != 0
            })
    }

    /// baresip over a wire that delays each way by 20 ms; captured beside the callee, which is next to nothing away.
    @Test func `the round trips of a call of ours`() throws {
        let capture = try CapturedPayloads("sip/s5-baresip-pcma-clean.callee.pcap")
        var estimator = RoundTripEstimator()
        var trips: [UInt32: [Double]] = [:]
        for (payload, time) in zip(capture.payloads, capture.times) where packetClass(payload) == .rtcp {
            for case .senderReport(let report) in compound(payload).packets {
                estimator.noteSenderReport(ssrc: report.ssrc, ntpMiddle: report.ntpMiddle, at: time)
                for block in report.reports {
                    estimator.roundTrip(block, at: time).map { trips[report.ssrc, default: []].append($0) }
                }
            }
        }
        let halves = trips.values.sorted { ($0.max() ?? 0) < ($1.max() ?? 0) }
        #expect(halves.map(\.count) == [4, 5])
        #expect(halves.first?.allSatisfy { 0.0...0.002 ~= $0 } == true)
        #expect(halves.last?.allSatisfy { 0.039...0.042 ~= $0 } == true)
    }
}
