import CallModel
import TestSupport
import Testing

@testable import Collector

/// Whatever reaches which node, and whenever it is shipped and put together.
@Suite(TestClickHouse.oneServer.required) struct MergePropertyTests {
    @Test(arguments: 2...4 as ClosedRange<UInt64>) func `two nodes end as one`(seed: UInt64) async throws {
        try await SharedDatabase.with { shared in
            var history = RandomHistory(seed: seed)
            var random = RandomSource(seed: seed &+ 1_000)
            for _ in 0..<60 {
                let way = SharedDatabase.Way.allCases.randomElement(using: &random) ?? .both
                try await shared.post(history.message(), to: way)
                if history.fails(1, in: 10) { try await shared.ship(Int.random(in: 0...1, using: &random)) }
                if history.fails(1, in: 20) { try await shared.merge(from: Int.random(in: 0...1, using: &random)) }
            }
            try await shared.ship()
            #expect(try await shared.merge().failures.isEmpty)
            try await shared.expectSame(RandomHistory.calls, "seed \(seed)")
        }
    }
}
