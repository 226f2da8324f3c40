import TestSupport
import Testing

@testable import ClickHouseStore

/// What the engine makes of texts in statements.
@Suite(TestClickHouse.oneServer.required) struct LiteralTests {
    private func answer(_ select: String) async throws -> [String] {
        try await TestClickHouse.oneServer.withClient { client in
            var reader = try await client.rows(select)
            var texts: [String] = []
            while !reader.isAtEnd { texts.append(try reader.string()) }
            return texts
        }
    }

    private func same(_ one: [String], _ other: [String]) -> Bool {
        one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    /// Each in a statement of its own would take long: what one of them broke, the next one would show.
    @Test(arguments: 0..<20) func `the engine gives back any text that is a literal`(seed: Int) async throws {
        var random = RandomSource(seed: UInt64(seed))
        let texts = (0..<50).map { _ in RandomText.text(using: &random) }
        let columns = texts.map { "SELECT \(ClickHouseText.literal($0))" }
        #expect(same(try await answer(columns.joined(separator: " UNION ALL ")).sorted(), texts.sorted()))
    }

    @Test func `every character of one byte is a literal that the engine gives back`() async throws {
        let texts = (0...0x7F).map { String(Unicode.Scalar($0)) } + ["\\'", "'", "\\", "'; SELECT 1; --", "/*"]
        for text in [texts.joined()] + texts {
            #expect(same(try await answer("SELECT \(ClickHouseText.literal(text))"), [text]))
        }
    }

    @Test(arguments: 0..<20) func `any text but none can be a name`(seed: Int) async throws {
        var random = RandomSource(seed: UInt64(seed))
        let names = (0..<10).map { "n\($0)" + RandomText.text(using: &random) }
        let selected = names.map { "1 AS \(ClickHouseText.name($0))" }.joined(separator: ", ")
        let asked = names.map { "toString(\(ClickHouseText.name($0)))" }.joined(separator: ", ")
        #expect(try await answer("SELECT arrayJoin([\(asked)]) FROM (SELECT \(selected))") == names.map { _ in "1" })
    }
}
