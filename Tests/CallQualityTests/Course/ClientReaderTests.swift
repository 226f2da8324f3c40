import CallModel
import Testing

@testable import CallQuality

/// What program an end is.
@Suite struct ClientReaderTests {
    @Test(
        arguments: [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36",
                "Chrome 148"
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.7390.37 Safari/537.36",
                "Chrome 141"
            ),
            (
                "Mozilla/5.0 (Macintosh) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.81",
                "Edge 126"
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1",
                "Chrome 126"
            ),
            (
                "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Safari/605.1.15",
                "Safari 17"
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox 127"),
            ("Linphone/5.2.0 (belle-sip/5.2.0)", "Linphone 5.2"),
            ("baresip v2.0.0 (x86_64/linux)", "baresip 2.0"),
            ("Asterisk PBX 18.10.0~dfsg+~cs6.10", "Asterisk PBX 18.10"),
            ("MyApp iOS/4.2.1", "MyApp iOS 4.2"),
            ("FPBX-16.0.40(18.13.0)", nil),
            ("Twinkle", "Twinkle"),
            ("softphone (beta)", "softphone"),
            ("app/dev", "app"),
            ("app/.5", "app"),
            ("<script>alert(1)</script>", nil),
            ("", nil),
            (" / / ", nil),
            (String(repeating: "x", count: 500) + "/1", String(repeating: "x", count: 48)),
        ] as [(String, String?)])
    func `a program is its name and the first numbers of its version`(userAgent: String, expected: String?) {
        #expect(ProgramName.short(of: userAgent) == expected)
    }

    private func client(_ events: [(action: String, members: JSONObject)], seenBy observer: String) throws -> String? {
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "c"))
        let key = CallKey(identity: identity, observer: ObserverID(rawValue: observer), attempt: 1)
        var session = CallSession(key: key)
        let facts = events.enumerated().map { index, event in
            let time = Timestamp(milliseconds: Int64(index))
            return Fact.event(
                CallEvent(
                    time: time, receivedAt: time, action: event.action, type: "\(index)", members: event.members))
        }
        _ = session.fold(facts)
        return try #require(session.summary()).client
    }

    @Test func `the last that an end calls itself counts, and nothing that is no name`() throws {
        let events: [(String, JSONObject)] = [
            ("callMetric", ["userAgent": "App/1.2"]), ("callMetric", ["detail": ["userAgent": "App/1.3.4"]]),
            ("callState", ["userAgent": "()"]), ("callState", [:]),
        ]
        #expect(try client(events, seenBy: "client") == "App 1.3")
        #expect(try client([("callState", [:])], seenBy: "client") == nil)
    }

    @Test func `a probe tells the two ends apart`() throws {
        let messages: [(String, JSONObject)] = [
            ("sip", ["end": "caller", "userAgent": "Linphone/5.2.0"]),
            ("sip", ["end": "callee", "userAgent": "baresip v2.0"]),
            ("sip", ["userAgent": "nobody"]),
            ("sip", ["end": "callee", "statusCode": 100, "userAgent": "kamailio (5.6.3 (x86_64/linux))"]),
        ]
        #expect(try client(messages, seenBy: "wire:caller") == "Linphone 5.2")
        #expect(try client(messages, seenBy: "wire:callee") == "baresip 2.0")
        #expect(try client(messages, seenBy: "wire:A") == nil)
    }
}
