import RTPMeter
import TestSupport
import Testing

@testable import PacketCapture

@Suite struct FrameDecoderTests {
    typealias Build = FrameBytes

    @Test(arguments: FrameSample.all) func `every link layer and tunnel leads to the same payload`(
        sample: FrameSample
    ) throws {
        let decoder = ArrayDecoder(linkType: sample.link)
        let decoded = try #require(decoder.decode(sample.bytes))
        let start = decoded.frame.payload.lowerBound
        let ports: (UInt16, UInt16) = sample.transport == .udp ? (4000, 5004) : (40_000, 5060)
        let addresses =
            sample.isIPv6
            ? (IPAddress(high: 0x2001_0DB8_0000_0000, low: 1), IPAddress(high: 0x2001_0DB8_0000_0000, low: 2))
            : (IPAddress(v4: 0x0A4D_0001), IPAddress(v4: 0x0A4D_0002))
        let expected = DecodedFrame(
            transport: sample.transport,
            flow: Flow(
                source: Endpoint(address: addresses.0, port: ports.0),
                destination: Endpoint(address: addresses.1, port: ports.1)),
            payload: start..<start + sample.payload.count, payloadWireLength: sample.payload.count,
            identification: sample.isIPv6 ? 0 : 0x0102, hopLimit: sample.isIPv6 ? 63 : 64,
            isOutgoing: sample.isOutgoing, encapsulation: sample.encapsulation)
        #expect(decoded == DecodedPayload(frame: expected, payload: sample.payload))
        #expect(decoder.refused == [:])
    }

    // MARK: Damage

    /// What the snap length does: the frame ends, its wire length stays.
    @Test(arguments: FrameSample.all) func `a frame cut at any length is read as far as it goes, or refused as cut`(
        sample: FrameSample
    ) {
        for length in 0..<sample.bytes.count {
            let decoder = ArrayDecoder(linkType: sample.link)
            guard let decoded = decoder.decode(Array(sample.bytes[..<length]), wireLength: sample.bytes.count) else {
                // Where the trailer of ESP is cut off, nothing tells it from an encrypted one.
                let isHidden = sample.encapsulation.contains(.esp) && decoder.refused == [.encrypted: 1]
                #expect(isHidden || decoder.refused == [.cutBySnapLength: 1])
                continue
            }
            // What runs over UDP is known by its own header; cut before that, it is a payload like any other.
            guard decoded.frame.encapsulation == sample.encapsulation else {
                #expect(sample.isESPInUDP || !sample.encapsulation.isDisjoint(with: Self.overUDP))
                continue
            }
            #expect(sample.payload.starts(with: decoded.payload))
            #expect(decoded.frame.payloadWireLength == sample.payload.count)
        }
    }

    private static let overUDP: Encapsulation = [.turn, .vxlan, .gtp, .geneve, .l2tp, .tzsp]

    /// What a lying record does: the frame ends, and the wire length claims that this is all.
    @Test(arguments: FrameSample.all) func `a frame that ends early does no harm`(sample: FrameSample) {
        for length in 0..<sample.bytes.count {
            expectOneFate(Array(sample.bytes[..<length]), link: sample.link)
        }
    }

    @Test(arguments: FrameSample.all) func `a frame with any byte changed does no harm`(sample: FrameSample) {
        for index in sample.bytes.indices {
            for flip in [0x01, 0x80, 0xFF, 0x0F, 0xF0] as [UInt8] {
                var bytes = sample.bytes
                bytes[index] ^= flip
                expectOneFate(bytes, link: sample.link)
            }
        }
    }

