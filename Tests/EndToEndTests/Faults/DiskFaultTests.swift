import CallModel
import Foundation
import Testing

/// A disk that has no room, or may not be written to.
@Suite struct DiskFaultTests {
    @Test(.enabled(if: Mounts.areAllowed, "this machine allows no mounts; the next test has a limit instead"))
    func `on a full disk clients are told to try again, and are served again once there is room`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let mounted = folder.appending(path: "disk")
            try FileManager.default.createDirectory(at: mounted, withIntermediateDirectories: true)
            let sidetone = try await Sidetone.start(in: mounted, through: Mounts.smallDisk(mounted, mebibytes: 3))
            defer { sidetone.process.sendKill() }
            // The disk of the server, as this process sees it.
            let disk = URL(filePath: "/proc/\(sidetone.process.id)/root\(mounted.path)")
            var client = FaultySidetone(sidetone)
            try await client.store(5)
            let filler = disk.appending(path: "filler")
            try Self.fill(filler)

            expectUnavailable(try await client.storeUntilRefused(), "the disk is full")
            for _ in 0..<20 { expectUnavailable(try await client.post(), "the disk is full") }
            #expect(try await sidetone.get("/v1/calls").json["calls"].elements.count == 1)
            #expect(client.logged("nothing can be stored") == 1, "\(sidetone.process.log)")

            try FileManager.default.removeItem(at: filler)
            try await client.storeWhenRecovered()
            try await client.store(20)
            #expect(client.logged("is stored again") == 1, "\(sidetone.process.log)")
            let copy = folder.appending(path: "copy.sqlite").path
            let backup = ["backup", copy, "--database", mounted.appending(path: "calls.sqlite").path]
            let run = try await SidetoneProcess.run(
                URL(filePath: "/usr/bin/env"),
                ["nsenter", "-t", "\(sidetone.process.id)", "-m", try SidetoneProcess.program("sidetone").path] + backup
            )
            #expect(run.status == 0, "\(run.errors)")
            try await client.verify(database: copy)
        }
    }

    @Test(.enabled(if: Mounts.areAllowed))
    func `an import ends on a full disk, and says how much of the file is stored`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let mounted = folder.appending(path: "disk")
            try FileManager.default.createDirectory(at: mounted, withIntermediateDirectories: true)
            let file = folder.appending(path: "reports.jsonl")
            let lines = (0..<6_000).map {
                Samples.report($0).replacing("{\"role\"", with: "{\"callId\":\"c\",\"role\"")
            }
            try Data(lines.joined(separator: "\n").utf8).write(to: file)
            let disk = Mounts.smallDisk(mounted, mebibytes: 3)
            let words = "the disk is full"

            let program = try SidetoneProcess.program("sidetone").path
            let database = mounted.appending(path: "calls.sqlite").path
            let kept = try await SidetoneProcess.run(
                URL(filePath: "/usr/bin/env"), disk + [program, "import", file.path, "--database", database])
            #expect(kept.status == 1 && kept.output.isEmpty)
            #expect(
                kept.errors.contains(#/stopped when [1-9]\d* of its reports and events were stored: the disk is full/#))

            let sidetone = try await Sidetone.start(in: mounted, through: disk)
            let posted = try await sidetone.post("/v1/import", Array(Data(contentsOf: file)))
            #expect(posted.status == 503 && posted.reason == "store_unavailable", "\(posted.text)")
            #expect(posted.message.contains(words), "\(posted.message)")
            #expect(posted.message.contains(#/so far [1-9]\d* of the file's reports and events are stored/#))
            // It ends with the first part that is not stored.
            let metrics = Exposition(try await sidetone.get("/metrics").text)
            #expect(metrics[#"sidetone_store_errors_total{operation="append"}"#] == 1)
            #expect(await sidetone.process.terminate() == 0)
        }
    }

    @Test func `a file that may not grow is no loss, and is written to once it may`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(
                in: folder, through: ["sh", "-c", "trap '' XFSZ && exec \"$@\"", "sh"])
            defer { sidetone.process.sendKill() }
            let database = folder.appending(path: "calls.sqlite").path
            var client = FaultySidetone(sidetone)
            try await client.store(5)
            let log = try FileManager.default.attributesOfItem(atPath: database + "-wal")[.size] as? Int
            try await Self.limitFiles(of: sidetone, to: "\(try #require(log) + 6_000)")

            expectUnavailable(try await client.storeUntilRefused(), "the disk or the file system fails")
            for _ in 0..<20 { expectUnavailable(try await client.post(), "the disk or the file system fails") }
            #expect(client.logged("nothing can be stored") == 1, "\(sidetone.process.log)")

            try await Self.limitFiles(of: sidetone, to: "unlimited")
            try await client.storeWhenRecovered()
            try await client.store(20)
            #expect(client.logged("is stored again") == 1, "\(sidetone.process.log)")
            try await client.verify(database: database)
        }
    }

    @Test(.enabled(if: Mounts.areAllowed, "this machine allows no mounts; the next test has a directory instead"))
    func `a file that may only be read is refused and left as it is`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            var client = FaultySidetone(sidetone)
            try await client.store(3)
            #expect(await sidetone.process.terminate() == 0)
            let database = folder.appending(path: "calls.sqlite")
            let before = try Data(contentsOf: database)

            let sealed = Mounts.readOnly(folder)
            let program = try SidetoneProcess.program("sidetone").path
            let serve = [program, "serve", "--listen", "127.0.0.1:0", "--database", database.path]
            let ended = try await SidetoneProcess.run(URL(filePath: "/usr/bin/env"), sealed + serve)
            #expect(ended.status == 1)
            #expect(ended.errors.contains("Read-only file system") && ended.errors.contains("calls.sqlite"))
            // Reports can be read there all the same.
            let check = try await SidetoneProcess.run(
                URL(filePath: "/usr/bin/env"), sealed + [program, "check", database.path])
            #expect(check.status == 0, "\(check.output) \(check.errors)")
            #expect(try Data(contentsOf: database) == before)
        }
    }

    @Test func `a directory in which no file can be made is named`() async throws {
        let run = try await SidetoneProcess.run(["serve", "--listen", "127.0.0.1:0", "--database", "/proc/none.sqlite"])
        #expect(run.status == 1)
        #expect(run.errors.contains("/proc/none.sqlite") && run.errors.contains("a directory you can write to"))
    }

    /// Writes zeros until there is no room.
    private static func fill(_ file: URL) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        for size in [65_536, 4_096] {
            while (try? handle.write(contentsOf: Data(count: size))) != nil {}
        }
    }

    private static func limitFiles(of sidetone: Sidetone, to bytes: String) async throws {
        let run = try await SidetoneProcess.run(
            URL(filePath: "/usr/bin/env"), ["prlimit", "--pid", "\(sidetone.process.id)", "--fsize=\(bytes):unlimited"])
        #expect(run.status == 0, "\(run.errors)")
    }
}
