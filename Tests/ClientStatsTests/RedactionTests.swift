import CallModel
import ClientStats
import JSONText
import Testing

@Suite struct RedactionTests {
    private static let addresses: [(String, String)] = [
        ("10.77.0.2", "10.77.0.0/24"), ("255.255.255.255", "255.255.255.0/24"), ("10.77.0.0/24", "10.77.0.0/24"),
        ("10.0.0.1:3456", "10.0.0.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"), ("2001:DB8:1::5", "2001:db8:1::/48"),
        ("2001:db8:1::/48", "2001:db8:1::/48"), ("fe80::1%eth0", "fe80::/48"), ("::1", "::/48"),
        ("[2001:db8:1::5]:443", "2001:db8:1::/48"), ("64:ff9b::10.77.0.2", "10.77.0.0/24"),
        ("64:ff9b::c0a8:131d", "192.168.19.0/24"),
        ("64:ff9b:1::5", "64:ff9b:1::/48"),
        ("::ffff:10.77.0.2", "10.77.0.0/24"),
        ("3f8a1c2e-0b1d-4a5e-9f7c-1a2b3c4d5e6f.local", "mdns"), ("mdns", "mdns"), ("", ""),
        ("phone.example.org", "name"), ("name", "name"), ("10.77.0", "name"), ("1:2:3", "name"), ("::1::", "name"),
    ]

    @Test(arguments: addresses) func `an address is cut to its network`(sent: String, stored: String) throws {
        for name in ["address", "ip", "ipAddress", "relatedAddress"] {
            let text = JSONValue.object(["id": "c", "type": "remote-candidate", name: .string(sent)]).canonicalText
            let object = try #require(try parseStats("[\(text)]").reports.first?.objects.first)
            #expect(object.members[name] == .string(stored))
        }
    }

    @Test func `fragments, certificates and passwords are dropped, fingerprints stay`() throws {
        let body = try parseStats(
            #"[{"id":"t","type":"transport","usernameFragment":"a","iceLocalUsernameFragment":"b","password":"c","#
                + #""credential":"d","base64Certificate":"e","fingerprint":"F0:0D","url":"turn:turn.example:3478"}]"#)
        #expect(
            body.reports.first?.objects.first?.members
                == ["fingerprint": "F0:0D"])
    }

    @Test(arguments: [
        "Password", "UsernameFragment", "username_fragment", "ice_pwd", "icePwd", "ICE_PWD", "ice-ufrag", "IceUfrag",
        "base64_certificate", "iceLocalUsernameFragment", "ice_local_username_fragment", "URL", "device_id", "deviceID",
        "turnCredential", "turnPassword", "turn_username", "credentials", "passwd", "localPwd", "remote-password",
        "localUfrag", "token", "access_token", "AUTHTOKEN", "apiKey", "api_key", "cookie", "Authorization",
        "Proxy-Authorization", "clientSecret", "inputDeviceLabel", "outputDeviceLabel", "audioInputLabel",
        "speakerLabel", "cameraName", "Device-Label",
    ])
    func `a secret member goes however its name is spelled`(name: String) throws {
        let members: JSONObject = [name: "s3cr3t", "detail": [name: "s3cr3t", "x": 1]]
        let kept: JSONObject = ["detail": ["x": 1]]
        let heading: JSONObject = ["id": "t", "type": "transport"]
        let report = JSONValue.object(heading.merging(members) { $1 }).canonicalText
        #expect(try parseStats("[\(report)]").reports.first?.objects.first?.members == kept)
        let event: JSONObject = ["action": "a", "type": "b", "callId": "c", "time": 1_697_705_722_479]
        let body = JSONValue.object(event.merging(members) { $1 }).canonicalText
        #expect(try parseEvents(body).events.first?.members == kept)
    }

    @Test func `a name that has such a word elsewhere than at its end says nothing of a secret`() throws {
        let members: JSONObject = [
            "tokenType": "JWT", "passwordLength": 8, "label": "chat", "codecName": "opus", "foundation": "1",
            "state": "x", "inputLevel": 0.5,
        ]
        let report = JSONValue.object(members.merging(["id": "t", "type": "data-channel"]) { $1 }).canonicalText
        #expect(try parseStats("[\(report)]").reports.first?.objects.first?.members == members)
    }

