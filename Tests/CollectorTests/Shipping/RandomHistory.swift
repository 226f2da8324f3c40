import CallModel
import SQLiteStore
import TestSupport

@testable import Collector

/// What may happen to a collector: messages of calls and their sessions in any order, again and again, new folds, marks,
/// erasures and restarts.
struct RandomHistory {
    static let calls = ["c-1", "c-2", "c-3", "c-4", "s-1", "s-2"].map { CallKey.of($0).identity }

    private var random: RandomSource

    init(seed: UInt64) { random = RandomSource(seed: seed) }

    private mutating func chance(_ times: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < times }

    private mutating func call() -> String { "c-\(Int.random(in: 1...4, using: &random))" }
    private mutating func session() -> String { "s-\(Int.random(in: 1...2, using: &random))" }

    /// Few moments, so that facts meet others of the same key; one far away.
    private mutating func time() -> Int64 {
        chance(1, in: 40) ? 9_000_000 : Int64.random(in: 0...40, using: &random) * 2500
    }

    /// Some message of one of the calls.
    mutating func message() -> Message {
        let time = time()
        let side = chance(1, in: 3) ? #""side":"callee","# : ""
        let header = chance(1, in: 4) ? #""aliases":["X-Call-ID: \#(call())@pbx"],"# : ""
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .event("callMetric", "callCreate", at: time, call: call(), side)
        case 1: return .event("callMetric", "callRinging", at: time, call: call(), session: session(), side + header)
        case 2: return .event("callMetric", "callAnswerReceived", at: time, call: call(), session: session())
        case 3: return .event("iceState", "iceConnected", at: time, call: call(), #""n":\#(Int(time) % 3),"#)
        case 4: return .event("connection", "onConnectionLost", at: time, session: session())
        case 5: return .event("callState", "ENDED", at: time, call: call(), side)
        case 6: return .statistics(at: time, path: session())
        case 7: return .wire(at: time + 5000, call: call())
        default:
            return .statistics(at: time, path: call(), ssrc: UInt32.random(in: 5...7, using: &random), members: side)
        }
    }

    /// Lets something happen.
    mutating func goOn(_ fixture: CollectorFixture) async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: await fixture.collector.maintain()
        case 1: try await fixture.restart()
        case 2: try await fixture.store.markAllDirty(chance(1, in: 2) ? [] : [CallKey.of(call()).identity])
        case 3 where chance(1, in: 4):
            _ = try await fixture.collector.erase(CallKey.of(chance(1, in: 3) ? session() : call()).identity)
        default:
            var submissions: [Submission] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) { submissions += try message().submissions() }
            _ = try await fixture.collector.submit(submissions)
            // What was refused, for its call is erased, is refused again.
            if chance(1, in: 4) { _ = try await fixture.collector.submit(submissions) }
        }
    }

    /// A limit that most often takes a few records, and sometimes a part of one.
    mutating func limit() -> OutboxLimit {
        OutboxLimit(rows: Int.random(in: 1...60, using: &random), bytes: .max)
    }

    /// Whether something goes wrong now.
    mutating func fails(_ times: Int, in all: Int) -> Bool { chance(times, in: all) }
}
