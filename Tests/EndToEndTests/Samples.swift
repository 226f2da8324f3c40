import CallModel

/// Small messages of a made-up call, for tests that are about the road and not about what travels on it.
enum Samples {
    /// When the made-up calls begin: 2026-05-05T16:53:20Z.
    static let start: Int64 = 1_778_000_000_000

    /// The report number `index` of a call that reports every 10 s and loses nothing.
    static func report(_ index: Int) -> String {
        let time = start + Int64(index) * 10_000
        let stream: JSONValue = [
            "id": "IT1", "type": "inbound-rtp", "kind": "audio", "ssrc": 4711, "timestamp": .integer(time),
            "packetsReceived": .integer(Int64(index) * 500), "packetsLost": 0, "jitter": 0.004,
            "bytesReceived": .integer(Int64(index) * 40_000),
            "totalSamplesReceived": .integer(Int64(index) * 480_000), "concealedSamples": 0,
        ]
        let report: JSONValue = ["role": "caller", "time": .integer(time), "statistics": .array([stream])]
        return report.canonicalText
    }

    /// An event of a made-up call; `index` makes its time.
    static func event(_ index: Int, call: String, type: String = "iceConnected", action: String = "iceState") -> String
    {
        let event: JSONValue = [
            "callId": .string(call), "observer": "caller", "time": .string(String(start + Int64(index) * 1000 + 7)),
            "action": .string(action), "type": .string(type),
        ]
        return event.canonicalText
    }

    /// The event that ends a call.
    static func end(_ index: Int, call: String) -> String {
        event(index, call: call, type: "ENDED", action: "callState")
    }
}
