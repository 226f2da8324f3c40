import TestSupport
import Testing

@testable import PacketCapture

@Suite struct SessionDescriptionTests {
    static func parse(_ lines: [String]) throws -> SessionDescription {
        try SessionDescription(parsing: Array(lines.joined(separator: "\r\n").utf8))
    }

    static func address(_ text: String) -> IPAddress? {
        IPAddress(text: Array(text.utf8)[...])
    }

    /// The one `m=` line of a description with these lines.
    static func media(_ lines: String...) throws -> SessionDescription.Media {
        try #require(try parse(["v=0", "c=IN IP4 192.0.2.1"] + lines).media.first)
    }

    static let browser = [
        "v=0", "o=- 4611731400430051336 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0 1",
        "a=fingerprint:sha-256 AA:BB", "m=audio 50000 UDP/TLS/RTP/SAVPF 111 63 9 13 110", "c=IN IP4 203.0.113.5",
        "a=rtcp:9 IN IP4 0.0.0.0", "a=candidate:1 1 udp 2122260223 192.168.1.7 50000 typ host generation 0",
        "a=candidate:2 1 UDP 1686052607 203.0.113.5 50000 typ srflx raddr 0.0.0.0 rport 0",
        "a=candidate:3 1 tcp 1518280447 192.168.1.7 9 typ host tcptype active",
        "a=candidate:4 1 udp 1 a2b4.local 50001 typ host", "a=ice-pwd:x", "a=mid:0", "a=sendrecv", "a=rtcp-mux",
        "a=rtpmap:111 opus/48000/2", "a=fmtp:111 minptime=10;useinbandfec=1; usedtx = 1", "a=rtpmap:63 red/48000/2",
        "a=fmtp:63 111/111", "a=rtpmap:110 telephone-event/48000", "a=maxptime:60", "a=ssrc:3570614608 cname:4TOk42",
        "a=ssrc:3570614608 msid:a b", "m=video 9 UDP/TLS/RTP/SAVPF 96 97 98", "c=IN IP4 0.0.0.0", "a=bundle-only",
        "a=mid:1", "a=recvonly", "a=rtpmap:96 VP8/90000", "a=rtpmap:97 rtx/90000", "a=fmtp:97 apt=96",
        "a=rtpmap:98 ulpfec/90000", "",
    ]

    @Test(arguments: [
        ("typ relay raddr 203.0.113.9 rport 6000 generation 0", ["203.0.113.3 49152", "203.0.113.9 6000"]),
        ("typ relay raddr 0.0.0.0 rport 0", ["203.0.113.3 49152"]),
        ("typ relay raddr 203.0.113.9", ["203.0.113.3 49152"]),
        ("typ srflx raddr 203.0.113.9 rport 6000", ["203.0.113.3 49152"]),
    ])
    func `of a relay's candidate it is known by which address the relay knows the end`(
        type: String, places: [String]
    ) throws {
        let media = try Self.media("m=audio 49152 RTP/AVP 0", "a=candidate:1 1 UDP 5 203.0.113.3 49152 \(type)")
        let expected = try places.map { place in
            let words = place.split(separator: " ")
            return Endpoint(
                address: try #require(Self.address(String(words[0]))), port: try #require(UInt16(words[1])))
        }
        #expect(media.candidates == expected)
    }

    @Test func `a browser's description is read whole`() throws {
        let home = try #require(Self.address("192.168.1.7"))
        let outside = try #require(Self.address("203.0.113.5"))
        typealias Payload = SessionDescription.Payload
        let audio = SessionDescription.Media(
            kind: .audio, port: 50000, transport: "UDP/TLS/RTP/SAVPF", address: outside,
            payloads: [
                Payload(
                    number: 111, encoding: "opus", clockRate: 48000, channels: 2,
                    parameters: "minptime=10;useinbandfec=1; usedtx = 1", role: .media),
                Payload(
                    number: 63, encoding: "red", clockRate: 48000, channels: 2, parameters: "111/111", role: .redundancy
                ),
                Payload(number: 9, encoding: "G722", clockRate: 8000, role: .media),
                Payload(number: 13, encoding: "CN", clockRate: 8000, role: .comfortNoise),
                Payload(number: 110, encoding: "telephone-event", clockRate: 48000, role: .telephoneEvent),
            ], packetMilliseconds: nil, maximumPacketMilliseconds: 60, direction: .both, isEncrypted: true,
            isDTXAllowed: true, sources: [3_570_614_608],
            candidates: [Endpoint(address: home, port: 50000), Endpoint(address: outside, port: 50000)],
            identifier: "0", isBundleOnly: false)
        let video = SessionDescription.Media(
            kind: .video, port: 9, transport: "UDP/TLS/RTP/SAVPF", address: IPAddress(v4: 0),
            payloads: [
                Payload(number: 96, encoding: "VP8", clockRate: 90000, role: .media),
                Payload(
                    number: 97, encoding: "rtx", clockRate: 90000, parameters: "apt=96", role: .retransmission(of: 96)),
                Payload(number: 98, encoding: "ulpfec", clockRate: 90000, role: .errorCorrection),
            ], packetMilliseconds: nil, maximumPacketMilliseconds: nil, direction: .receiveOnly, isEncrypted: true,
            isDTXAllowed: false, sources: [], candidates: [], identifier: "1", isBundleOnly: true)
        let description = try Self.parse(Self.browser)
        #expect(
            description
                == SessionDescription(
                    origin: .init(session: "4611731400430051336", version: "2", address: "127.0.0.1"),
                    media: [audio, video], bundles: [["0", "1"]], unreadableLines: 0))
    }

