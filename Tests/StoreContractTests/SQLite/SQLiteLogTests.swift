import Foundation
import GRDB
import TestSupport
import Testing

@testable import SQLiteStore

/// How what stands in the write-ahead log comes back into the file.
@Suite struct SQLiteLogTests {
    /// A database to which nothing but a keeper brings its log back.
    private struct Fixture {
        static let pagesInLog = 64
        let path: String
        let pool: DatabasePool
        let log: LogKeeper

        init(in folder: URL) throws {
            path = folder.appending(path: "log.sqlite").path
            var configuration = Configuration()
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
            pool = try DatabasePool(path: path, configuration: configuration)
            try pool.write { try $0.execute(sql: "CREATE TABLE fact (content BLOB)") }
            log = LogKeeper(try DatabaseQueue(path: path), pagesInLog: Self.pagesInLog)
        }

        /// Writes a row that takes a page, in a transaction of its own.
        func write() async throws {
            try await pool.write { db in
                log.note(written: db.pagesWritten, by: pool)
                try db.execute(sql: "INSERT INTO fact VALUES (zeroblob(4000))")
            }
        }

        /// Pages of the log file; each stands behind a header of 24 bytes.
        func pagesOfLog() throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            return try #require(attributes[.size] as? Int) / (4_096 + 24)
        }

        /// Rows in the file itself, whatever is in the log.
        func rowsInFile() throws -> Int {
            let queue = try DatabaseFile(path).openForReading(alone: true)
            defer { try? queue.close() }
            return try #require(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fact") })
        }
    }

    @Test func `what is written comes back into the file, and the log begins anew`() async throws {
        try await withTemporaryFolder { folder in
            let fixture = try Fixture(in: folder)
            for _ in 0..<400 {
                try await fixture.write()
                await fixture.log.pausing {}
            }
            // A row changes three pages: its own, the one above and the first.
            #expect(try fixture.pagesOfLog() <= Fixture.pagesInLog + 6)
            #expect(try fixture.rowsInFile() >= 400 - Fixture.pagesInLog / 3 - 2)
            #expect(try await fixture.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM fact") } == 400)
        }
    }

    @Test func `a log that is left alone is brought back afterwards`() async throws {
        try await withTemporaryFolder { folder in
            let fixture = try Fixture(in: folder)
            try await fixture.log.pausing {
                for _ in 0..<100 { try await fixture.write() }
                #expect(try fixture.pagesOfLog() > 2 * Fixture.pagesInLog)
            }
            try await fixture.write()
            await fixture.log.pausing {}
            #expect(try fixture.rowsInFile() == 101)
        }
    }
}
