import CallModel
import Foundation
import GRDB
import TestSupport
import Testing

/// `sidetone check`: what it finds.
@Suite struct CheckTests {
    /// A database with calls of several kinds, that no process has open.
    private static func fill(_ folder: URL) async throws -> URL {
        let sidetone = try await Sidetone.start(in: folder)
        for index in 0..<6 {
            for call in ["a", "b"] {
                #expect(try await sidetone.post("/v1/calls/\(call)/stats", Samples.report(index)).status == 202)
            }
            #expect(try await sidetone.post("/v1/events", Samples.event(index, call: "a")).status == 202)
            #expect(try await sidetone.post("/v1/wire", Samples.wire(index, call: "a") + "\n").status == 202)
        }
        #expect(await sidetone.process.terminate() == 0)
        return folder.appending(path: "calls.sqlite")
    }

    private static func check(_ database: URL, _ arguments: [String] = []) async throws -> SidetoneProcess.Run {
        try await SidetoneProcess.run(["check", database.path] + arguments)
    }

    @Test func `a sound database is said to be, with what is in it`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = try await Self.fill(folder)
            let before = try Data(contentsOf: database)
            let run = try await Self.check(database)
            #expect(run.status == 0 && run.errors.isEmpty)
            let expected = """
                , current
                  pages and indices   sound
                  references          sound
                  stored values       sound
                  derived anew        3 of 3 records, all as stored

                """
            #expect(run.output.hasSuffix(expected), "\(run.output)")
            #expect(run.output.contains(", 2 calls, 3 records, 24 facts\n"), "\(run.output)")
            #expect(try Data(contentsOf: database) == before)
        }
    }

    private static func without(_ rows: String) -> String {
        "UPDATE derived SET content = json_set(content, '$.\(rows)', json('[]'))"
    }

    /// Changes that no rules derive, and how they are told.
    static let changes = [
        ("UPDATE record SET summary = json_set(summary, '$.score', 7) WHERE callId = 'b'", "call b, caller"),
        ("\(without("intervals")) WHERE recordId = (SELECT id FROM record WHERE callId = 'b')", "another intervals"),
        ("\(without("scores")) WHERE recordId = (SELECT id FROM record WHERE callId = 'b')", "another scores"),
        (
            "UPDATE record SET score = 5 WHERE callId = 'b'",
            "call b, caller: derived anew, it has another record.score\n"
        ),
        (
            "UPDATE record SET worstScore = 1, start = start - 86400000 WHERE callId = 'b'",
            "call b, caller: derived anew, it has another record.start and record.worstScore\n"
        ),
        ("UPDATE outline SET codecs = '[\"x\"]'", "another outline.codecs"),
        ("DELETE FROM outline", "another outline\n"),
        ("UPDATE report SET objects = x'78'", "2 not as stored"),
        ("DELETE FROM event; DELETE FROM report; DELETE FROM wireReport", "3 records without a fact"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM record WHERE callId = 'a'", "refers to a record that is not there"),
    ]

    @Test(arguments: changes) func `what does not fit together is told`(change: (sql: String, words: String))
        async throws
    {
        try await Sidetone.withTemporaryFolder { folder in
            let database = try await Self.fill(folder)
            let queue = try DatabaseQueue(path: database.path)
            try await queue.writeWithoutTransaction { try $0.execute(sql: change.sql) }
            try queue.close()
            let run = try await Self.check(database)
            #expect(run.status == 1)
            #expect(run.output.contains(change.words), "\(run.output)")
            #expect(run.errors.contains("is not sound"), "\(run.errors)")
        }
    }

    @Test func `beside a server that is written to, it finds nothing that is not there`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            let posting = Posting(of: "c")
            async let posted = posting.run(sidetone)
            for _ in 0..<3 {
                let run = try await Self.check(folder.appending(path: "calls.sqlite"), ["--all-calls"])
                #expect(run.status == 0, "\(run.output) \(run.errors)")
            }
            posting.stop()
            #expect(try await posted > 0)
            #expect(await sidetone.process.terminate() == 0)
        }
    }
}
