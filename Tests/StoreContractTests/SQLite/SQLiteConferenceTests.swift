import CallModel
import Foundation
import GRDB
import Synchronization
import Testing

@testable import SQLiteStore

/// A call with many records costs as much as many calls do, and not its square.
@Suite struct SQLiteConferenceTests {
    private final class Statements: Sendable {
        private let texts = Mutex<[String]>([])

        func add(_ text: String) { texts.withLock { $0.append(text) } }

        func count(with part: String) -> Int { texts.withLock { $0.count { $0.contains(part) } } }
    }

    @Test func `the summaries of a call are read once for all its records`() async throws {
        let keys = (10..<60).map { CallKey.sample("call", observer: "client \($0)") }
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "calls.sqlite").path
            let writer = try SQLiteCallStore.open(path: path)
            try await writer.commit(keys.map { .full($0) })
            try await writer.close()
            let (reader, statements) = (try SQLiteCallStore.openReadOnly(path: path), Statements())
            try await reader.read { db in db.trace { statements.add("\($0)") } }
            #expect(try await reader.records(keys).map(\.others.count) == Array(repeating: 49, count: 50))
            try await reader.close()
            #expect(statements.count(with: "SELECT summary, isDirty") == 1)
            // The rows of each, and those of the sixteen that stand beside all others.
            #expect(statements.count(with: "FROM derived") <= 50 + CallRecord.mostJoined + 1)
        }
    }
}
