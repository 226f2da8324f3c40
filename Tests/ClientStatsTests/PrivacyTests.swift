import CallModel
import JSONText
import TestSupport
import Testing

@testable import ClientStats

/// What is kept of addresses, secrets and names of devices inside longer texts, and by other policies.
@Suite struct PrivacyTests {
    private static let texts: [(sent: String, stored: String)] = [
        ("no route to 10.77.0.2", "no route to 10.77.0.0/24"),
        ("10.77.0.2:5000 refused, 10.77.0.9.", "10.77.0.0/24:5000 refused, 10.77.0.0/24."),
        ("[2001:db8:1:2::7]:443 and fe80::1%eth0", "[2001:db8:1::/48]:443 and fe80::/48%eth0"),
        ("udp:192.168.19.77:4000;2001:db8:1::5", "udp:192.168.19.0/24:4000;2001:db8:1::/48"),
        ("1:10.0.0.1:5000", "1:10.0.0.0/24:5000"), ("host=203.0.113.9&x=1", "host=203.0.113.0/24&x=1"),
        ("candidate:2001:db8:1::5 typ host", "candidate:2001:db8:1::/48 typ host"),
        ("::ffff:10.77.0.2", "10.77.0.0/24"), ("10.77.0.2/32", "10.77.0.0/24"),
        ("10.77.0.0/24 and 2001:db8:1::/48", "10.77.0.0/24 and 2001:db8:1::/48"),
        (
            #"{"candidate":"candidate:1 1 udp 2113937151 10.77.0.2 5000 typ host ufrag Xy9+"}"#,
            #"{"candidate":"candidate:1 1 udp 2113937151 10.77.0.0/24 5000 typ host ufrag -"}"#
        ),
        (
            #"{"sdp":"v=0\\r\\na=ice-ufrag:abcd\\r\\na=ice-pwd:s3cr3t\\r\\nc=IN IP4 10.77.0.2\\r\\n"}"#,
            #"{"sdp":"v=0\\r\\na=ice-ufrag:-\\r\\na=ice-pwd:-\\r\\nc=IN IP4 10.77.0.0/24\\r\\n"}"#
        ),
        (#"{\"usernameFragment\":\"abcd\",\"x\":1}"#, #"{\"usernameFragment\":\"-\",\"x\":1}"#),
        (#"{"icePwd":"s3cr3t","iceUfrag": "ab"}"#, #"{"icePwd":"-","iceUfrag": "-"}"#), ("pwd=x", "pwd=-"),
        ("password=hunter2&user=a", "password=-&user=a"), ("inline:c2VjcmV0|2^20", "inline:-|2^20"),
        ("using turn:u1:p1@turn.example.com:3478", "using turn:-@turn.example.com:3478"),
        ("https://user:pass@host/ and turns:u@t", "https://-@host/ and turns:-@t"),
        ("Authorization: Bearer abc.DEF", "Authorization: -"),
        ("sent Basic dTpwYXNz, refused", "sent Basic -, refused"),
        (#"GET / HTTP/1.1\nCookie: a=b; c=d\nHost: h"#, #"GET / HTTP/1.1\nCookie: -\nHost: h"#),
        (#"Digest username="u", response="r""#, "Digest -"),
        (#"{"deviceLabel":"Anna's AirPods","password":"","x":1}"#, #"{"deviceLabel":"-","password":"","x":1}"#),
        (#"{\"cameraName\":\"Max, (1)\",\"x\":1}"#, #"{\"cameraName\":\"-\",\"x\":1}"#),
        (#"{"turnCredentials":{"user":"u","pass":["p"]},"x":1}"#, #"{"turnCredentials":-,"x":1}"#),
        ("a?access_token=t1&apiKey=k2&x=1", "a?access_token=-&apiKey=-&x=1"),
        ("IP 203.0.113.77.5060 > 10.77.0.2.40000:", "IP 203.0.113.0/24.5060 > 10.77.0.0/24.40000:"),
        ("to=sip%3A203.0.113.77%3A5060", "to=sip:203.0.113.0/24:5060"),
        ("a=2001%3Adb8%3a1%3A2%3A%3A7", "a=2001:db8:1::/48"),
        ("up=https%3A%2F%2F203.0.113.77%3A8443%2Fws", "up=https:%2F%2F203.0.113.0/24:8443%2Fws"),
        ("%2Flog%3Fip%3D203.0.113.77", "%2Flog%3Fip%3D203.0.113.0/24"),
        ("a%2C203.0.113.77%20203.0.113.78%22", "a%2C203.0.113.0/24%20203.0.113.0/24%22"),
        ("ip%253D203.0.113.77%26x", "ip%253D203.0.113.0/24%26x"), ("%2F2001:db8:1:2:3:4:5:8", "%2F2001:db8:1::/48"),
        (#"{"err":"tried:\n203.0.113.77\t203.0.113.78"}"#, #"{"err":"tried:\n203.0.113.0/24\t203.0.113.0/24"}"#),
        (#"\u0022203.0.113.77\u0022"#, #"\u0022203.0.113.0/24\u0022"#),
        ("\u{1B}[31m203.0.113.77\u{1B}[0m", "\u{1B}[31m203.0.113.0/24\u{1B}[0m"),
        (#"\u001b[0;31m203.0.113.77\u001b[0m"#, #"\u001b[0;31m203.0.113.0/24\u001b[0m"#),
        ("<sip:alice:s3cr3t@pbx.example.com> or sip:bob@h", "<sip:alice:-@pbx.example.com> or sip:bob@h"),
        ("203-0-113-77.isp.example", "203-0-113-0.isp.example"),
        ("at ec2-203-0-113-77.compute.example:", "at ec2-203-0-113-0.compute.example:"),
    ]

    /// Blanks before the separator, other separators, and what stands around a value, as systems and languages print them.
    private static let forms: [(sent: String, stored: String)] = [
        ("{ password = s3cr3t; username = bob; }", "{ password = -; username = -; }"),
        ("{\n    credential = \"s3+/=\";\n    urls = x;\n}", "{\n    credential = \"-\";\n    urls = x;\n}"),
        (#"{"password" : "s3cr3t","x" : 1}"#, #"{"password" : "-","x" : 1}"#),
        (#"{\"password\" : \"s3cr3t\",\"x\" : 1}"#, #"{\"password\" : \"-\",\"x\" : 1}"#),
        ("password : s3cr3t", "password : -"), ("token\t=\ts3cr3t gone", "token\t=\t- gone"),
        ("turn_password = s3cr3t\nx = 1", "turn_password = -\nx = 1"),
        ("Authorization : Bearer s3cr3t\nHost : h", "Authorization : -\nHost : h"),
        (#"password: Optional("s3cr3t"), x: 1"#, #"password: Optional("-"), x: 1"#),
        ("password = Optional(Optional(s3cr3t)) x", "password = Optional(Optional(-)) x"),
        (#"{:password=>"s3cr3t", :x=>1}"#, #"{:password=>"-", :x=>1}"#),
        (#"{:password => "s3cr3t", :x => 1}"#, #"{:password => "-", :x => 1}"#),
        ("[password] => s3cr3t\n[x] => 1", "[password] => -\n[x] => 1"),
        ("<username>bob</username> <password>s3 r3t</password>", "<username>-</username> <password>-</password>"),
        ("<wsse:Password>s3cr3t</wsse:Password>", "<wsse:Password>-</wsse:Password>"),
        (#"<Password Type="PasswordText">s3 r3t</Password> x"#, #"<Password Type="PasswordText">-</Password> x"#),
        (#"<s:password xsi:type="xsd:string">s</s:password>"#, #"<s:password xsi:type="xsd:string">-</s:password>"#),
        ("ufrag : abcd", "ufrag : -"), ("deviceName = Anna's phone; x = 1", "deviceName = -; x = 1"),
    ]

    @Test(arguments: texts + forms) func `in a text of an event or of statistics addresses are cut and secrets blanked`(
        sent: String, stored: String
    ) throws {
        let event: JSONValue = [
            "action": "error", "type": "failed", "callId": "c", "time": 1_697_705_722_479, "reason": .string(sent),
            "detail": ["list": [.string(sent)]],
        ]
        let members = try parseEvents(event.canonicalText).events.first?.members
        #expect(members == ["reason": .string(stored), "detail": ["list": [.string(stored)]]])
        let object: JSONValue = ["id": "t", "type": "transport", "lastError": .string(sent)]
        let statistics = try parseStats("[\(object.canonicalText)]").reports.first?.objects.first?.members
        #expect(statistics == ["lastError": .string(stored)])
        #expect(AddressText.redact(SecretText.redact(stored), by: .cut) == stored)
    }

    private static let harmless = [
        "at 12:34:56.789", "version 1.2.3", "v1.2.3.4", "300.1.2.3", "std::vector::size", "a = b :: c",
        "sha-256 F0:0D:12:34:56:78:9A:BC:DE:F0:11:22:33:44:55:66:77:88:99:AA", "00:1A:2B:3C:4D:5E", "...", ":::",
        "1:2:3",
        "password incorrect", "the credential expired", "2026-05-05T16:53:20Z", "50%3A 1%3A2", "1.2.3.4.5",
        "Basic authentication", "Digest expected", "Bearer established.", "mail a@b.example, at 9:15 a@b.example",
        "6f9619ff-8b86-4011-b42d-00c04fc964ff", "12-05-05-16", "tokenType=JWT", "label: a, name: b",
        #"<password type="text"/> <password hint="a"> <b>"#, #"C:\new\1.2.3"#, "100%25 of 1.2.3", "sip:alice@pbx:5060",
        "the password is wrong", "token > 5", "expected <token> but got <string>", "password</key>", "password\n= x",
    ]

    @Test(arguments: harmless) func `what is no address stays`(text: String) {
        #expect(AddressText.redact(SecretText.redact(text), by: .cut) == text)
    }

    @Test func `whatever text comes, twice is as once, and no address is left`() {
        let words = [
            "10.77.0.2", "2001:db8:1::5", "::", ":", ".", "1", "a", "f", "/", "24", " ", "[", "]", "x",
            "255.255.255.255",
            "::ffff:10.0.0.1", "%eth0", "é", "/48", "fe80::", "%2F", "%", "25", "\\n", "\\u001b", "[1m",
        ]
        for seed in 0..<2_000 as Range<UInt64> {
            var source = RandomSource(seed: seed)
            let text = (0..<Int.random(in: 1...12, using: &source)).map { _ in
                words.randomElement(using: &source) ?? ""
            }.joined()
            let once = AddressText.redact(text, by: .cut)
            #expect(AddressText.redact(once, by: .cut) == once, "seed \(seed): \(text) → \(once)")
        }
        for seed in 0..<500 as Range<UInt64> {
            var source = RandomSource(seed: seed)
            let parts = (0..<4).map { _ in UInt8.random(in: 1...254, using: &source) }
            let address = parts.map(String.init).joined(separator: ".")
            let framed = ["(", "from ", "\"", "=", ",", "\n"].randomElement(using: &source).map { $0 + address } ?? ""
            let kept = AddressText.redact(framed + ", gone", by: .cut)
            #expect(kept == framed.dropLast("\(parts[3])".count) + "0/24, gone", "\(framed)")
        }
    }

    /// Were each address looked at to its end, the last text would take a quarter of an hour.
    @Test func `users in addresses go, in a time that grows with the text alone`() {
        for seed in 0..<2_000 as Range<UInt64> {
            var source = RandomSource(seed: seed)
            let parts = (0..<Int.random(in: 1...12, using: &source)).map { _ in
                ["turn:", "turn:", ":", "@", "?", " "].randomElement(using: &source) ?? ""
            }
            let text = parts.joined()
            #expect(SecretText.redact(text) == text.replacing(/turn:[^ ?]+@/, with: "turn:-@"), "seed \(seed)")
        }
        let many = String(repeating: "turn:", count: 100_000)
        #expect(SecretText.redact("turn:u:p@h \(many)") == "turn:-@h \(many)")
    }

    @Test func `secrets and addresses in the names of members go, too, at every depth`() throws {
        let sent: JSONObject = [
            "198.51.100.213": 1, "turn:bob:s3cr3t@turn.example:3478": 2, "Authorization: Bearer s3cr3t": 3,
            "password = s3cr3t": 4, "toneGap": 70,
        ]
        let kept: JSONObject = [
            "198.51.100.0/24": 1, "turn:-@turn.example:3478": 2, "Authorization: -": 3, "password = -": 4,
            "toneGap": 70,
        ]
        let heading: JSONObject = ["id": "t", "type": "transport"]
        let object = heading.merging(sent) { $1 }.merging(["detail": .object(sent)]) { $1 }
        let stored = kept.merging(["detail": .object(kept)]) { $1 }
        let report = JSONValue.object(object).canonicalText
        #expect(try parseStats("[\(report)]").reports.first?.objects.first?.members == stored)
        let event: JSONObject = ["action": "a", "type": "b", "callId": "c", "time": 1_697_705_722_479]
        let body = event.merging(sent) { $1 }.merging(["detail": .object(sent)]) { $1 }
        #expect(try parseEvents(JSONValue.object(body).canonicalText).events.first?.members == stored)
    }

    @Test func `statistics have no address in any member, whatever its name`() throws {
        let body = #"""
            [{"id":"c","type":"local-candidate","address":"10.77.0.2","relatedAddress":"2001:db8:1::9","port":5000,
              "url":"turn:u:p@10.77.0.3","usernameFragment":"uf","foundation":"1","hostIp":"10.77.0.4",
              "lastError":"701 from 10.77.0.5:3478","tried":[{"address":"10.77.0.6","password":"p"}],"deviceLabel":"Anna's AirPods","deviceId":"d1","groupId":"g1"}]
            """#
        let members = try parseStats(body).reports.first?.objects.first?.members
        #expect(
            members == [
                "address": "10.77.0.0/24", "relatedAddress": "2001:db8:1::/48", "port": 5000, "foundation": "1",
                "hostIp": "10.77.0.0/24", "lastError": "701 from 10.77.0.0/24:3478",
                "tried": [["address": "10.77.0.0/24"]],
            ])
    }

    // MARK: Devices

    private static let devices: [(String, String)] = [
        ("BLUETOOTH", "BLUETOOTH"), ("Built-in Microphone", "Built-in Microphone"), ("speakerphone", "speakerphone"),
        ("WIRED_HEADSET", "WIRED_HEADSET"), ("builtInMic", "builtInMic"), ("Anna's AirPods", "device"), ("", ""),
        ("Bluetooth (Anna's AirPods)", "bluetooth"), ("Default - Headset (Razer) (1532:0520)", "headset"),
        ("Logitech USB camera of Max", "usb"),
    ]

    @Test(arguments: devices) func `of a device its kind is kept, never what somebody calls it`(
        sent: String, stored: String
    ) throws {
        for members in [#""detail":{"selected":"\#(sent)","available":["\#(sent)"]}"#, #""value":"\#(sent)""#] {
            let body =
                #"{"action":"callMetric","type":"audioDeviceChanged","callId":"c","time":1697705722479,\#(members)}"#
            let event = try #require(try parseEvents(body).events.first)
            let texts = [event.detail("selected")?.text ?? event.members["value"]?.text]
            #expect(texts == [stored])
            #expect(stored == sent || !JSONValue.object(event.members).canonicalText.contains("Anna"))
        }
    }

    // MARK: Policies

    @Test func `a keyed hash is the same for the same address, another for another key, and tells none`() throws {
        let key = try #require(AddressKey(Array("0123456789abcdef".utf8)))
        let other = try #require(AddressKey(Array("0123456789abcdeX".utf8)))
        #expect(AddressKey(Array("0123456789abcde".utf8)) == nil)
        func kept(_ address: String, _ policy: AddressPolicy) -> String { NetworkAddress.keep(address, by: policy) }
        let hash = kept("10.77.0.2", .hash(key))
        #expect(hash.hasPrefix("hash:") && hash.utf8.count == 21)
        #expect(kept("::ffff:10.77.0.2", .hash(key)) == hash && kept("10.77.0.2:5000", .hash(key)) == hash)
        #expect(kept("10.77.0.3", .hash(key)) != hash && kept("10.77.0.2", .hash(other)) != hash)
        for policy in [AddressPolicy.cut, .hash(key), .hash(other)] { #expect(kept(hash, policy) == hash) }
        #expect(NetworkAddress.keepEndpoint("10.77.0.2:5000", by: .hash(key)) == hash + ":5000")
        #expect(NetworkAddress.keepEndpoint(hash + ":5000", by: .hash(key)) == hash + ":5000")
        #expect(AddressText.redact("to 10.77.0.2:5000", by: .hash(key)) == "to \(hash):5000")
        // What somebody else cut already is not hashed: it would look like an address of its own.
        #expect(kept("10.77.0.0/24", .hash(key)) == "10.77.0.0/24")
        #expect(kept("abc.local", .hash(key)) == "mdns" && kept("phone.example", .hash(key)) == "name")
    }

    @Test func `where addresses are kept, secrets are not`() throws {
        var context = ParsingContext.stats
        context.addresses = .full
        let body =
            #"[{"id":"c","type":"local-candidate","address":"10.77.0.2","url":"stun:a","password":"p","n":"10.0.0.1 x"}]"#
        let members = try parseStats(body, in: context).reports.first?.objects.first?.members
        #expect(members == ["address": "10.77.0.2", "n": "10.0.0.1 x"])
        var events = ParsingContext.events
        events.addresses = .full
        let event = #"{"action":"a","type":"b","callId":"c","time":1697705722479,"reason":"10.0.0.1 ice-pwd:x"}"#
        #expect(try parseEvents(event, in: events).events.first?.members == ["reason": "10.0.0.1 ice-pwd:-"])
    }

    @Test func `identifiers stay as they are, for by them calls are found`() throws {
        let event: JSONValue = [
            "action": "sip", "type": "INVITE", "callId": "1@10.77.0.2", "time": 1_697_705_722_479,
            "aliases": ["X-Call-ID: 2@10.77.0.3"], "userAgent": "PBX 1.8.32.3", "source": "10.77.0.4:5060",
        ]
        let submission = try #require(try parseWire(event.canonicalText).submissions.first)
        #expect(submission.identity.call.rawValue == "1@10.77.0.2")
        guard case .event(let stored) = submission.facts[0].fact else {
            Issue.record("\(submission.facts)")
            return
        }
        #expect(
            stored.members == [
                "aliases": ["X-Call-ID: 2@10.77.0.3"], "userAgent": "PBX 1.8.32.3", "source": "10.77.0.0/24:5060",
            ])
    }
}
