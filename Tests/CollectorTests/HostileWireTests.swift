import CallModel
import ClientStats
import Collector
import SQLiteStore
import TestSupport
import Testing

/// Probes may say anything: whatever the server takes in, it can fold, score and store.
@Suite struct HostileWireTests {
    private static let values: [JSONValue] = [
        0, 1, 50, 250, 480_000, 1e15, 1e-300, 9_007_199_254_740_992, "12", 0.5, -0.0, .null,
    ]
    private static let signed: [JSONValue] = [-1, -1e15, -9_007_199_254_740_992, 3]
    private static let moments: [Int64] = [
        946_684_800_000, 4_102_444_799_999, 1_795_230_000_000, 1_795_230_004_000, 1_795_229_999_999,
    ]
    private static let counts: [JSONValue] = [0, 1, 7, 2_147_483_647]
    private static let types = [
        "INVITE", "180", "200", "BYE", "BYE 200", "HOLD", "RESUME", "T38", "487", "UPDATE", "nonsense",
    ]

    private func pick<Value>(_ values: [Value], using random: inout RandomSource) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private func moment(using random: inout RandomSource) -> JSONValue {
        .integer(pick(Self.moments, using: &random))
    }

    private func stream(using random: inout RandomSource) -> JSONValue {
        var members: JSONObject = [
            "ssrc": pick([1, 2, 4_294_967_295], using: &random), "kind": pick(["audio", "video"], using: &random),
            "role": pick(["primary", "retransmission", .null], using: &random),
            "payloadType": pick([0, 96, 127], using: &random), "firstPacketAt": moment(using: &random),
            "lastPacketAt": moment(using: &random), "lastControlAt": moment(using: &random),
            "clockRate": pick([1, 8_000, 4_294_967_295, .null], using: &random),
            "mimeType": pick(["audio/opus", "audio/PCMU", "x", .null], using: &random),
            "packetMilliseconds": pick(Self.values, using: &random),
            "lastOutage": ["start": moment(using: &random), "end": moment(using: &random)],
            "lossRuns": .array((0..<10).map { _ in pick(Self.counts, using: &random) }),
            "delayBuckets": .array((0..<8).map { _ in pick(Self.counts, using: &random) }),
        ]
        for figure in WireFigure.allCases where Int.random(in: 0..<3, using: &random) > 0 {
            members[figure.name] = pick(Self.values, using: &random)
        }
        for figure in [WireFigure.maximumSkew, .clockDrift, .receiverPacketsLost, .packetsLostBehind] {
            members[figure.name] = pick(Self.signed, using: &random)
        }
        // Is refused whole.
        if Int.random(in: 0..<20, using: &random) == 0 { members["jitter"] = -1 }
        return .object(members)
    }

    private func line(at time: Int64, call: String, using random: inout RandomSource) -> String {
        var members: JSONObject = ["callId": .string(call), "time": .integer(time)]
        if Int.random(in: 0..<4, using: &random) == 0 {
            members["action"] = "sip"
            members["type"] = .string(pick(Self.types, using: &random))
            members["aliases"] = pick(["x", ["a", 1], []], using: &random)
        } else {
            members["streams"] = .array((0..<3).map { _ in stream(using: &random) })
            members["audioPacketsSent"] = pick([0, 5, 9_007_199_254_740_992, .null], using: &random)
            members["sensor"] = [
                "packetsDroppedByKernel": pick(Self.counts, using: &random),
                "holes": [
                    ["start": moment(using: &random), "end": moment(using: &random)], ["start": 1_795_230_000_000],
                ],
            ]
        }
        return JSONValue.object(members).canonicalText
    }

    @Test(arguments: 1...100)
    func `any wire report that is taken in can be folded, scored and stored`(seed: UInt64) async throws {
        var random = RandomSource(seed: seed)
        let fixture = try CollectorFixture()
        let call = "hostile-\(seed)"
        let context = ParsingContext(receivedAt: Timestamp(milliseconds: 1_795_230_000_000))
        var batch: [Submission] = []
        for step in 0..<30 {
            let time = 1_795_230_000_000 + Int64(step) * pick([10, 1_000, 5_000], using: &random)
            let text = line(at: time, call: call, using: &random)
            guard let parsed = try? WireBody.parse(Array(text.utf8), in: context) else { continue }
            batch += parsed.submissions
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            _ = try await fixture.collector.submit(batch)
            batch = []
        }
        _ = try await fixture.collector.submit(batch)
        #expect(await fixture.collector.counters.accepted > 10)
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: call))
        try await fixture.collector.settle(identity)
        for stored in try await fixture.store.summaries(of: identity) {
            #expect(stored.summary.score.map { (0...100).contains($0) } ?? true)
            #expect(try await fixture.report(stored.summary.key)?.isEmpty == false)
        }
    }
}
