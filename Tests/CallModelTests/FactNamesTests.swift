import CallModel
import Testing

@Suite struct FactNamesTests {
    private func names(_ action: String, _ type: String, _ members: JSONObject) -> [CallName] {
        let time = Timestamp(milliseconds: 0)
        return Fact.event(
            CallEvent(time: time, receivedAt: time, action: action, type: type, members: members)
        ).names
    }

    @Test(arguments: [("s-81", "s-81"), (7, "7")] as [(JSONValue, String)])
    func `an event names its session`(value: JSONValue, text: String) {
        #expect(
            names("callState", "IN_CALL", ["sessionId": value])
                == [CallName(.session, text, source: "sessionId")])
    }

    @Test(
        arguments: [
            "", .null, true, ["s-81"], .string(String(repeating: "x", count: 257)),
        ] as [JSONValue])
    func `what can be no id names nothing`(value: JSONValue) {
        #expect(names("callState", "IN_CALL", ["sessionId": value]) == [])
    }

    static let userData: [(sent: String, kept: String)] = [
        ("53656e73;encoding=hex", "53656e73"), ("53656E73", "53656e73"), ("\"Sens\";encoding=ascii", "Sens"),
        ("56a390f3d2b7310023a2;encoding=hex;purpose=isdn-uui;content=isdn-uui", "56a390f3d2b7310023a2"),
    ]

    @Test(arguments: userData)
    func `User-to-User information is the same, as a client gives it and as SIP carries it`(
        sent: String, kept: String
    ) {
        let value = JSONValue.string(sent)
        let given = [CallName(.userToUser, kept, source: "uuiData")]
        #expect(names("session", "sessionCreated", ["detail": ["uuiData": value]]) == given)
        #expect(names("session", "sessionCreated", ["uuiData": value]) == given)
        #expect(names("sip", "INVITE", ["userToUser": value]) == [CallName(.userToUser, kept, source: "User-to-User")])
    }

    @Test func `header fields name a call, short values only in fields for ids`() {
        let aliases: JSONValue = ["X-Call-ID: 1", "X-Tries: 1", "X-Other:  longer: value", "no field", 7]
        #expect(
            names("sip", "INVITE", ["aliases": aliases, "sessionId": "none of SIP"]) == [
                CallName(.header, "1", source: "X-Call-ID"), CallName(.header, "longer: value", source: "X-Other"),
            ])
    }

    static let ssrcs: [(JSONValue, String?)] = [
        ("3735928559", "3735928559"), (3_735_928_559, "3735928559"), ("0xDEADBEEF", "3735928559"),
        ("deadbeef", "3735928559"), ("0", nil), ("4294967296", nil), ("-1", nil), ("", nil), (true, nil),
        ("12345678", "12345678"), ("0x", nil),
    ]

    @Test(arguments: ssrcs) func `an SSRC is decimal, else hexadecimal`(value: JSONValue, text: String?) {
        let expected = text.flatMap(UInt32.init).map { CallName(.reportedSSRC, String($0), source: "didReceiveSSRCs") }
        #expect(
            names("ssrc", "didReceiveSSRCs", ["detail": ["audio": [value]]]) == [expected].compactMap { $0 })
    }

    @Test func `reports name the SSRCs of their streams`() {
        let time = Timestamp(milliseconds: 0)
        let objects = [
            StatsObject(id: "a", type: .inboundRTP, timestamp: nil, members: ["ssrc": 5]),
            StatsObject(id: "b", type: .outboundRTP, timestamp: nil, members: ["ssrc": "6"]),
            StatsObject(id: "c", type: .remoteInboundRTP, timestamp: nil, members: ["ssrc": 7]),
            StatsObject(id: "d", type: .codec, timestamp: nil, members: ["ssrc": 8]),
        ]
        let report = StatsReport(connection: .only, time: time, receivedAt: time, objects: objects)
        #expect(
            Fact.report(report).names == [
                CallName(.reportedSSRC, "5", source: "inbound-rtp"),
                CallName(.reportedSSRC, "6", source: "outbound-rtp"),
            ])
        let stream = WireStream(
            id: "9", ssrc: 9, source: "", destination: "", kind: .audio, payloadType: 0, firstPacketAt: time,
            lastPacketAt: time)
        #expect(
            Fact.wire(WireReport(time: time, receivedAt: time, streams: [stream])).names
                == [CallName(.observedSSRC, "9", source: "RTP")])
    }
}
