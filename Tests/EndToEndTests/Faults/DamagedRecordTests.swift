import CallModel
import Foundation
import GRDB
import JSONText
import TestSupport
import Testing

/// Single values of a database that cannot be understood, on pages that are sound.
@Suite struct DamagedRecordTests {
    /// What of the call `b` is damaged.
    enum Harm: String, CaseIterable {
        case summary, outline, series, events, reports, wireReports

        var isDerived: Bool { [.summary, .outline, .series].contains(self) }

        /// What whoever reads the call is told.
        var words: String { RecordDamage(RecordDamage.Part(rawValue: rawValue) ?? .summary, of: "", reason: "").words }

        private static let ofB = """
            WHERE recordId = (SELECT id FROM record WHERE callId = 'b' AND observer = 'caller')
            """

        private var sql: String {
            switch self {
            case .summary:
                "UPDATE record SET summary = substr(summary, 1, 100) WHERE callId = 'b' AND observer = 'caller'"
            case .outline: "UPDATE outline SET codecs = '[', issues = '[\"' \(Self.ofB)"
            case .series: "UPDATE derived SET content = '{}' \(Self.ofB)"
            case .events: "UPDATE event SET members = '[' \(Self.ofB)"
            case .reports: "UPDATE report SET objects = x'78' \(Self.ofB)"
            case .wireReports:
                "UPDATE wireReport SET content = x'00' WHERE recordId IN (SELECT id FROM record WHERE callId = 'b')"
            }
        }

        /// Does it to a database; `late` says whether something waits to be folded in then.
        func happen(to database: URL, late: Bool = false) async throws {
            let queue = try DatabaseQueue(path: database.path)
            try await queue.writeWithoutTransaction { db in
                try db.execute(sql: sql)
                if late { try db.execute(sql: "UPDATE record SET isDirty = 1 WHERE callId = 'b'") }
            }
            try queue.close()
        }
    }

    /// A database with three calls, that no process has open.
    private static func fill(_ folder: URL) async throws -> URL {
        let sidetone = try await Sidetone.start(in: folder)
        for call in ["a", "b", "c"] {
            for index in 0..<4 {
                #expect(try await sidetone.post("/v1/calls/\(call)/stats", Samples.report(index)).status == 202)
            }
            #expect(try await sidetone.post("/v1/events", Samples.event(2, call: call)).status == 202)
            #expect(try await sidetone.post("/v1/wire", Samples.wire(1, call: call) + "\n").status == 202)
        }
        #expect(await sidetone.process.terminate() == 0)
        return folder.appending(path: "calls.sqlite")
    }

    private static let questions =
        ["/v1/calls", "/v1/calls?codec=opus", "/v1/calls?issue=blackout", "/v1/fleet"]
        + ["", "/report", "/report?format=json", "/report?format=html", "/series", "/series?points=10", "/events"].map {
            "/v1/calls/b\($0)"
        } + ["/v1/calls/b/facts"]

    @Test(arguments: Harm.allCases)
    func `a damaged part of a call costs no other answer, is told once, and the call can be erased`(harm: Harm)
        async throws
    {
        try await Sidetone.withTemporaryFolder { folder in
            let database = try await Self.fill(folder)
            try await harm.happen(to: database)
            let sidetone = try await Sidetone.start(in: folder)
            var told = 0
            for _ in 0..<2 {
                for question in Self.questions {
                    let reply = try await sidetone.get(question)
                    #expect(reply.status == 200, "\(question): \(reply.text)")
                    if reply.text.contains(harm.words) { told += 1 }
                }
            }
            #expect(told > 0)
            let metrics = Exposition(try await sidetone.get("/metrics").text)
            #expect(metrics[#"sidetone_store_damaged_records_total{part="\#(harm)"}"#] == 1)
            let lines = sidetone.process.log.split(separator: "\n").filter {
                $0.contains(harm.isDerived ? "cannot be read whole" : "the database is damaged")
            }
            #expect(lines.count == 1, "\(sidetone.process.log)")

            #expect(try await sidetone.delete("/v1/calls/b").status == 204)
            let calls = try await sidetone.get("/v1/calls?sort=oldest").json["calls"]
            #expect(Self.ids(calls) == ["a", "c"])
            #expect(await sidetone.process.terminate() == 0)
            let check = try await SidetoneProcess.run(["check", database.path])
            #expect(check.status == 0, "\(check.output)")
        }
    }

