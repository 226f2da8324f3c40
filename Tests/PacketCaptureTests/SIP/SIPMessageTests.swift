import TestSupport
import Testing

@testable import PacketCapture

@Suite struct SIPMessageTests {
    static func parse(_ text: String) throws -> SIPMessage {
        try SIPMessage(parsing: Array(text.utf8))
    }

    static let invite = [
        "INVITE sips:bob@[2001:db8::2]:5061;transport=tls SIP/2.0",
        "Via: SIP/2.0/TLS [2001:db8::1]:5061;branch=z9hG4bKa1;rport, SIP/2.0/UDP 10.0.0.1;branch=z9hG4bKb2",
        "From: \"Ælfréd <\\\";tag=no>\" <sip:alfred:hunter2@example.com;tag=inside>;x=y;TAG = left.1",
        "To: <sip:bob@example.com>", "Call-ID: 3848276298220188511@example.com", "CSeq: 314159  INVITE",
        "User-to-User: 56a390f3d2b7310023;encoding=hex", "Session-ID: ab30317f1a784dc48ff824d0d3715d86;remote=0",
        "X-Account: 7", "X-Auth-Token: s3cret", "P-Charging-Vector: orig-ioi=a;icid-value=\"AyretyU0dm\"",
        "Authorization: Digest username=\"alfred\", response=\"dfe56131d1958046689d83306477ecc\"",
        "Replaces: other@call;to-tag=1;from-tag=2", "User-Agent: soft/2.1", "Content-Type: application/SDP; charset=x",
        "Content-Length: 29", "", "v=0\r\no=al 1 1 IN IP4 h\r\ns=-\r\n",
    ].joined(separator: "\r\n")

