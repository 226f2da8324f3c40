import CallModel
import ClickHouseStore
import TestSupport
import Testing

/// Commits that fail half way, and those of several nodes.
@Suite(TestClickHouse.oneServer.required) struct ClickHouseCommitTests {
    private let server = TestClickHouse.oneServer

    private func change(_ scores: [Int]) -> RecordChange {
        let windows = scores.enumerated().map { index, score in
            let start = Int64(index) * 10_000
            return ScoreInterval(series: .window, start: at(start), end: at(start + 10_000), score: score)
        }
        return .sample(.sample(.sample("call")), derived: .replace([], windows))
    }

    @Test func `rows of a commit that failed are not shown with those of the next one`() async throws {
        try await server.withStore { store, database in
            try await store.commit([change([50])])
            // Folds are written after scores, and records last.
            try await server.run("DETACH TABLE \(database).folds")
            await #expect(throws: CallStoreError.self) { try await store.commit([change([60, 70, 80])]) }
            try await server.run("ATTACH TABLE \(database).folds")
            #expect(try await store.scores(of: .sample("call"), series: .window).map(\.score) == [50])
            try await store.commit([change([90])])
            #expect(try await store.scores(of: .sample("call"), series: .window).map(\.score) == [90])
        }
    }

    @Test func `an erasure that failed half way is done by the next one`() async throws {
        try await server.withStore { store, database in
            try await store.commit([change([50]), .sample(.sample("other"))])
            // Tombstones are written before anything is taken out.
            try await server.run("DETACH TABLE \(database).facts")
            await #expect(throws: CallStoreError.self) { try await store.erase(.sample("call"), now: at(0)) }
            try await server.run("ATTACH TABLE \(database).facts")
            #expect(try await store.counts() == StoreCounts(calls: 1, records: 1, facts: 0, tombstones: 1))
            let removals = "SELECT DISTINCT table FROM system.mutations WHERE database = '\(database)' ORDER BY table"
            #expect(try await server.run(removals) == "")

            #expect(try await store.erase(.sample("call"), now: at(0)) == 0)
            #expect(try await server.run(removals) == "facts\nfolds\nnames\nrecords\nsamples\nscores\n")
            #expect(try await store.counts() == StoreCounts(calls: 1, records: 1, facts: 0, tombstones: 1))
        }
    }

    @Test func `numbers of records go on where they ended before, and no two nodes give the same`() async throws {
        try await server.withDatabase { address in
            func write(_ calls: String..., by node: String) async throws {
                try await TestClickHouse.withStore(address, node: node) { store in
                    for call in calls { try await store.commit([.sample(.sample(call))]) }
                }
            }
            try await write("1", "2", by: "one")
            try await write("3", by: "other")
            try await write("4", "5", by: "one")
            let database = address.split(separator: "/").last ?? ""
            let calls = try await server.run("SELECT call_id FROM \(database).records ORDER BY number")
            #expect(calls.split(separator: "\n") == ["1", "2", "3", "4", "5"])

            try await TestClickHouse.withStore(address, node: "one") { one in
                try await TestClickHouse.withStore(address, node: "other") { other in
                    for number in 6..<10 {
                        try await one.commit([.sample(.sample("one \(number)"))])
                        try await other.commit([.sample(.sample("other \(number)"))])
                    }
                }
            }
            let numbers = try await server.run("SELECT uniqExact(number), count() FROM \(database).records")
            #expect(numbers == "13\t13\n")
        }
    }

    @Test func `a mark bears the version of the node that sets it, as a commit of it would`() async throws {
        try await server.withDatabase { address in
            try await TestClickHouse.withStore(address, node: "one") { one in
                try await TestClickHouse.withStore(address, node: "other") { other in
                    try await one.commit([.sample(.sample("marked")), .sample(.sample("committed"))])
                    try await other.markAllDirty([.sample("marked")])
                    try await other.commit([.sample(.sample("committed"))])
                }
            }
            let database = address.split(separator: "/").last ?? ""
            let versions = try await server.run("SELECT DISTINCT ver FROM \(database).records FINAL")
            #expect(versions.split(separator: "\n").count == 1)
        }
    }
}
