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

    /// The wire report number `index` of a call whose audio began 5 s before the first.
    static func wire(_ index: Int, call: String) -> String {
        let time = start + Int64(index) * 5_000
        let packets = Int64(index + 1) * 250
        let stream: JSONValue = [
            "ssrc": 4711, "source": "10.77.0.2:4000", "destination": "10.78.0.3:5004", "kind": "audio",
            "payloadType": 0, "mimeType": "audio/PCMU", "clockRate": 8000, "clockOrigin": "static",
            "packetMilliseconds": 20, "firstPacketAt": .integer(start - 5_000), "lastPacketAt": .integer(time - 20),
            "packetsReceived": .integer(packets), "packetsLost": 0, "bytesReceived": .integer(packets * 160),
            "jitter": 0.004, "lossRuns": [],
        ]
        let report: JSONValue = [
            "callId": .string(call), "observer": "wire:caller", "time": .integer(time), "streams": [stream],
            "sensor": ["packetsDroppedByKernel": 0, "packetsRecordedTwice": .integer(Int64(index))],
            "audioPacketsSent": .integer(packets),
        ]
        return report.canonicalText
    }

    /// A SIP message as a probe tells of it, so many milliseconds after the start.
    static func sip(_ type: String, at milliseconds: Int64, call: String, members: JSONObject = [:]) -> String {
        var event = members
        event["callId"] = .string(call)
        event["observer"] = "wire:caller"
        event["time"] = .integer(start + milliseconds)
        event["action"] = "sip"
        event["type"] = .string(type)
        return JSONValue.object(event).canonicalText
    }

    /// The event that ends a call.
    static func end(_ index: Int, call: String) -> String {
        event(index, call: call, type: "ENDED", action: "callState")
    }
}