    @Test(arguments: Harm.allCases.filter { !$0.isDerived })
    func `a call with a damaged fact is shown as it was derived, though more came late`(harm: Harm) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = try await Self.fill(folder)
            try await harm.happen(to: database, late: true)
            let sidetone = try await Sidetone.start(in: folder)
            defer { sidetone.process.sendKill() }
            for question in Self.questions {
                let reply = try await sidetone.get(question)
                #expect(reply.status == 200, "\(question): \(reply.text)")
            }
            let records = try await sidetone.get("/v1/calls/b").json["records"].elements
            #expect(records.contains { $0["isDirty"] == true })
            let metrics = Exposition(try await sidetone.get("/metrics").text)
            #expect(metrics[#"sidetone_store_errors_total{operation="refold"}"#].map { $0 > 0 } == true)
        }
    }

    @Test(arguments: Harm.allCases.filter(\.isDerived))
    func `a server derives anew what is damaged and follows from facts, once it meets it`(harm: Harm) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = try await Self.fill(folder)
            var sidetone = try await Sidetone.start(in: folder)
            let before = try await Self.answers(of: sidetone)
            #expect(await sidetone.process.terminate() == 0)
            try await harm.happen(to: database)
            sidetone = try await Sidetone.start(in: folder)
            let list = try await sidetone.get("/v1/calls?sort=oldest").json["calls"]
            #expect(Self.ids(list) == ["a", "b", "c"])
            _ = try await sidetone.get("/v1/fleet")
            try await eventually("it is as it was") { try await Self.answers(of: sidetone) == before }
            // A question that was asked before may have met it again.
            try await eventually("it is ready") { try await sidetone.get("/readyz").json == ["status": "ok"] }
            #expect(await sidetone.process.terminate() == 0)
            let check = try await SidetoneProcess.run(["check", database.path])
            #expect(check.status == 0, "\(check.output)")
        }
    }

    /// What is said of all calls, and of `b`.
    private static func answers(of sidetone: Sidetone) async throws -> [JSONValue] {
        var answers: [JSONValue] = []
        for question in ["/v1/calls", "/v1/fleet", "/v1/calls/b", "/v1/calls/b/series"] {
            answers.append(try await sidetone.get(question).json)
        }
        return answers
    }

    @Test func `a list shows of a damaged summary what its row says, and which call it is`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = try await Self.fill(folder)
            let printed = try await Self.statsreport("list", "--format", "json", database: database)
            let before = try #require(Self.call("b", in: try JSONValue(parsing: printed.output)["calls"]))
            try await Harm.summary.happen(to: database)

            let list = try await Self.statsreport("list", "--format", "json", database: database)
            #expect(list.status == 0, "\(list.errors)")
            let call = try #require(Self.call("b", in: try JSONValue(parsing: list.output)["calls"]))
            for member in ["callId", "observer", "attempt", "start", "lastActivity", "score", "worstScore", "outcome"] {
                #expect(call[member] == before[member], "\(member)")
            }
            let words = Harm.summary.words
            #expect(call["damage"] == [["part": "summary", "message": .string(words)]])
            #expect(before["damage"] == [])

            let table = try await Self.statsreport("list", database: database)
            let lines = table.output.split(separator: "\n").map { $0.drop { $0 == " " } }
            #expect(lines.joined(separator: " ").hasSuffix("b, caller: \(words)"), "\(table.output)")
            #expect(lines.allSatisfy { $0.count <= 80 })
            let report = try await Self.statsreport("call", "b", database: database)
            #expect(report.status == 0)
            #expect(report.output.contains("Part of what is stored of it is damaged: read Data quality."))
        }
    }

    @Test(arguments: Harm.allCases)
    func `check and backup name the call, and rescore mends what follows from facts`(harm: Harm) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = try await Self.fill(folder)
            try await harm.happen(to: database)
            let check = try await SidetoneProcess.run(["check", database.path])
            #expect(check.status == 1)
            #expect(check.output.contains("record cannot be read whole\n"), "\(check.output)")
            #expect(check.output.contains("\n    call b, "), "\(check.output)")
            #expect(check.errors.contains("sidetone rescore") == harm.isDerived, "\(check.errors)")
            #expect(check.errors.contains("sidetone restore") != harm.isDerived, "\(check.errors)")

            let copy = folder.appending(path: "copy.sqlite")
            let backup = try await SidetoneProcess.run(["backup", copy.path, "--database", database.path])
            #expect(backup.status == 1)
            #expect(backup.output.hasSuffix(", checked\n"), "\(backup.output)")
            #expect(backup.errors.contains("copy.sqlite is complete, but 1 record cannot be read whole"))
            #expect(backup.errors.contains("\n  call b, "), "\(backup.errors)")
            #expect(try await SidetoneProcess.run(["check", copy.path]).output.contains("\n    call b, "))

            let rescore = try await SidetoneProcess.run(
                ["rescore", "--all", "--call", "b", "--database", database.path])
            let again = try await SidetoneProcess.run(["check", database.path])
            #expect((rescore.status == 0) == harm.isDerived, "\(rescore.output) \(rescore.errors)")
            #expect((again.status == 0) == harm.isDerived, "\(again.output) \(again.errors)")
        }
    }

    private static func statsreport(_ words: String..., database: URL) async throws -> SidetoneProcess.Run {
        try await SidetoneProcess.run(words + ["--database", database.path], program: "statsreport")
    }

    private static func call(_ id: String, in calls: JSONValue) -> JSONValue? {
        guard case .array(let calls) = calls else { return nil }
        return calls.first { $0["callId"].text == id && $0["observer"].text == "caller" }
    }

    /// The calls of a list, each once, in its order.
    private static func ids(_ calls: JSONValue) -> [String] {
        guard case .array(let calls) = calls else { return [] }
        return calls.compactMap { $0["callId"].text }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