    @Test func `digits in a statistics object are not kept`() throws {
        let body = try parseStats(
            ##"[{"id":"t","type":"dtmf","digits":"1234#","tone":"5","toneGap":70},{"id":"u","type":"transport"}]"##)
        #expect(body.reports.first?.objects.map(\.members) == [["toneGap": 70], [:]])
    }

    @Test func `addresses in a list are cut, too`() throws {
        let event =
            #"{"action":"a","type":"b","callId":"c","time":1697705722479,"detail":{"address":["10.77.0.2"]}}"#
        #expect(try parseEvents(event).events.first?.members == ["detail": ["address": ["10.77.0.0/24"]]])
    }

    private static let description = [
        "v=0", "o=- 1 2 IN IP4 10.77.0.2", "c=IN IP4 10.77.0.2", "m=audio 9 UDP/TLS/RTP/SAVPF 111",
        "a=ice-ufrag:abcd", "a=ice-pwd:secret", "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:secret",
        "a=fingerprint:sha-256 F0:0D",
        "a=candidate:1 1 udp 2113937151 10.77.0.2 5000 typ srflx raddr 192.168.1.7 rport 5001 ufrag abcd", "",
    ].joined(separator: "\r\n")
    private static let keptDescription = [
        "v=0", "o=- 1 2 IN IP4 10.77.0.0/24", "c=IN IP4 10.77.0.0/24", "m=audio 9 UDP/TLS/RTP/SAVPF 111",
        "a=fingerprint:sha-256 F0:0D",
        "a=candidate:1 1 udp 2113937151 10.77.0.0/24 5000 typ srflx raddr 192.168.1.0/24 rport 5001 ufrag -", "",
    ].joined(separator: "\r\n")

    @Test func `keys and addresses are taken out of session descriptions`() throws {
        let event: JSONValue = [
            "action": "sdp", "type": "offer", "callId": "c", "time": 1_697_705_722_479,
            "detail": ["sdp": .string(Self.description), "address": "10.77.0.2", "password": "x"],
        ]
        let stored = try parseEvents(event.canonicalText).events.first?.members
        #expect(stored == ["detail": ["sdp": .string(Self.keptDescription), "address": "10.77.0.0/24"]])
        let object: JSONValue = [
            "id": "s", "type": "peer-connection", "localDescription": .string(Self.description),
        ]
        let members = try parseStats("[\(object.canonicalText)]").reports.first?.objects.first?.members
        #expect(members == ["localDescription": .string(Self.keptDescription)])
    }

    private static let dialled: [(String, JSONValue)] = [
        (#""detail":{"digits":"1234#","queued":true}"#, ["detail": ["count": 5, "queued": true]]),
        (#""detail":{"count":4,"tones":"1234"}"#, ["detail": ["count": 4]]),
        (#""value":"77""#, ["count": 2]),
    ]

    @Test(arguments: ["\"value\":\"1234\"", "\"detail\":{\"code\":\"1234\"}", "\"detail\":{\"dtmf\":\"1234\"}"])
    func `tones of any action and member are counted, never kept`(sent: String) throws {
        let body = "{\"action\":\"operation\",\"type\":\"sendDTMF\",\"callId\":\"c\",\"time\":1697705722479,\(sent)}"
        let event = try #require(EventsBody.parse(Array(body.utf8), in: .events).events.first)
        #expect(!JSONValue.object(event.members).canonicalText.contains("1234"))
        #expect(event.detail("count") == 4)
        #expect(event.meanings == [.tones(4)])
    }

    /// However a client names the action, the operation and the member: passwords and account numbers are dialled.
    @Test(arguments: [
        #""action":"dtmf","type":"sendDTMF","detail":{"Tone":"48151"}"#,
        #""action":"dtmf","type":"sendDTMF","detail":{"dtmfTones":"48151"}"#,
        #""action":"dtmf","type":"sendDTMF","detail":"48151","reason":"sent 48151""#,
        #""action":"DTMF","type":"sendDTMF:","value":"48151""#,
        #""action":"operation","type":"playDTMFCode:localPlayback:","value":"48151","success":true"#,
        #""action":"operation","type":"Call.sendDtmf","value":48151"#,
        #""action":"keypad","type":"onDtmfPressed","detail":{"Key":"48151","text":"pressed 48151"}"#,
        #""action":"app","type":"keypad","detail":{"DTMF_Digits":["4","8","1","5","1"]}"#,
    ])
    func `no digit of a tone is kept, whatever the client calls it`(sent: String) throws {
        let event = try #require(
            try parseEvents("{\(sent),\"callId\":\"c\",\"time\":1697705722479}").events.first)
        #expect(!JSONValue.object(event.members).canonicalText.contains("4815"))
        #expect(event.detail("count") == 5)
    }

    @Test(arguments: [
        ("dtmf", "sendDTMF:48151"), ("dtmf", "sendDTMF(48151)"), ("app", "DTMF *48151#"), ("dtmf:48151", "sent"),
    ])
    func `no digit of a tone stands in the name of the event`(action: String, type: String) throws {
        let body = #"{"action":"\#(action)","type":"\#(type)","callId":"c","time":1697705722479}"#
        let event = try #require(try parseEvents(body).events.first)
        #expect(!"\(event)".contains("4815"))
    }

    @Test func `numbers before the word stay in the name of the event`() throws {
        let body = #"{"action":"dtmf","type":"rfc2833Dtmf","callId":"c","time":1697705722479}"#
        #expect(try parseEvents(body).events.first?.type == "rfc2833Dtmf")
    }

    @Test func `an address in the name of a member is cut, too`() throws {
        let event =
            #"{"action":"a","type":"b","callId":"c","time":1697705722479,"detail":{"203.0.113.77":{"10.77.0.2:5060":1}}}"#
        #expect(
            try parseEvents(event).events.first?.members
                == ["detail": ["203.0.113.0/24": ["10.77.0.0/24:5060": 1]]])
    }

    @Test(arguments: dialled) func `dialled digits are counted, never kept`(sent: String, stored: JSONValue) throws {
        let body = try parseEvents(
            "{\"action\":\"dtmf\",\"type\":\"sendDTMF\",\"callId\":\"c\",\"time\":1697705722479,\(sent)}")
        #expect(body.events.first.map { JSONValue.object($0.members) } == stored)
    }
}
