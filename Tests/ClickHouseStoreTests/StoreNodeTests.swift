import TestSupport
import Testing

@testable import ClickHouseStore

@Suite struct StoreNodeTests {
    private let names = ["", "a/serve", "b/serve", "b/import", "ключ"]

    @Test func `whatever nodes do after the same version, theirs are later, and no two the same`() {
        for earlier in [0, 1, 65_535, 65_536, 1 << 40] as [UInt64] {
            let versions = names.map { StoreNode($0).version(after: earlier) }
            #expect(Set(versions).count == names.count)
            #expect(versions.allSatisfy { $0 > earlier })
        }
    }

    @Test func `numbers go on behind any that is there`() {
        for earlier in [0, 7, 65_536, 1 << 40] as [Int64] {
            #expect(names.allSatisfy { StoreNode($0).number(after: earlier) > earlier })
        }
    }

    @Test(TestClickHouse.oneServer.required) func `the engine computes the same versions`() async throws {
        var random = RandomSource(seed: 3)
        let versions = [0, 1, 65_535, 65_536] + (0..<50).map { _ in UInt64.random(in: 0..<(1 << 60), using: &random) }
        let node = StoreNode("a/serve")
        try await TestClickHouse.oneServer.withClient { client in
            let list = versions.map { "toUInt64(\($0))" }.joined(separator: ", ")
            var answer = try await client.rows(
                "SELECT \(node.version(afterColumn: "ver")) FROM (SELECT arrayJoin([\(list)]) AS ver)")
            var computed: [UInt64] = []
            while !answer.isAtEnd { computed.append(try answer.uint64()) }
            #expect(computed == versions.map(node.version(after:)))
        }
    }
}
