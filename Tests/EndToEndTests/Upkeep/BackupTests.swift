import CallModel
import Foundation
import TestSupport
import Testing

/// `sidetone backup` and `sidetone restore`.
@Suite struct BackupTests {
    private static func backUp(_ folder: URL, _ arguments: [String] = []) async throws -> SidetoneProcess.Run {
        try await SidetoneProcess.run(
            ["backup", folder.appending(path: "backup.sqlite").path, "--database"]
                + [folder.appending(path: "calls.sqlite").path] + arguments)
    }

    private static func restore(_ folder: URL) async throws -> SidetoneProcess.Run {
        try await SidetoneProcess.run(
            ["restore", folder.appending(path: "backup.sqlite").path, "--database"]
                + [folder.appending(path: "calls.sqlite").path])
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    @Test func `a backup made under load restores to the same reports, and the database before is kept`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            for index in 0..<8 {
                #expect(try await sidetone.post("/v1/calls/before/stats", Samples.report(index)).status == 202)
            }
            // Of a call that goes on the report says, after three missed reports, for how long nothing was heard of it.
            #expect(try await sidetone.post("/v1/events", Samples.end(71, call: "before")).status == 202)
            let report = try await sidetone.get("/v1/calls/before/report").text
            let posting = Posting(of: "during")
            async let posted = posting.run(sidetone)
            let backup = try await Self.backUp(folder)
            posting.stop()
            #expect(try await posted > 0)
            #expect(backup.status == 0 && backup.output.hasSuffix(", checked\n"), "\(backup.output) \(backup.errors)")
            #expect(try await sidetone.post("/v1/calls/after/stats", Samples.report(0)).status == 202)

            let busy = try await Self.restore(folder)
            #expect(busy.status == 1 && busy.errors.contains("in use by another sidetone"), "\(busy.errors)")
            #expect(await sidetone.process.terminate() == 0)
            let restored = try await Self.restore(folder)
            #expect(restored.status == 0, "\(restored.errors)")
            let aside = try #require(try Self.names(in: folder).first { $0.hasPrefix("calls.sqlite.before-") })
            #expect(restored.output.contains(aside), "\(restored.output)")

            let again = try await Sidetone.start(in: folder)
            #expect(try await again.get("/v1/calls/before/report").text == report)
            #expect(try await again.get("/v1/calls/after").status == 404)
            #expect(await again.process.terminate() == 0)
            for file in ["calls.sqlite", aside] {
                let check = try await SidetoneProcess.run(["check", "--all-calls", folder.appending(path: file).path])
                #expect(check.status == 0, "\(file): \(check.output) \(check.errors)")
            }
            let kept = try await StoredCalls.report(of: "after", in: folder, database: aside)
            #expect(kept.contains("after"))
        }
    }

    @Test func `a file that is there is written over only when asked, and never by half`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            #expect(try await sidetone.post("/v1/calls/c/stats", Samples.report(0)).status == 202)
            #expect(try await Self.backUp(folder).status == 0)
            let first = try Data(contentsOf: folder.appending(path: "backup.sqlite"))
            #expect(try await sidetone.post("/v1/calls/d/stats", Samples.report(0)).status == 202)

            let refused = try await Self.backUp(folder)
            #expect(refused.status == 1 && refused.errors.contains("--replace writes over it"), "\(refused.errors)")
            #expect(try Data(contentsOf: folder.appending(path: "backup.sqlite")) == first)
            let replaced = try await Self.backUp(folder, ["--replace"])
            #expect(replaced.output.contains("2 calls, 2 records, 2 facts"), "\(replaced.output) \(replaced.errors)")
            #expect(await sidetone.process.terminate() == 0)
            #expect(try Self.names(in: folder).allSatisfy { !$0.contains("partial") })
        }
    }

    @Test(.enabled(if: Mounts.areAllowed))
    func `a folder that no backup can be made in is named, with what is wrong with it`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            #expect(await sidetone.process.terminate() == 0)
            let place = folder.appending(path: "backups")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            let command = Mounts.readOnly(place) + [try SidetoneProcess.program("sidetone").path, "backup"]
            let database = ["--database", folder.appending(path: "calls.sqlite").path]
            for (file, reason) in [
                (place.path + "/a.sqlite", "\(place.path) cannot be written to: Read-only file system"),
                (folder.path + "/none/a.sqlite", "there is no directory \(folder.path)/none"),
            ] {
                let refused = try await SidetoneProcess.run(
                    URL(filePath: "/usr/bin/env"), command + [file] + database)
                #expect(refused.status == 1)
                #expect(refused.errors == "Error: cannot open \(file): \(reason)\n")
            }
        }
    }

    @Test func `what is no backup is refused, and the database stays`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            #expect(try await sidetone.post("/v1/calls/c/stats", Samples.report(0)).status == 202)
            #expect(await sidetone.process.terminate() == 0)
            let before = try Data(contentsOf: folder.appending(path: "calls.sqlite"))
            let missing = try await Self.restore(folder)
            #expect(missing.status == 1 && missing.errors.contains("there is no such file"), "\(missing.errors)")
            try Data("no database at all, but long enough to look at".utf8)
                .write(to: folder.appending(path: "backup.sqlite"))
            let foreign = try await Self.restore(folder)
            #expect(foreign.status == 1 && foreign.errors.contains("it is not a SQLite database"), "\(foreign.errors)")
            #expect(try Data(contentsOf: folder.appending(path: "calls.sqlite")) == before)
        }
    }

    @Test func `a damaged database gives way to a backup, and is kept`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            #expect(try await sidetone.post("/v1/calls/c/stats", Samples.report(0)).status == 202)
            #expect(try await Self.backUp(folder).status == 0)
            #expect(await sidetone.process.terminate() == 0)
            let garbage = Data(repeating: 0xA5, count: 50_000)
            try garbage.write(to: folder.appending(path: "calls.sqlite"))
            #expect(try await Self.restore(folder).status == 0)
            #expect(try await StoredCalls.list(in: folder).count == 1)
            let aside = try #require(try Self.names(in: folder).first { $0.hasPrefix("calls.sqlite.before-") })
            #expect(try Data(contentsOf: folder.appending(path: aside)) == garbage)
        }
    }

    @Test func `what is restored has the owner and mode of the database before`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            #expect(try await sidetone.post("/v1/calls/c/stats", Samples.report(0)).status == 202)
            #expect(try await Self.backUp(folder).status == 0)
            #expect(await sidetone.process.terminate() == 0)
            let database = folder.appending(path: "calls.sqlite").path
            // Only root gives files away.
            if geteuid() == 0 { #expect(chown(database, 61_234, 61_235) == 0) }
            #expect(chmod(database, 0o640) == 0)
            func owner() throws -> [Int?] {
                let attributes = try FileManager.default.attributesOfItem(atPath: database)
                return [FileAttributeKey.ownerAccountID, .groupOwnerAccountID, .posixPermissions].map {
                    (attributes[$0] as? NSNumber)?.intValue
                }
            }
            let before = try owner()
            let restored = try await Self.restore(folder)
            #expect(restored.status == 0, "\(restored.errors)")
            #expect(!restored.output.contains("its owner is not"), "\(restored.output)")
            #expect(try owner() == before)
        }
    }

    @Test(arguments: EarlierDatabase.allCases)
    func `a database of an earlier version is checked, backed up, restored and opened`(
        earlier: EarlierDatabase
    ) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite")
            try earlier.write(to: database)
            let check = try await SidetoneProcess.run(["check", database.path])
            #expect(
                check.status == 0 && check.output.contains("of an older sidetone"), "\(check.output) \(check.errors)")
            #expect(try await Self.backUp(folder).status == 0)
            let restored = try await Self.restore(folder)
            #expect(restored.output.contains("an older sidetone wrote it"), "\(restored.output) \(restored.errors)")
            let sidetone = try await Sidetone.start(in: folder)
            #expect(try await sidetone.get("/v1/calls").json["calls"].elements.count == 3)
            #expect(await sidetone.process.terminate() == 0)
            let rescored = try await SidetoneProcess.run(["rescore", "--database", database.path])
            #expect(rescored.status == 0, "\(rescored.errors)")
            let again = try await SidetoneProcess.run(["check", "--all-calls", database.path])
            #expect(again.output.contains("3 of 3 records, all as stored"), "\(again.output) \(again.errors)")
        }
    }
}
