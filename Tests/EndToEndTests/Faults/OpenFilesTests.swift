import Foundation
import TestSupport
import Testing

/// How many files and connections the system lets the server have.
@Suite struct OpenFilesTests {
    @Test func `the limit is raised, and connections beyond what it allows wait`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder, through: ["prlimit", "--nofile=100:200"])
            let metrics = Exposition(try await sidetone.get("/metrics").text)
            #expect(metrics["process_max_fds"] == 200)
            try await eventually("it says how many connections there can be") {
                sidetone.process.log.contains("fewer connections at a time than limits.connections says")
            }
            let client = try sidetone.rawClient
            try await client.send("", times: 150) {
                let open = try await Self.mostOpenFiles(of: sidetone)
                // 100 connections, and a few that come at once; the server itself has less than 80.
                #expect(open < 185)
                #expect(!sidetone.process.log.contains("the system has no room for more"))
            }
            #expect(try await sidetone.get("/healthz").status == 200)
            #expect(await sidetone.process.terminate() == 0)
        }
    }

    @Test func `where no file can be opened it waits without work, and goes on when one can`() async throws {
        // On a busy machine that is seen only where libdispatch lets it live.
        for _ in 1..<8 where try await Self.outlivesShortage() { return }
        #expect(try await Self.outlivesShortage())
    }

    /// Checks a server for which no file can be opened for a while.
    /// - Returns: whether it lived through that. Once a second libdispatch opens a file for each of its threads where two and more
    ///   are at work, and ends the process where it cannot (`_dispatch_workq_monitor_pools`, SIGILL).
    private static func outlivesShortage() async throws -> Bool {
        var lives = true
        try await Sidetone.run { sidetone in
            try await limit(sidetone, "3:")
            let client = try sidetone.rawClient
            try await client.send("", times: 1) {
                try await eventually("it says so") {
                    sidetone.process.log.contains("the system has no room for more")
                        || processorTicks(of: sidetone) == nil
                }
                let before = processorTicks(of: sidetone)
                try await Task.sleep(for: .seconds(1))
                // 100 a second are one processor.
                if let before, let after = processorTicks(of: sidetone) { #expect(after - before < 50) }
            }
            guard processorTicks(of: sidetone) != nil else {
                lives = false
                return #expect(await sidetone.process.waitForExit() == -SIGILL, "\(sidetone.process.log)")
            }
            try await limit(sidetone, "1000:")
            #expect(try await sidetone.get("/healthz").status == 200)
            let told = sidetone.process.log.split(separator: "\n").count { $0.contains("has no room for more") }
            #expect(told == 1, "\(sidetone.process.log)")
        }
        return lives
    }

    private static func limit(_ sidetone: Sidetone, _ limit: String) async throws {
        let run = try await SidetoneProcess.run(
            URL(filePath: "/usr/bin/env"), ["prlimit", "--pid", "\(sidetone.process.id)", "--nofile=\(limit)"])
        #expect(run.status == 0, "\(run.errors)")
    }

    /// How many files it has open when it has taken what it can: as many in ten looks, one after another.
    private static func mostOpenFiles(of sidetone: Sidetone) async throws -> Int {
        var (open, looks) = (0, 0)
        try await eventually("it takes what it can, and no more") {
            let now = openFiles(of: sidetone)
            (open, looks) = (now, now == open ? looks + 1 : 1)
            return open > 100 && looks == 10
        }
        return open
    }

    private static func openFiles(of sidetone: Sidetone) -> Int {
        let folder = "/proc/\(sidetone.process.id)/fd"
        return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    /// User and system time, in hundredths of a second (proc(5)); `nil` where it has ended.
    private static func processorTicks(of sidetone: Sidetone) -> Int? {
        let text = (try? String(contentsOfFile: "/proc/\(sidetone.process.id)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, fields[0] != "Z", let user = Int(fields[11]), let system = Int(fields[12]) else {
            return nil
        }
        return user + system
    }
}
