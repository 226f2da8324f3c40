import CallModel
import Foundation
import Testing

/// Database files whose bytes are not what was written.
@Suite struct CorruptionTests {
    /// What happens to a file, and what is said of it.
    enum Harm: String, CaseIterable {
        case header, middle, truncated, missing

        var words: String {
            switch self {
            case .header: "it is not a SQLite database"
            case .middle, .truncated: "it is damaged"
            case .missing: "its log"
            }
        }

        func happen(to file: URL) throws {
            if self == .missing {
                // As after a crash, when somebody took the file and left its log.
                try FileManager.default.removeItem(at: file)
                return try Data(repeating: 7, count: 40_000).write(to: URL(filePath: file.path + "-wal"))
            }
            let handle = try FileHandle(forUpdating: file)
            defer { try? handle.close() }
            let size = try handle.seekToEnd()
            switch self {
            case .header: try CorruptionTests.overwrite(0..<100, of: handle)
            case .middle: try CorruptionTests.overwrite(size / 8192 * 4096..<size / 8192 * 4096 + 8192, of: handle)
            case .truncated: try handle.truncate(atOffset: size / 2)
            case .missing: break
            }
        }
    }

    private static func overwrite(_ range: Range<UInt64>, of handle: FileHandle) throws {
        try handle.seek(toOffset: range.lowerBound)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: range.count))
    }

    /// A database with some calls, that no process has open.
    private static func fill(_ folder: URL, calls: Int = 20) async throws -> URL {
        let sidetone = try await Sidetone.start(in: folder)
        for call in 0..<calls {
            for index in 0..<4 {
                #expect(try await sidetone.post("/v1/calls/call-\(call)/stats", Samples.report(index)).status == 202)
            }
        }
        #expect(await sidetone.process.terminate() == 0)
        return folder.appending(path: "calls.sqlite")
    }

    @Test(arguments: Harm.allCases)
    func `a damaged file is named and refused by every command, and left as it is`(harm: Harm) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = try await Self.fill(folder)
            try harm.happen(to: database)
            let before = try? Data(contentsOf: database)
            let serve = ["serve", "--listen", "127.0.0.1:0", "--database", database.path]
            for arguments in [serve, serve] {
                let run = try await SidetoneProcess.run(arguments)
                #expect(run.status == 1 && run.output.isEmpty)
                #expect(run.errors.contains("calls.sqlite") && run.errors.contains(harm.words), "\(run.errors)")
            }
            let copy = folder.appending(path: "copy.sqlite")
            let check = try await SidetoneProcess.run(["check", database.path])
            #expect(check.status == 1, "\(check.output)")
            let backup = try await SidetoneProcess.run(["backup", copy.path, "--database", database.path])
            #expect(backup.status == 1, "\(backup.output)")
            #expect((try? Data(contentsOf: database)) == before)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasPrefix("copy") })
        }
    }

    /// The first byte of SQLite's name, of the size of a page, and of the versions of the format.
    @Test(arguments: [0, 16, 18, 19])
    func `a byte of the header that is wrong is damage, and no reason to make a new file`(offset: UInt64) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = try await Self.fill(folder, calls: 1)
            let handle = try FileHandle(forUpdating: database)
            try Self.overwrite(offset..<offset + 1, of: handle)
            try handle.close()
            let run = try await SidetoneProcess.run(["serve", "--listen", "127.0.0.1:0", "--database", database.path])
            #expect(run.status == 1)
            let words = """
                it is damaged: its header is not that of a SQLite database; restore it from a backup with \
                "sidetone restore"; "sidetone check" may say more
                """
            #expect(run.errors.contains(words), "\(run.errors)")
            #expect(!run.errors.contains("--database"), "\(run.errors)")
            let check = try await SidetoneProcess.run(["check", database.path])
            #expect(check.status == 1 && (check.output + check.errors).contains("its header is not that"), "\(offset)")
        }
    }

    @Test func `damage met while running is told once, costs only what it hit, and no answer is 500`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = try await Self.fill(folder, calls: 60)
            let sidetone = try await Sidetone.start(in: folder)
            let handle = try FileHandle(forUpdating: database)
            let size = try handle.seekToEnd()
            try Self.overwrite(size / 2 / 4096 * 4096..<size, of: handle)
            try handle.close()

            var statuses: Set<Int> = []
            var refused = 0.0
            for call in 0..<60 {
                let posted = try await sidetone.post("/v1/calls/call-\(call)/stats", Samples.report(5))
                let read = try await sidetone.get("/v1/calls/call-\(call)/report")
                for reply in [posted, read] where reply.status == 503 {
                    #expect(reply.reason == "store_damaged", "\(reply.text)")
                    #expect(reply.headers["retry-after"] == "60")
                }
                statuses.formUnion([posted.status, read.status])
                if posted.status == 503 { refused += 1 }
            }
            let metrics = Exposition(try await sidetone.get("/metrics").text)
            #expect(metrics[#"sidetone_ingest_rejected_total{reason="store_damaged"}"#] == refused)
            #expect(metrics[#"sidetone_ingest_rejected_total{reason="store_unavailable"}"#] == 0)
            #expect(statuses.contains(503) && statuses.isSubset(of: [200, 202, 404, 503]), "\(statuses)")
            let told = sidetone.process.log.split(separator: "\n").count { $0.contains("the database is damaged") }
            #expect(told == 1, "\(sidetone.process.log)")
            #expect(await sidetone.process.terminate() == 0)
            #expect(!sidetone.process.log.contains("everything accepted is stored"))

            let again = try await SidetoneProcess.run(
                ["serve", "--listen", "127.0.0.1:0", "--database", database.path])
            #expect(again.status == 1 && again.errors.contains("it is damaged"), "\(again.errors)")
        }
    }
}
