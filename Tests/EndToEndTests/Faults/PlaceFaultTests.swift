import CallModel
import Foundation
import TestSupport
import Testing

/// A database that is removed or replaced under the server, whose lock is, or that may not be read.
@Suite struct PlaceFaultTests {
    @Test(arguments: [false, true])
    func `what would go to a file that is gone is not acknowledged, and the next start makes no empty one`(
        isReplaced: Bool
    ) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            let database = folder.appending(path: "calls.sqlite")
            let backup = folder.appending(path: "backup.sqlite")
            var client = FaultySidetone(sidetone)
            try await client.store(3)
            let copied = try await SidetoneProcess.run(["backup", backup.path, "--database", database.path])
            #expect(copied.status == 0, "\(copied.errors)")
            try FileManager.default.removeItem(at: database)
            if isReplaced { try FileManager.default.moveItem(at: backup, to: database) }

            let words = "the database file was removed, moved or replaced while it was open"
            try await eventually("it says so unasked") { client.logged(words) == 1 }
            let ready = try await sidetone.get("/readyz")
            #expect(ready.status == 503 && ready.reason == "store_unavailable" && ready.message.contains(words))
            for _ in 0..<5 { expectUnavailable(try await client.post(), "the database was removed, moved or replaced") }
            #expect(
                client.logged(words) == 1 && client.logged("nothing can be stored;") == 1, "\(sidetone.process.log)")

            #expect(await sidetone.process.terminate() == 1)
            #expect(!sidetone.process.log.contains("everything accepted is stored"))
            #expect(sidetone.process.log.contains("calls.sqlite was removed, moved or replaced while it was open"))
            guard isReplaced else {
                let next = try await SidetoneProcess.run(
                    ["serve", "--listen", "127.0.0.1:0", "--database", database.path])
                #expect(next.status == 1 && next.errors.contains("it is gone or empty, and its log"), "\(next.errors)")
                return
            }
            let check = try await SidetoneProcess.run(["check", "--all-calls", database.path])
            #expect(check.status == 0, "\(check.output) \(check.errors)")
        }
    }

    @Test func `a second server does not start where the lock beside the database was removed`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let first = try await Sidetone.start(in: folder)
            let database = folder.appending(path: "calls.sqlite").path
            try FileManager.default.removeItem(atPath: database + ".lock")
            let second = try await SidetoneProcess.run(["serve", "--listen", "127.0.0.1:0", "--database", database])
            #expect(second.status == 1)
            #expect(second.errors.contains("calls.sqlite is in use by another sidetone"), "\(second.errors)")
            #expect(try await first.post("/v1/calls/c/stats", Samples.report(0)).status == 202)
            #expect(await first.process.terminate() == 0)
        }
    }

    @Test func `a database that the account may not read is named with the reason`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let sidetone = try await Sidetone.start(in: folder)
            #expect(await sidetone.process.terminate() == 0)
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: database)
            // Root without its capabilities is an account as others are.
            let powerless = geteuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []
            for words in [
                ["statsreport", "list"], ["sidetone", "export"], ["sidetone", "backup", database + ".copy"],
            ] {
                let program = try SidetoneProcess.program(words[0]).path
                let ended = try await SidetoneProcess.run(
                    URL(filePath: "/usr/bin/env"),
                    powerless + [program] + words.dropFirst() + ["--database", database])
                #expect(ended.status == 1, "\(ended.output)")
                #expect(ended.errors.contains("\(database) cannot be read: Permission denied"), "\(ended.errors)")
            }
        }
    }
}
