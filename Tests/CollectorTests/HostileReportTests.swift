import CallModel
import ClientStats
import Collector
import Foundation
import SQLiteStore
import TestSupport
import Testing

/// Clients may say anything: whatever the server takes in, it can fold, score and store.
@Suite struct HostileReportTests {
    private static let members = [
        "packetsReceived", "packetsLost", "packetsDiscarded", "retransmittedPacketsReceived", "bytesReceived",
        "totalSamplesReceived", "totalSamplesDuration", "concealedSamples", "silentConcealedSamples",
        "concealmentEvents", "insertedSamplesForDeceleration", "removedSamplesForAcceleration", "totalAudioEnergy",
        "jitterBufferDelay", "jitterBufferEmittedCount", "framesDecoded", "qpSum", "freezeCount",
        "totalFreezesDuration", "pauseCount", "totalPausesDuration", "jitter", "frameWidth", "frameHeight",
        "lastPacketReceivedTimestamp", "packetsSent", "bytesSent", "framesSent", "targetBitrate", "roundTripTime",
        "totalRoundTripTime", "roundTripTimeMeasurements", "audioLevel", "fractionLost", "responsesReceived",
        "currentRoundTripTime", "clockRate", "ssrc",
    ]

    private static let values: [JSONValue] = [
        0, 1, -1, 50, 480_000, -480_000, 1e300, -1e300, 1e-300, .integer(.max), .integer(.min), 9_007_199_254_740_991,
        4_294_967_295, "12", "1e400", "nan", "", true, .null, 0.5, -0.0,
    ]

    private static let types = [
        "inbound-rtp", "outbound-rtp", "remote-inbound-rtp", "remote-outbound-rtp", "candidate-pair", "transport",
        "codec", "local-candidate", "track", "media-playout", "unheard-of",
    ]

    private func object(_ id: Int, time: JSONValue, using random: inout RandomSource) -> (String, JSONValue) {
        var members: JSONObject = [
            "id": .string("o\(id)"), "type": .string(Self.types.randomElement(using: &random) ?? "codec"),
            "kind": Bool.random(using: &random) ? "audio" : "video", "timestamp": time,
            "codecId": "o0", "remoteId": .string("o\(Int.random(in: 0..<8, using: &random))"),
            "selectedCandidatePairId": "o3", "localCandidateId": "o4", "mimeType": "audio/opus",
        ]
        for member in Self.members where Int.random(in: 0..<3, using: &random) > 0 {
            members[member] = Self.values.randomElement(using: &random)
        }
        return ("o\(id)", .object(members))
    }

    private func report(at time: Int64, using random: inout RandomSource) -> [UInt8] {
        let stamps: [JSONValue] = [.integer(time), .integer(time * 1000), .double(Double(time) + 0.25), 1, -5, "soon"]
        var objects: JSONObject = [:]
        for id in 0..<8 {
            let stamp =
                Int.random(in: 0..<4, using: &random) > 0 ? .integer(time) : stamps.randomElement(using: &random)
            let (key, value) = object(id, time: stamp ?? .integer(time), using: &random)
            objects[key] = value
        }
        return Array(JSONValue.object(objects).canonicalText.utf8)
    }

    @Test(arguments: 1...20)
    func `any report that is taken in can be folded, scored and stored`(seed: UInt64) async throws {
        var random = RandomSource(seed: seed)
        let fixture = try CollectorFixture()
        let call = CallID(rawValue: "hostile-\(seed)")
        let context = ParsingContext(
            tenant: .default, call: call, observer: nil, receivedAt: Timestamp(milliseconds: 1_795_230_000_000))
        for step in 0..<30 {
            let time =
                1_795_230_000_000 + Int64(step) * [10, 1000, 10_000].randomElement(using: &random, default: 1000)
            guard let parsed = try? StatsBody.parse(report(at: time, using: &random), in: context) else { continue }
            _ = try await fixture.collector.submit(parsed.submissions)
        }
        #expect(await fixture.collector.counters.accepted > 10)
        let identity = CallIdentity(tenant: .default, call: call)
        try await fixture.collector.settle(identity)
        for stored in try await fixture.store.summaries(of: identity) {
            #expect(stored.summary.score.map { (0...100).contains($0) } ?? true)
            #expect(try await fixture.report(stored.summary.key)?.isEmpty == false)
        }
    }
}

extension Array where Element == Int64 {
    fileprivate func randomElement(using random: inout RandomSource, default value: Int64) -> Int64 {
        randomElement(using: &random) ?? value
    }
}