    @Test(arguments: LinkType.allCases) func `random bytes do no harm`(link: LinkType) {
        var random = RandomSource(seed: 7)
        let decoder = ArrayDecoder(linkType: link)
        var frames = 0
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...120, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            // Most random frames end at their first byte; these get further.
            if bytes.count > 40, Bool.random(using: &random) {
                bytes.replaceSubrange(0..<20, with: Build.ethernet([0x45, 0, 0, 80, 0, 1]))
            }
            frames += 1
            if decoder.decode(bytes, wireLength: bytes.count + Int.random(in: 0...9, using: &random)) != nil {
                frames -= 1
            }
        }
        #expect(decoder.refusedCount + decoder.heldFragments == frames)
    }

    /// Each frame is decoded, refused or held: one of them, and what is decoded lies within the bytes.
    private func expectOneFate(_ bytes: [UInt8], link: LinkType) {
        let decoder = ArrayDecoder(linkType: link)
        let decoded = decoder.decode(bytes)
        let fates = (decoded == nil ? 0 : 1) + decoder.refusedCount + decoder.heldFragments
        #expect(fates == 1)
        if let decoded { #expect(decoded.frame.payloadWireLength >= decoded.payload.count) }
    }

    // MARK: Refusals

    struct Refused: CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var reason: FrameRefusal
        var testDescription: String { name }
    }

    /// An ICMP error quotes the header of the packet it is about and what follows, here all of it.
    static let refusals: [Refused] = [
        Refused(name: "ARP", bytes: Build.ethernet([0, 1, 8, 0], type: 0x0806), reason: .notIP),
        Refused(name: "spanning tree", bytes: Build.ethernet([0x42, 0x42, 3, 0, 0], type: 38), reason: .notIP),
        Refused(
            name: "PPPoE, no IP", bytes: Build.ethernet(Build.pppoe([0xC0, 0x21, 1]), type: 0x8864), reason: .notIP),
        Refused(
            name: "PPPoE discovery", bytes: Build.ethernet([0x11, 9, 0, 0, 0, 4, 1, 1, 0, 0], type: 0x8864),
            reason: .unknownTunnelContent),
        Refused(
            name: "PPPoE, length 1", bytes: Build.ethernet([0x11, 0, 0, 0, 0, 1, 0, 0x21], type: 0x8864),
            reason: .malformed),
        Refused(
            name: "ICMP error",
            bytes: Build.ethernet(Build.ipv4([3, 3, 0, 0, 0, 0, 0, 0] + FrameSample.v4, number: 1)),
            reason: .icmpError),
        Refused(
            name: "ICMPv6 error",
            bytes: Build.ethernet(Build.ipv6([1, 4, 0, 0, 0, 0, 0, 0] + FrameSample.v6, next: 58), type: 0x86DD),
            reason: .icmpError),
        Refused(name: "ping", bytes: Build.ethernet(Build.ipv4([8, 0, 0, 0], number: 1)), reason: .otherProtocol),
        Refused(name: "SCTP", bytes: Build.ethernet(Build.ipv4([1, 2, 3, 4], number: 132)), reason: .otherProtocol),
        Refused(
            name: "ESP, encrypted",
            bytes: Build.ethernet(Build.ipv4(Build.esp(Build.udp(Build.rtp), next: 99), number: 50)),
            reason: .encrypted),
        Refused(
            name: "GRE with source routes",
            bytes: Build.ethernet(Build.ipv4(Build.gre(FrameSample.v4, flags: 0x4000), number: 47)),
            reason: .unknownTunnelContent),
        Refused(
            name: "GRE version 2", bytes: Build.ethernet(Build.ipv4(Build.gre(FrameSample.v4, flags: 2), number: 47)),
            reason: .unknownTunnelContent),
        Refused(
            name: "MPLS of neither IP nor Ethernet", bytes: Build.ethernet([0, 2, 1, 64, 0x50], type: 0x8847),
            reason: .unknownTunnelContent),
        Refused(
            name: "IPv4 header of 16 bytes", bytes: Build.ethernet([0x44] + FrameSample.v4.dropFirst()),
            reason: .malformed),
        Refused(
            name: "IPv4 length of 19", bytes: Build.ethernet(Build.ipv4(Build.udp([]), length: 19)),
            reason: .malformed),
        Refused(
            name: "UDP length of 7", bytes: Build.ethernet(Build.ipv4(Build.udp(Build.rtp, length: 7))),
            reason: .malformed),
        Refused(
            name: "UDP longer than IP", bytes: Build.ethernet(Build.ipv4(Build.udp([1, 2], length: 11))),
            reason: .malformed),
        Refused(
            name: "TCP header of 16 bytes",
            bytes: Build.ethernet(
                Build.ipv4(Array(Build.tcp([]).prefix(12)) + [0x40] + [UInt8](repeating: 0, count: 7), number: 6)),
            reason: .malformed),
        Refused(name: "no bytes", bytes: [], reason: .malformed),
    ]

    @Test(arguments: refusals) func `what is no payload is refused by its name`(refused: Refused) {
        let decoder = ArrayDecoder(linkType: .ethernet)
        #expect(decoder.decode(refused.bytes) == nil)
        #expect(decoder.refused == [refused.reason: 1])
    }

    @Test func `nesting ends at eight`() {
        func nested(_ depth: Int) -> [UInt8] {
            (0..<depth).reduce(FrameSample.v4) { ip, _ in Build.ipv4(ip, number: 4) }
        }
        let decoder = ArrayDecoder(linkType: .raw)
        #expect(decoder.decode(nested(8))?.payload == Build.rtp)
        #expect(decoder.decode(nested(9)) == nil)
        #expect(decoder.refused == [.nestedTooDeep: 1])
    }

    @Test func `tags and labels without end are refused`() {
        let decoder = ArrayDecoder(linkType: .ethernet)
        let tags = (0..<40).reduce(FrameSample.v4) { body, index in Build.tag(body, type: index == 0 ? 0x0800 : 0x8100)
        }
        #expect(decoder.decode(Build.ethernet(tags, type: 0x8100)) == nil)
        #expect(decoder.decode(Build.ethernet([UInt8](repeating: 0, count: 400), type: 0x8847)) == nil)
        let headers = (0..<40).reduce(Build.udp(Build.rtp)) { body, index in
            Build.extensionHeader(body, next: index == 0 ? 17 : 60)
        }
        #expect(decoder.decode(Build.ethernet(Build.ipv6(headers, next: 60), type: 0x86DD)) == nil)
        #expect(decoder.refused == [.nestedTooDeep: 3])
    }

    // MARK: What only looks like a tunnel

    /// Payload types, ports and first bytes that also occur in media and signalling.
    @Test(arguments: [
        ("RTP to the port of VXLAN", 4789, Build.rtp),
        ("RTP with nine contributing sources to the port of VXLAN", 4789, [0x89] + Array(Build.rtp.dropFirst())),
        ("INVITE to the old port of VXLAN", 8472, Array("INVITE sip:bob@example.com SIP/2.0\r\n\r\n".utf8)),
        ("RTP to the port of GTP", 2152, Build.rtp),
        ("RTP to the port of ESP", 4500, Build.rtp),
        ("IKE to the port of ESP", 4500, Build.be32(0) + [UInt8](repeating: 0x55, count: 28)),
        ("IKE that could be ESP", 4500, Build.esp(Build.udp(Build.rtp), index: 0)),
        ("keep-alive of ESP", 4500, [0xFF]),
        ("ESP in UDP, encrypted", 4500, Build.esp(Build.udp(Build.rtp), next: 99)),
        ("ESP in UDP that begins as RTP does", 4500, Build.esp(Build.udp(Build.rtp), index: 0x8000_C0DE)),
        ("GTP echo request", 2152, Build.gtp([], type: 1)),
        ("GTP of neither IP version", 2152, Build.gtp([UInt8](repeating: 0x55, count: 40))),
        ("RTP to the port of GENEVE", 6081, Build.rtp),
        ("STUN to the port of GENEVE", 6081, Self.binding),
        ("GENEVE of a later version", 6081, Self.laterGENEVE),
        ("RTP to the port of VXLAN-GPE", 4790, Build.rtp),
        ("STUN to the port of VXLAN-GPE", 4790, Self.binding),
        ("RTP to the port of L2TP", 1701, Build.rtp),
        ("control message of L2TP", 1701, Build.l2tp([0, 0, 0, 0], flags: 0xC802, before: [0, 16])),
        ("L2TP of version 3", 1701, Build.l2tp([0x21] + FrameSample.v4, flags: 0x0003)),
        ("RTP to the port of TZSP", 37_008, Build.rtp),
        ("keep-alive of TZSP", 37_008, Build.tzsp([], type: 4)),
        ("SIP", 5060, Array("INVITE sip:bob@example.com SIP/2.0\r\n\r\n".utf8)),
        ("SIP, BYE", 5060, Array("BYE sip:bob@example.com SIP/2.0\r\n\r\n".utf8)),
        ("TURN channel with something else", 3478, Build.channelData([0x50, 1, 2, 3, 4, 5, 6, 7])),
        ("TURN channel with a length that does not fit", 3478, Build.channelData(Build.rtp) + [0, 0, 0, 0]),
        ("STUN binding", 3478, Self.binding),
        ("empty", 5004, []),
    ]) func `what only looks like a tunnel stays as it is`(name: String, port: Int, payload: [UInt8]) throws {
        let decoder = ArrayDecoder(linkType: .raw)
        let decoded = try #require(decoder.decode(Build.ipv4(Build.udp(payload, to: port))), "\(name)")
        #expect(decoded.payload == payload)
        #expect(decoded.frame.encapsulation == [])
    }

    private static let laterGENEVE: [UInt8] = [0x40] + Array(Build.geneve(FrameSample.inner).dropFirst())

    private static let binding: [UInt8] =
        Build.be16(1) + Build.be16(0) + Build.be32(0x2112_A442) + [UInt8](repeating: 1, count: 12)

    @Test(arguments: [
        (6081, Build.geneve(Build.ethernet([1, 2, 3, 4], type: 0x0806)), FrameRefusal.notIP),
        (4790, Build.vxlanGPE(FrameSample.inner, next: 4), .unknownTunnelContent),
        (1701, Build.l2tp([0xFF, 3, 0xC0, 0x21, 9, 1, 0, 8, 0, 0, 0, 0]), .notIP),
        (37_008, Build.tzsp(FrameSample.inner, content: 18), .unknownTunnelContent),
    ]) func `what a tunnel holds that is not read is counted`(port: Int, payload: [UInt8], reason: FrameRefusal) {
        let decoder = ArrayDecoder(linkType: .raw)
        #expect(decoder.decode(Build.ipv4(Build.udp(payload, to: port))) == nil)
        #expect(decoder.refused == [reason: 1])
    }

    @Test func `random bytes are no ESP without encryption`() {
        var random = RandomSource(seed: 50)
        let decoder = ArrayDecoder(linkType: .raw)
        for _ in 0..<20_000 {
            let content = (0..<4 * Int.random(in: 4...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = decoder.decode(Build.ipv4(content, number: 50))
        }
        #expect(decoder.refused == [.encrypted: 20_000])
    }

    @Test func `a TURN channel lends what it holds to the snap length`() throws {
        let decoder = ArrayDecoder(linkType: .raw)
        let bytes = Build.ipv4(Build.udp(Build.channelData(Build.rtp)))
        let decoded = try #require(decoder.decode(Array(bytes.prefix(28 + 4 + 12)), wireLength: bytes.count))
        #expect(decoded.frame.encapsulation == .turn)
        #expect(decoded.payload == Array(Build.rtp.prefix(12)))
        #expect(decoded.frame.payloadWireLength == Build.rtp.count)
    }
}