    @Test(arguments: [
        ("sendrecv", "192.0.2.1", false), ("sendonly", "192.0.2.1", true), ("inactive", "192.0.2.1", true),
        ("recvonly", "192.0.2.1", false), ("sendrecv", "0.0.0.0", true), ("x", "192.0.2.1", false),
    ]) func `a call is held by direction or by address`(_ attribute: String, _ address: String, _ isHeld: Bool) throws {
        let media = try Self.media("m=audio 4000 RTP/AVP 0", "c=IN IP4 \(address)", "a=\(attribute)")
        #expect(media.isHeld == isHeld)
    }

    @Test func `what is said before the first m line holds for all`() throws {
        let description = try Self.parse([
            "v=0", "c=IN IP6 2001:db8::1", "a=sendonly", "a=ptime:30", "a=crypto:-", "m=audio 4000 RTP/AVP 8",
            "m=audio 4002/2 RTP/AVP 0", "c=IN IP4 192.0.2.9/127", "a=inactive", "a=ptime:20.0",
        ])
        #expect(description.media.map(\.direction) == [.sendOnly, .inactive])
        #expect(description.media.map(\.packetMilliseconds) == [30, 20])
        #expect(
            description.media.map { "\($0.endpoint.map(\.description) ?? "-")" } == [
                "[2001:db8::1]:4000", "192.0.2.9:4002",
            ])
        #expect(description.media.map(\.isEncrypted) == [true, true])
    }

    @Test func `static payload types need no map, and a map of theirs is believed`() throws {
        let media = try Self.media(
            "m=audio 4000 RTP/AVP 0 8  18 4 9 34 96 200", "a=rtpmap:8 x-PCMA/16000/1", "a=rtpmap:77 no/1")
        #expect(
            media.payloads.map { "\($0.number) \($0.encoding ?? "-") \($0.clockRate.map(String.init) ?? "-")" } == [
                "0 PCMU 8000", "8 x-PCMA 16000", "18 G729 8000", "4 G723 8000", "9 G722 8000", "34 H263 90000",
                "96 - -",
            ])
    }

    @Test func `the clock of G.722 is that of RFC 3551, whatever the map says`() throws {
        let media = try Self.media(
            "m=audio 4000 RTP/AVP 9 96 97", "a=rtpmap:9 G722/16000", "a=rtpmap:96 g722/16000/1",
            "a=rtpmap:97 G7221/16000")
        #expect(media.payloads.map(\.clockRate) == [8_000, 8_000, 16_000])
    }

    @Test func `the clock of Opus is that of RFC 7587, whatever the map says`() throws {
        let media = try Self.media(
            "m=audio 4000 RTP/AVP 96 97 98", "a=rtpmap:96 opus/8000", "a=rtpmap:97 OPUS/16000/2",
            "a=rtpmap:98 opus/0")
        #expect(media.payloads.map(\.clockRate) == [48_000, 48_000, nil])
    }

    @Test func `the lines of a bundle use each other's places`() throws {
        let browser = try Self.parse(Self.browser).expectedPlaces
        #expect(
            browser.map { "\($0.endpoint) \($0.lines)" } == [
                "192.168.1.7:50000 [0, 1]", "203.0.113.5:50000 [0, 1]",
            ])
        let apart = try Self.parse([
            "v=0", "c=IN IP4 192.0.2.1", "a=group:BUNDLE b", "m=audio 4000 RTP/AVP 0", "a=mid:a",
            "m=video 4002 RTP/AVP 34", "a=mid:b", "m=audio 4000 RTP/SAVP 0", "m=video 0 RTP/AVP 34", "a=mid:c",
        ]).expectedPlaces
        #expect(apart.map { "\($0.endpoint) \($0.lines)" } == ["192.0.2.1:4000 [0, 2]", "192.0.2.1:4002 [1]"])
    }

    @Test(arguments: [
        (["m=audio 4000 RTP/AVP 0"], false), (["m=audio 4000 RTP/AVP 0 13"], true),
        (["m=audio 4000 RTP/AVP 18"], true), (["m=audio 4000 RTP/AVP 18", "a=fmtp:18 annexb=no"], false),
        (["m=audio 4000 RTP/AVP 4", "a=fmtp:4 annexa=no;bitrate=5.3"], false),
        (["m=audio 4000 RTP/AVP 0", "a=silenceSupp:on - - - -"], true),
        (["m=audio 4000 RTP/AVP 0", "a=silenceSupp:off - - - -"], false),
        (["m=audio 4000 RTP/AVP 111", "a=rtpmap:111 opus/48000/2", "a=fmtp:111 usedtx=0"], false),
    ]) func `pauses are allowed when the format says so`(_ lines: [String], _ expected: Bool) throws {
        let media = try Self.parse(["v=0"] + lines).media
        #expect(media.map(\.isDTXAllowed) == [expected])
    }

    @Test(arguments: [
        (["m=audio 4000 RTP/AVP 0", "c=IN IP4 0.0.0.0"], true),
        (["m=audio 4000 RTP/AVP 0", "c=IN IP6 ::"], true),
        (["m=audio 9 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0"], false),
        (
            [
                "m=audio 4000 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0",
                "a=candidate:1 1 udp 2122260223 192.0.2.1 4000 typ host",
            ], false
        ),
        (["m=audio 9 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0", "a=inactive"], true),
    ]) func `an address that ICE is yet to find is no hold`(_ lines: [String], _ expected: Bool) throws {
        #expect(try Self.parse(["v=0"] + lines).media.map(\.isHeld) == [expected])
    }

    @Test func `fax is told from a picture, and a refused line from an accepted one`() throws {
        let fax = try Self.media("m=image 4002 udptl t38")
        let refused = try Self.media("m=image 0 udptl t38")
        #expect([fax.isFax, refused.isFax] == [true, false])
        #expect(fax.payloads == [] && refused.endpoint == nil)
    }

    @Test func `lines that cannot be read are counted`() throws {
        let description = try Self.parse([
            "v=0", "nonsense", "m=audio", "m=audio 70000 RTP/AVP 0", "c=IN", "o=1", "a=ptime:0",
            "m=audio 4 RTP/AVP 0", "a=rtpmap:x", "a=ssrc:99999999999", "a=candidate:1",
        ])
        #expect(description.unreadableLines == 9)
        #expect(description.media.map(\.port) == [4])
    }

    @Test(arguments: ["", "o=1", "hello"]) func `what does not begin as a description is none`(_ text: String) {
        #expect(throws: SessionDescriptionError.noVersion(found: text)) {
            try SessionDescription(parsing: Array(text.utf8))
        }
    }

    @Test(
        arguments: [
            ("10.1.2.3", "10.1.2.3"), ("224.2.1.1/127/3", "224.2.1.1"), ("::", "::"), ("::1", "::1"),
            ("[fe80::1%eth0]", "fe80::1"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("host.example", nil), ("1.2.3", nil), ("1.2.3.256", nil), ("1:2", nil), ("::1::", nil), ("12345::", nil),
            (":::", nil),
            ("1:2:3:4:5:6:7:8:9", nil), ("1:2:3:4:5:6:7:8::", nil), ("+1::", nil), ("", nil),
        ] as [(String, String?)]) func `addresses are read in every spelling`(_ text: String, _ expected: String?)
    {
        #expect(Self.address(text)?.description == expected)
    }

    @Test func `every cut and every changed byte is read or refused`() {
        let bytes = Array(Self.browser.joined(separator: "\r\n").utf8)
        var readable = 0
        func read(_ bytes: [UInt8]) {
            if (try? SessionDescription(parsing: bytes)) != nil { readable += 1 }
        }
        for length in bytes.indices { read(Array(bytes[..<length])) }
        for index in bytes.indices {
            for value in [0x0A, 0x20, 0x2F, 0x3A, 0x39, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                read(changed)
            }
        }
        #expect(readable > bytes.count)
    }
}
