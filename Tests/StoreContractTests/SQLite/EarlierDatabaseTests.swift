import CallModel
import Foundation
import GRDB
import JSONText
import StoreParts
import TestSupport
import Testing

@testable import SQLiteStore

/// What earlier versions wrote is read as they derived it, until it is derived anew.
@Suite struct EarlierDatabaseTests {
    private func withStore(
        _ database: EarlierDatabase, _ body: (SQLiteCallStore) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "calls.sqlite")
            try database.write(to: file)
            let store = try SQLiteCallStore.open(path: file.path)
            try await body(store)
            try await store.close()
        }
    }

    @Test(arguments: EarlierDatabase.allCases)
    func `its calls are listed and shown, marked with the rules of their figures`(
        database: EarlierDatabase
    ) async throws {
        try await withStore(database) { store in
            let calls = try await store.calls(CallQuery(sort: .worst, now: at(0))).calls.map(\.summary)
            #expect(calls.map(\.score) == [62, 65, nil])
            #expect(calls.map(\.rulesVersion) == Array(repeating: database.rulesVersion, count: 3))
            #expect(calls.map(\.outcome) == [.connected, .connected, .notAnswered])
            for summary in calls {
                let record = try #require(try await store.record(summary.key))
                #expect(record.summary == summary)
                #expect(record.windows.isEmpty == (summary.score == nil))
                let facts = try await store.facts(of: summary.key)
                #expect(facts.count == summary.dataQuality.reports + summary.dataQuality.events)
            }
        }
    }

    @Test func `that its columns do not tell that a probe stopped to watch is no damage`() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteCallStore.open(path: folder.appending(path: "calls.sqlite").path)
            var summary = CallSummary.sample(.sample("call"))
            summary.sensor = SensorHealth(watchedUntil: summary.lastActivity)
            try await store.commit([.sample(summary)])
            #expect(try await store.columnsUnlikeSummary(of: summary.key).isEmpty)
            try await store.write { try $0.execute(sql: "UPDATE record SET endedAt = NULL") }
            #expect(try await store.columnsUnlikeSummary(of: summary.key).isEmpty)
            try await store.write { try $0.execute(sql: "UPDATE record SET endedAt = 7") }
            #expect(try await store.columnsUnlikeSummary(of: summary.key) == ["record.endedAt"])
            try await store.close()
        }
    }

    @Test(arguments: EarlierDatabase.allCases) func `its records are outdated by later rules, and by no others`(
        database: EarlierDatabase
    ) async throws {
        try await withStore(database) { store in
            let later = RescoreQuery(rulesVersion: database.rulesVersion + 1)
            let outdated = try await store.countOutdated(later)
            let none = try await store.countOutdated(RescoreQuery(rulesVersion: database.rulesVersion))
            #expect(outdated == 3 && none == 0)
        }
    }

    @Test(arguments: EarlierDatabase.allCases) func `it gets the tables of a new one`(
        database: EarlierDatabase
    ) async throws {
        let columns: @Sendable (Database) throws -> [String] = { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT t.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk
                    FROM pragma_table_list t, pragma_table_info(t.name) c WHERE t.schema = 'main' ORDER BY 1
                    """)
        }
        var new: [String] = []
        try await withTemporaryFolder { folder in
            let store = try SQLiteCallStore.open(path: folder.appending(path: "calls.sqlite").path)
            new = try await store.read(columns)
            try await store.close()
        }
        try await withStore(database) { store in
            let earlier = try await store.read(columns)
            #expect(earlier == new)
        }
    }

    // MARK: Summaries that lack something

    /// A summary with streams, events and latencies, as it is stored today.
    private func summary() async throws -> CallSummary {
        var found: CallSummary?
        try await withStore(EarlierDatabase.first) { store in
            found = try await store.calls(CallQuery(sort: .worst, now: at(0))).calls.first?.summary
        }
        return try #require(found)
    }

    /// The paths of all members, those of the objects in lists left out; of streams those of the first.
    private func paths(in value: JSONValue) -> [[String]] {
        guard let members = value.members else { return [] }
        return members.keys.sorted().flatMap { name -> [[String]] in
            [[name]] + paths(in: members[name] ?? .null).map { [name] + $0 }
        }
    }

    private func removing(_ path: ArraySlice<String>, from value: JSONValue) -> JSONValue {
        guard var members = value.members, let name = path.first else { return value }
        members[name] = path.count > 1 ? members[name].map { removing(path.dropFirst(), from: $0) } : nil
        return .object(members)
    }

    /// What a database keeps of a summary that it was given as `text`, without a member.
    private func read(_ text: String, without member: String) throws -> JSONValue {
        let read = try StoredJSON.summary(of: text)
        return removing([member], from: try StoredJSON.value(of: StoredJSON.text(of: read)))
    }

    @Test func `a summary is read whichever member it lacks, and keeps all others`() async throws {
        let whole = try await summary()
        let text = StoredJSON.text(of: whole)
        let value = try StoredJSON.value(of: text)
        let head: Set<String> = ["key", "rulesVersion", "start", "lastActivity", "lastReceivedAt"]
        let paths = paths(in: value).filter { !head.contains($0[0]) }
        #expect(paths.count > 50)
        for path in paths {
            // All that does not lie under the member that lost one.
            let found = try read(removing(path[...], from: value).canonicalText, without: path[0])
            #expect(found == removing([path[0]], from: value), "\(path.joined(separator: "."))")
        }
    }

    @Test func `streams keep what they have when they lack a member`() async throws {
        let whole = try await summary()
        let value = try StoredJSON.value(of: StoredJSON.text(of: whole))
        guard case .array(let streams)? = value.members?["streams"] else { throw CancellationError() }
        for name in Set(streams.flatMap { ($0.members ?? [:]).keys }).subtracting(["stream", "firstSeen", "lastSeen"]) {
            var members = value.members ?? [:]
            members["streams"] = .array(streams.map { removing([name], from: $0) })
            let read = try StoredJSON.summary(of: JSONValue.object(members).canonicalText)
            #expect(read.streams.map(\.stream) == whole.streams.map(\.stream), "\(name)")
            if name != "packets" { #expect(read.streams.map(\.packets) == whole.streams.map(\.packets), "\(name)") }
        }
    }

    @Test(arguments: ["", "{}", "[]", "null", #"{"key":7}"#, #"{"rulesVersion":1,"start":0}"#])
    func `what is no summary is told`(text: String) {
        #expect(throws: CallStoreError.self) {
            try StoredSummary(text: text, isDirty: false, standsAlone: false)
        }
    }
}
