import CallModel
import Foundation
import JSONText
import TestSupport
import Testing

/// Deriving stored calls anew, by hand and beside a server.
@Suite struct RescoreTests {
    private static func rescore(_ folder: URL, _ arguments: [String] = []) async throws -> SidetoneProcess.Run {
        let database = folder.appending(path: "calls.sqlite").path
        return try await SidetoneProcess.run(["rescore", "--database", database] + arguments)
    }

    /// What the list says of every record, in a fixed order.
    private static func rows(in folder: URL) async throws -> [JSONValue] {
        try await StoredCalls.list(in: folder).sorted { $0.canonicalText < $1.canonicalText }
    }

    private static func rules(_ rows: [JSONValue]) -> Set<Int64> {
        Set(rows.compactMap { $0["rulesVersion"].wholeNumber })
    }

    @Test(arguments: EarlierDatabase.allCases) func `a database of an earlier version is derived anew, once`(
        earlier: EarlierDatabase
    ) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            try earlier.write(to: folder.appending(path: "calls.sqlite"))
            let run = try await Self.rescore(folder, ["--all"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("calls.sqlite: derived 3 records anew; "), "\(run.output)")
            let rows = try await Self.rows(in: folder)
            #expect(rows.count == 3 && Self.rules(rows).count == 1)
            #expect(rows.allSatisfy { $0["isDirty"] == false })

            let again = try await Self.rescore(folder)
            #expect(again.output.hasSuffix("calls.sqlite: nothing to do; every record is of this version's rules\n"))
            #expect(try await Self.rows(in: folder) == rows)
        }
    }

    @Test func `one call alone is derived anew, and one that is not there is told`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            try EarlierDatabase.first.write(to: folder.appending(path: "calls.sqlite"))
            let missing = try await Self.rescore(folder, ["--call", "nobody"])
            #expect(missing.status == 1 && missing.errors.contains("no call nobody in"), "\(missing.errors)")
            let run = try await Self.rescore(folder, ["--call", "F3CF6558-B70F-4285-9B5B-2216A4F979BF"])
            #expect(run.output.hasSuffix("derived 1 record anew; no score changed\n"), "\(run.output)")
            let left = try await Self.rows(in: folder).filter { $0["rulesVersion"] == 1 }
            #expect(Set(left.compactMap { $0["callId"].text }) == ["BE2AF3E8-187B-46D0-BAB7-466CF91A5C59"])
        }
    }

    @Test func `a file that is not there is not made`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let run = try await Self.rescore(folder)
            #expect(run.status == 1 && run.errors.contains("there is no such file"), "\(run.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    // MARK: Killed

    /// A file of calls with two reports and two events each.
    private static func manyCalls(_ count: Int) -> String {
        (0..<count).flatMap { number -> [String] in
            let call = "call-\(number)"
            let reports = (0...1).map { index -> String in
                guard var members = (try? JSONValue(parsing: Array(Samples.report(index + number).utf8)))?.members
                else {
                    return ""
                }
                members["callId"] = .string(call)
                return JSONValue.object(members).canonicalText
            }
            return reports + [Samples.event(number, call: call), Samples.end(number + 30, call: call)]
        }.joined(separator: "\n")
    }

    /// How many records another process that has the database open has left.
    private static func left(_ folder: URL) async throws -> Int? {
        let run = try await rescore(folder)
        guard let found = run.output.firstMatch(of: /: (\d+) of (\d+) records left/) else { return nil }
        return Int(found.1)
    }

    @Test func `killed in the middle it goes on with those that are left`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "calls.jsonl")
            try Data(Self.manyCalls(400).utf8).write(to: file)
            let database = folder.appending(path: "calls.sqlite").path
            let imported = try await SidetoneProcess.run(["import", "--database", database, file.path])
            #expect(imported.status == 0, "\(imported.errors)")
            let before = try await Self.reports(in: folder)

            // On a fast machine it may be done before it can be killed: then once more.
            var waiting = 0
            for _ in 0..<20 where waiting == 0 {
                try await Self.killRescoring(of: database, in: folder)
                waiting = try await StoredCalls.list(in: folder).count { $0["isDirty"] == true }
            }
            #expect(waiting > 0, "it was done before it could be killed")
            let rest = try await Self.rescore(folder)
            let told = rest.output.firstMatch(of: /derived (\d+) records? anew; no score changed/)
            let done = try #require(told.flatMap { Int($0.1) }, "\(rest.output) \(rest.errors)")
            #expect(done > 0 && done < 400)
            #expect(try await Self.reports(in: folder) == before)
        }
    }

    /// Starts to derive all 400 records anew, and kills it when some are done.
    private static func killRescoring(of database: String, in folder: URL) async throws {
        let victim = Process()
        victim.executableURL = try SidetoneProcess.program("sidetone")
        victim.arguments = ["rescore", "--all", "--database", database]
        victim.standardOutput = FileHandle.nullDevice
        victim.standardError = FileHandle.nullDevice
        try victim.run()
        // Before it has marked them nothing is left either; killed then, it may have marked all and done none.
        while victim.isRunning {
            if let left = try await left(folder), (1..<400).contains(left) { break }
        }
        kill(victim.processIdentifier, SIGKILL)
        await SidetoneProcess.onThread { victim.waitUntilExit() }
    }

    /// The series of some calls, as they are kept.
    private static func reports(in folder: URL) async throws -> [String] {
        var reports: [String] = []
        for number in stride(from: 0, to: 400, by: 40) {
            reports.append(try await StoredCalls.report(of: "call-\(number)", in: folder))
        }
        return reports
    }

    // MARK: Beside a server

    @Test(arguments: EarlierDatabase.allCases)
    func `a server derives what an earlier one left, while it takes what comes`(
        earlier: EarlierDatabase
    ) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            try earlier.write(to: folder.appending(path: "calls.sqlite"))
            let sidetone = try await Sidetone.start(in: folder)
            // The end of the call comes only now, and other calls go on.
            let call = "BE2AF3E8-187B-46D0-BAB7-466CF91A5C59"
            let end = """
                {"callId":"\(call)","observer":"caller","time":1795231899000,"action":"callState","type":"ENDED"}
                """
            #expect(try await sidetone.post("/v1/events", end).status == 202)
            for index in 0..<20 {
                #expect(try await sidetone.post("/v1/calls/other/stats", Samples.report(index)).status == 202)
            }
            while let left = try await Self.left(folder), left > 0 { continue }
            let busy = try await Self.rescore(folder)
            #expect(busy.status == 0 && busy.output.contains("is open in a running sidetone: nothing is left"))
            let all = try await Self.rescore(folder, ["--all"])
            #expect(all.status == 1 && all.errors.contains("in use by another sidetone"), "\(all.errors)")

            let list = try await StoredCalls.list(in: folder)
            #expect(list.count == 4 && Self.rules(list).count == 1)
            let caller = try await sidetone.get("/v1/calls/\(call)?observer=caller").json["records"][0]
            #expect(caller["endedAt"].text?.hasPrefix("2026-11-21T") == true)
            #expect(await sidetone.process.terminate() == 0)
            #expect(try await Self.rescore(folder).output.contains("nothing to do"))
        }
    }

    @Test func `a server told not to leaves figures as they are, marked with their rules`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            try EarlierDatabase.first.write(to: folder.appending(path: "calls.sqlite"))
            let sidetone = try await Sidetone.start(in: folder, ["--no-rescore"])
            for index in 0..<5 { _ = try await sidetone.post("/v1/calls/other/stats", Samples.report(index)) }
            #expect(try await Self.left(folder) == 3)
            let list = try await StoredCalls.list(in: folder)
            #expect(list.count { $0["rulesVersion"] == 1 } == 3)
            #expect(await sidetone.process.terminate() == 0)
        }
    }
}
