import CallModel
import Foundation
import JSONText
import Testing

/// Starting and stopping, and what the program says when it cannot.
@Suite struct StartTests {
    @Test func `a port that is in use is named, and the exit status is 1`() async throws {
        try await Sidetone.run { sidetone in
            try await Sidetone.withTemporaryFolder { folder in
                let address = sidetone.process.address.dropFirst("http://".count)
                let database = folder.appending(path: "other.sqlite").path
                let ended = try await SidetoneProcess.run(["serve", "--listen", "\(address)", "--database", database])
                #expect(ended.status == 1)
                #expect(ended.errors.contains("cannot listen on \(address)") && ended.errors.contains("--listen"))
            }
        }
    }

    @Test func `a database that another collector writes is named, and the exit status is 1`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let first = try await Sidetone.start(in: folder)
            let database = folder.appending(path: "calls.sqlite").path
            let ended = try await SidetoneProcess.run(["serve", "--listen", "127.0.0.1:0", "--database", database])
            #expect(ended.status == 1)
            #expect(ended.errors.contains("calls.sqlite is in use by another sidetone"))
            #expect(await first.process.terminate() == 0)
        }
    }

    @Test func `a database that cannot be opened is named, and the exit status is 1`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let path = folder.appending(path: "missing/calls.sqlite").path
            let ended = try await SidetoneProcess.run(["serve", "--listen", "127.0.0.1:0", "--database", path])
            #expect(ended.status == 1)
            #expect(ended.errors.contains("missing/calls.sqlite") && ended.errors.contains("--database"))
        }
    }

    @Test(arguments: [
        ["serve", "--keep-calls", "0"], ["serve", "--keep-days=-1"], ["serve", "--listen", "nowhere"],
        ["serve", "--log-level", "loud"], ["serve", "--frobnicate"], ["collect"],
        ["serve", "--keep-days", "nan"], ["capture", "--keep-days", "inf"], ["prune", "--keep-days", "1e300"],
        ["prune", "--keep-calls", "0"], ["import", "x", "--keep-days", "nan"], ["import", "x", "--keep-days", "1e300"],
        ["import", "x", "--keep-days=-1"], ["import", "x", "--keep-calls", "0"], ["import", "x", "--keep-calls=-3"],
    ])
    func `misuse is exit status 64`(arguments: [String]) async throws {
        let ended = try await SidetoneProcess.run(arguments)
        #expect(ended.status == 64)
        #expect(ended.errors.contains("Usage:"))
    }

    @Test(arguments: [["--version"], ["--help"], ["serve", "--help"]])
    func `help and version are exit status 0`(arguments: [String]) async throws {
        #expect(try await SidetoneProcess.run(arguments).status == 0)
    }

    @Test func `the log is one JSON object a line when asked for`() async throws {
        try await Sidetone.run(["--log-format", "json", "--log-level", "debug"]) { sidetone in
            _ = try await sidetone.get("/healthz")
            let lines = sidetone.process.log.split(separator: "\n")
            #expect(!lines.isEmpty)
            for line in lines {
                let members = try JSONValue(parsing: String(line)).members ?? [:]
                #expect(Set(members.keys).isSuperset(of: ["time", "level", "label", "message"]))
            }
        }
    }

    @Test func `a log of everything does not show what is within the program`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder, ["--log-level", "trace"])
            #expect(try await sidetone.get("/healthz").status == 200)
            #expect(await sidetone.process.terminate() == 0)
            let log = sidetone.process.log
            #expect(log.contains("listening on ") && log.contains("/healthz"), "\(log)")
            #expect(!log.contains("unknown context") && !log.contains("SQLiteStore"), "\(log)")
        }
    }

    @Test func `what was stored is there after a restart`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let first = try await Sidetone.start(in: folder)
            for index in 0...5 { _ = try await first.post("/v1/calls/c/stats", Samples.report(index)) }
            let report = try await first.get("/v1/calls/c/series").json
            #expect(await first.process.terminate() == 0)
            let second = try await Sidetone.start(in: folder)
            #expect(try await second.get("/v1/calls/c/series").json == report)
            #expect(await second.process.terminate() == 0)
        }
    }
}
