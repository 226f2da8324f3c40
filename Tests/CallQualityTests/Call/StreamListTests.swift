import CallModel
import Testing

@testable import CallQuality

/// Records of very many streams.
@Suite struct StreamListTests {
    /// A report of inbound sound whose streams stand in some order.
    private func report(_ numbers: some Sequence<Int>, at second: Int64) -> Fact {
        let time = Timestamp(milliseconds: 1_800_000_000_000 + 1_000 * second)
        let objects = numbers.map { number in
            StatsObject(
                id: String(format(number)), type: .inboundRTP, timestamp: time,
                members: [
                    "kind": "audio", "ssrc": .integer(Int64(number)), "packetsReceived": .integer(50 * second),
                    "packetsLost": 0,
                ])
        }
        return .report(StatsReport(connection: .only, time: time, receivedAt: time, objects: objects))
    }

    /// Ids in another order than the SSRCs, so that no stream stands where the one before it lets expect it.
    private func format(_ number: Int) -> String { String(String(number).reversed()) + "x\(number)" }

    private func session() -> CallSession {
        CallSession(
            key: CallKey(
                identity: CallIdentity(tenant: .default, call: CallID(rawValue: "many")), observer: .client, attempt: 1)
        )
    }

    @Test func `each of many streams goes on where it was, also after the state was stored`() throws {
        var session = session()
        _ = session.fold([report(0..<200, at: 0)])
        var restored = try #require(CallSession(archived: session.archived()))
        _ = restored.fold([report((0..<200).reversed(), at: 10)])
        let streams = try #require(restored.summary()).streams
        #expect(streams.count == 200)
        #expect(streams.allSatisfy { $0.packets == 500 && $0.segments == 1 })
    }

    @Test func `more than so many are left out, and the report says so`() throws {
        var session = session()
        _ = session.fold([report(0..<StreamList.most, at: 0), report(0..<(StreamList.most + 5), at: 10)])
        let summary = try #require(session.summary())
        #expect(summary.streams.count == StreamList.most)
        #expect(summary.dataQuality.notes.contains("more than 1000 streams, the later ones left out"))
    }
}