    @Test func `an INVITE is read to its tags, aliases and body`() throws {
        let message = try Self.parse(Self.invite)
        #expect(
            message
                == SIPMessage(
                    kind: .request(method: "INVITE"), callID: "3848276298220188511@example.com", sequence: 314_159,
                    method: "INVITE", fromTag: "left.1", toTag: nil, topBranch: "z9hG4bKa1", reliableSequence: nil,
                    userToUser: "56a390f3d2b7310023;encoding=hex",
                    aliases: [
                        .init(header: "Session-ID", value: "ab30317f1a784dc48ff824d0d3715d86;remote=0"),
                        .init(header: "X-Account", value: "7"),
                        .init(header: "P-Charging-Vector", value: "AyretyU0dm"),
                    ], userAgent: "soft/2.1", reasonHeader: nil, replacedCall: "other@call",
                    contentType: "application/sdp", contentLength: 29,
                    body: Array("v=0\r\no=- 1 1 IN IP4 h\r\n".utf8), carriesDigits: false, isTruncated: false))
    }

    @Test func `a response in one-letter fields, folded, with bare line feeds`() throws {
        let text =
            "sip/2.0 183  Session\tProgress \nv: SIP/2.0/UDP h;branch=b\nf: <sip:a@b>;tag=f\nt: sip:c@d;tag=t\n"
            + "i:\n id@host\nCSEQ: 0009\n\tINVITE\nrseq: 77\nReason: Q.850;cause=31\nl: 0\n\n"
        let message = try Self.parse(text)
        #expect(message.kind == .response(status: 183, reason: "Session\tProgress"))
        #expect([message.callID, message.method, message.topBranch] == ["id@host", "INVITE", "b"])
        #expect([message.fromTag, message.toTag, message.reasonHeader] == ["f", "t", "Q.850;cause=31"])
        #expect(message.sequence == 9 && message.reliableSequence == 77)
    }

    @Test(arguments: [
        ("", "no SIP message: expected a request or status line of SIP/2.0, found \"\""),
        (
            "GET / HTTP/1.1\r\n\r\n",
            "no SIP message: expected a request or status line of SIP/2.0, found \"GET / HTTP/1.1\""
        ),
        (
            "SIP/2.0 99 No\r\n\r\n",
            "no SIP message: expected a request or status line of SIP/2.0, found \"SIP/2.0 99 No\""
        ),
        (
            "SIP/2.0 2000 No\r\n\r\n",
            "no SIP message: expected a request or status line of SIP/2.0, found \"SIP/2.0 2000 No\""
        ),
        (
            "BYE sip:a SIP/2.0\r\nCSeq: 1 BYE\r\n\r\n",
            "the SIP message has no Call-ID header field, so its call cannot be told"
        ),
        (
            "BYE sip:a SIP/2.0\r\nCall-ID: 1\r\n\r\n",
            "the SIP message has no CSeq header field, so its call cannot be told"
        ),
        (
            "BYE sip:a SIP/2.0\r\nCSeq: 36893488147419103232 BYE\r\n\r\n",
            "the SIP header field CSeq cannot be read: \"36893488147419103232 BYE\""
        ),
        ("BYE sip:a SIP/2.0\r\nCSeq: 1 ACK\r\n\r\n", "the SIP request line says BYE, its CSeq says ACK"),
        ("BYE sip:a SIP/2.0\r\nCSeq: 1 BYE\r\ni: \r\n\r\n", "the SIP header field Call-ID cannot be read: \"\""),
    ]) func `what is no usable message says why`(_ text: String, _ words: String) {
        var found: String?
        do { _ = try Self.parse(text) } catch { found = "\(error)" }
        #expect(found == words)
    }

    @Test(arguments: [
        // extra line ends before, blanks around colons, unknown and empty fields, a method of all token characters
        "\r\n\r\n!Foo%*_`'~.-+0 sip:x SIP/2.0\r\nCall-ID : a\r\nCSeq\t:  1 !Foo%*_`'~.-+0\r\nX:\r\n:\r\nnon\r\n\r\n",
        // a URI with blanks, no Via, From or To
        "OPTIONS sip:user name@host SIP/2.0\r\nCall-ID: a\r\nCSeq: 1 OPTIONS\r\n\r\n",
        // quoted strings that never end
        "OPTIONS sip:x SIP/2.0\r\nFrom: \"o <sip:a>;tag=1\r\ni: a\r\nCSeq: 1 OPTIONS\r\nTo: <sip:b;tag=2\r\n\r\n",
        // negative and huge lengths
        "OPTIONS sip:x SIP/2.0\r\nCall-ID: a\r\nCSeq: 1 OPTIONS\r\nContent-Length: -999\r\n\r\nbody",
        "OPTIONS sip:x SIP/2.0\r\nCall-ID: a\r\nCSeq: 1 OPTIONS\r\nl: 9999999999999999999999\r\n\r\nbody",
        // no empty line at the end
        "OPTIONS sip:x SIP/2.0\r\nCall-ID: a\r\nCSeq: 1 OPTIONS", "SIP/2.0 200\r\nCall-ID: a\r\nCSeq: 1 OPTIONS\r\n",
    ]) func `odd messages are read all the same`(_ text: String) throws {
        let message = try Self.parse(text)
        #expect(message.callID == "a" && message.sequence == 1 && message.fromTag == nil)
    }

    @Test(arguments: [(64, 192), (85, 255), (86, 254)])
    func `a Call-ID has at most 256 bytes also when some were no text`(_ count: Int, _ length: Int) throws {
        let identifier = [UInt8](repeating: 0xFF, count: count)
        let head = Array("BYE sip:b SIP/2.0\r\nCSeq: 1 BYE\r\n".utf8)
        let bytes = head + Array("i: ".utf8) + identifier + [0x0A]
        #expect((try? SIPMessage(parsing: bytes))?.callID.utf8.count == length)
        let others = head + Array("i: a\r\nX-Id: ".utf8) + identifier + Array("\r\nReplaces: ".utf8) + identifier
        let message = try SIPMessage(parsing: others)
        #expect(message.replacedCall?.utf8.count == length)
        #expect(message.aliases.map(\.value.utf8.count) == [min(3 * count, 255)])  // whole characters
    }

    @Test func `a longer Call-ID is known by its beginning and a digest of all of it`() throws {
        let long = String(repeating: "a", count: 300)
        func names(_ identifier: String) throws -> [String?] {
            let fields = "CSeq: 1 BYE\ni: \(identifier)\nReplaces: \(identifier);to-tag=b\n"
            let message = try Self.parse("BYE sip:b SIP/2.0\n\(fields)\n")
            return [message.callID, message.replacedCall]
        }
        let name = String(repeating: "a", count: 239) + "~d5dc836dd76a933a"
        #expect(try names(long) == [name, name])
        let others = try [long, long + "a", "b" + long, String(long.dropLast()) + "b"].map { try names($0)[0] }
        #expect(Set(others).count == 4 && others.allSatisfy { $0?.utf8.count == 256 })
    }

    @Test func `a value folded into thousands of lines is read up to a limit`() throws {
        let folded = String(repeating: " a\n", count: 20_000)
        let message = try Self.parse("BYE sip:b SIP/2.0\nCSeq: 1 BYE\ni: a\nX-Id: b\n\(folded)\n")
        #expect(message.aliases == [.init(header: "X-Id", value: "b" + String(repeating: " a", count: 127) + " ")])
    }

    static let secret = [
        "INVITE sip:b SIP/2.0", "Call-ID: a", "CSeq: 1 INVITE", "Content-Type: multipart/mixed;boundary=\"--=x\"",
        "Proxy-Authorization: Digest response=TOPSECRET", "X-Password: TOPSECRET", "X-Api-Key: TOPSECRET", "",
        "----=x", "Content-Type: text/plain", "", "TOPSECRET", "----=x", "c: application/sdp", "", "v=0",
        "o=TOPSECRET 1 1 IN IP4 10.0.0.1", "s=TOPSECRET", "e=TOPSECRET", "c=IN IP4 10.0.0.1", "k=clear:TOPSECRET",
        "m=audio 4000 RTP/SAVP 0", "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:TOPSECRET|2^20|1:32",
        " inline:TOPSECRET", "TOPSECRET", "a=ice-pwd:TOPSECRET", "A=ICE-PWD:TOPSECRET", "a=key-mgmt:mikey TOPSECRET",
        "a=fingerprint:sha-256 TOPSECRET", "a=ptime:20", "----=x", "Content-Type: application/dtmf-relay", "",
        "Signal=TOPSECRET", "----=x--", "",
    ].joined(separator: "\r\n")

    @Test func `no secret and no digit is left in a message, however it is cut`() throws {
        for length in 0...Self.secret.utf8.count {
            guard let message = try? SIPMessage(parsing: Array(Self.secret.utf8.prefix(length))) else { continue }
            #expect(!"\(message) \(String(decoding: message.body, as: UTF8.self))".contains("SECRET"))
            #expect(!"\(String(describing: try? message.sessionDescription()))".contains("SECRET"))
        }
        let message = try Self.parse(Self.secret)
        let description = try #require(try message.sessionDescription())
        #expect(message.carriesDigits)
        #expect(description.media.map(\.isEncrypted) == [true] && description.media.map(\.packetMilliseconds) == [20])
    }

    @Test func `a cut body is read as far as it goes`() throws {
        let text =
            "INVITE sip:b SIP/2.0\r\ni: a\r\nCSeq: 1 INVITE\r\nc: application/sdp\r\nl: 99\r\n\r\nv=0\r\nm=audio 9 RTP/X"
        let message = try Self.parse(text)
        #expect(message.isTruncated)
        #expect(try message.sessionDescription()?.media.map(\.port) == [9])
    }

    static let samples = [
        invite, secret, SIPScript.text(.init(milliseconds: 0, start: "SIP/2.0 200 OK", sequence: "1 BYE")),
    ]

    @Test(arguments: samples) func `every cut and every changed byte is read or refused`(_ sample: String) {
        let bytes = Array(sample.utf8)
        var readable = 0
        func read(_ bytes: [UInt8]) {
            if let message = try? SIPMessage(parsing: bytes) {
                readable += 1
                _ = try? message.sessionDescription()
            }
        }
        for length in bytes.indices { read(Array(bytes[..<length])) }
        for index in bytes.indices {
            for value in [0x0A, 0x20, 0x22, 0x3A, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                read(changed)
            }
        }
        #expect(readable > bytes.count)
    }

    @Test(arguments: [
        ("INVITE sip:a@b SIP/2.0", true), ("SIP/2.0 200 OK\r\n\r\n", true), ("BYE sip:a@b SIP/2.0", true),
        ("GET / HTTP/1.1\r\n\r\n", false), ("INVITE", false), ("\r\n\r\n", false),
    ]) func `four bytes tell whether a packet may be SIP`(_ text: String, _ expected: Bool) {
        let isLikely = Array(text.utf8).withRawSpan { SIPMessage.isLikely($0) }
        #expect(isLikely == expected)
    }
}
