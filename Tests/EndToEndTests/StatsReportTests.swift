import CallModel
import Foundation
import JSONText
import TestSupport
import Testing

/// The reporting program on a database that the collecting one is writing.
@Suite struct StatsReportTests {
    private static let call = "A551CA43-D015-4644-8BA4-432C7ECC572F"

    /// Posts both ends of the outage call that the package ships.
    private func postOutage(to sidetone: Sidetone) async throws {
        for end in RecordedCall.End.allCases {
            let recorded = RecordedCall(SharedData.packageRoot.appending(path: "SampleData/10-outage5s"), end: end)
            for body in try recorded.reportBodies() {
                #expect(try await sidetone.post("/v1/calls/\(Self.call)/stats", body).status == 202)
            }
            for body in try recorded.eventBodies() {
                #expect(try await sidetone.post("/v1/events?observer=\(end)", body).status == 202)
            }
        }
    }

    private func statsreport(_ arguments: String..., in folder: URL) async throws -> SidetoneProcess.Run {
        let database = folder.appending(path: "calls.sqlite").path
        return try await SidetoneProcess.run(arguments + ["--database", database], program: "statsreport")
    }

    @Test func `it shows the same report as the server, while the server runs and after it crashed`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            try await postOutage(to: sidetone)
            // Of a call that goes on the report says, after three missed reports, for how long nothing was heard of it.
            for end in RecordedCall.End.allCases {
                let event = #"{"action":"callState","type":"ENDED","callId":"\#(Self.call)","time":1795232300400}"#
                #expect(try await sidetone.post("/v1/events?observer=\(end)", event).status == 202)
            }
            let served = try await sidetone.get("/v1/calls/\(Self.call)/report").text
            #expect(served.contains("blackout 4.9 s") && served.contains("callee"))

            let printed = try await statsreport("call", Self.call, in: folder)
            #expect(printed.output == served)
            #expect(printed.status == 0 && printed.errors.isEmpty)

            await sidetone.process.kill()
            #expect(try await statsreport("call", Self.call, in: folder).output == served)
        }
    }

    @Test func `the list puts the worst call first`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            try await postOutage(to: sidetone)
            #expect(try await sidetone.post("/v1/events", Samples.event(0, call: "other")).status == 202)
            let list = try await statsreport("list", in: folder)
            let lines = list.output.split(separator: "\n")
            #expect(list.status == 0)
            #expect(lines.dropFirst().first?.contains(Self.call) == true, "\(list.output)")
            #expect(lines.contains { $0.contains("other") })
            #expect(lines.allSatisfy { $0.count <= 80 })
            await sidetone.process.kill()
        }
    }

    @Test func `two ends of a call, and two calls, are compared; what is not clear is said`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            try await postOutage(to: sidetone)
            #expect(try await sidetone.post("/v1/events", Samples.event(0, call: "other")).status == 202)

            let ends = try await statsreport("compare", Self.call, in: folder)
            #expect(ends.status == 0 && ends.errors.isEmpty)
            #expect(ends.output.contains("(caller)") && ends.output.contains("(callee)"))
            #expect(ends.output.contains("in audio") && ends.output.contains("MOS-LQ"))
            #expect(ends.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let json = try await statsreport(
                "compare", Self.call, "other", "--observer-a", "caller", "--format", "json", in: folder)
            let value = try JSONValue(parsing: Array(json.output.utf8))
            #expect(value.members?["a"]?.members?["observer"]?.text == "caller")
            #expect(value.members?["comparison"]?.members?["quality"]?.members?["score"]?.members?["b"] == .null)

            for (arguments, words) in [
                ([Self.call, "other"], "has several records: callee attempt 1, caller attempt 1; name one with"),
                (["other"], "not two ends to compare"), (["other", "other"], "both are the same record"),
                (["nobody", "other"], "no call nobody in"),
                ([Self.call, "other", "--observer-a", "me"], "has no such record"),
                ([Self.call, "other", "--observer-a", "caller", "--attempt-b", "7"], "has no such record"),
            ] {
                let database = folder.appending(path: "calls.sqlite").path
                let run = try await SidetoneProcess.run(
                    ["compare"] + arguments + ["--database", database], program: "statsreport")
                #expect(run.status == 1 && run.errors.contains(words), "\(arguments): \(run.errors)")
            }
            await sidetone.process.kill()
        }
    }

    @Test func `colours are only for terminals, unless asked for`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            try await postOutage(to: sidetone)
            #expect(try await !statsreport("call", Self.call, in: folder).output.contains("\u{1b}["))
            let coloured = try await statsreport("call", Self.call, "--color", "always", in: folder)
            #expect(coloured.output.contains("\u{1b}["))
            await sidetone.process.kill()
        }
    }

    @Test func `what is not there is named, with exit status 1, and nothing is created`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let without = try await statsreport("list", in: folder)
            #expect(without.status == 1)
            #expect(without.errors.contains("calls.sqlite") && without.errors.contains("no such file"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)

            let sidetone = try await Sidetone.start(in: folder)
            let unknown = try await statsreport("call", "nobody", in: folder)
            #expect(unknown.status == 1)
            let database = folder.appending(path: "calls.sqlite").path
            #expect(
                unknown.errors
                    == "Error: no call nobody in \(database), which holds none of tenant default; --tenant names "
                    + "another\n")
            let hostile = try await statsreport("call", "x\u{1B}[31m", in: folder)
            #expect(hostile.status == 1 && hostile.errors.contains(#"no call x\u{1b}[31m in"#))

            try await postOutage(to: sidetone)
            let part = String(Self.call.prefix(8).lowercased())
            let near = try await statsreport("call", part, in: folder)
            #expect(near.status == 1)
            #expect(near.errors.hasSuffix("holds 2 records; did you mean \(Self.call)?\n"), "\(near.errors)")
            let far = try await statsreport("call", "nobody", in: folder)
            #expect(far.errors.hasSuffix("holds 2 records; `statsreport list` lists them\n"), "\(far.errors)")
            await sidetone.process.kill()
        }
    }

    @Test func `of a call that is not there the tenant's records are told, not those of others`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let (file, database) = (folder.appending(path: "log"), folder.appending(path: "calls.sqlite").path)
            try Data(ImportSamples.callStatisticsLog.utf8).write(to: file)
            let kept = try await SidetoneProcess.run(
                ["import", file.path, "--tenant", "acme", "--database", database])
            #expect(kept.status == 0, "\(kept.errors)")
            let start = "Error: no call nobody in \(database), which holds "
            for (tenant, end) in [
                ("default", "none of tenant default; --tenant names another\n"),
                ("acme", "2 records of tenant acme; `statsreport list --tenant acme` lists them\n"),
            ] {
                let run = try await statsreport("call", "nobody", "--tenant", tenant, in: folder)
                #expect(run.status == 1)
                #expect(run.errors == start + end)
            }
        }
    }

    @Test func `the units of a time ago are named where it cannot be read`() async throws {
        let run = try await SidetoneProcess.run(["list", "--since", "5x"], program: "statsreport")
        #expect(run.status == 64)
        #expect(run.errors.contains("'5x'") && run.errors.contains("90s, 30m, 2h, 7d"), "\(run.errors)")
    }

    @Test(arguments: [
        ["call"], ["list", "--sort", "sideways"], ["list", "--limit", "0"], ["call", "a", "b"], ["compare"],
        ["compare", "a", "b", "--attempt-a", "0"], ["compare", "a", "--observer", "x", "--observer-b", "y"],
    ])
    func `misuse is exit status 64 and shows the usage`(arguments: [String]) async throws {
        let run = try await SidetoneProcess.run(arguments, program: "statsreport")
        #expect(run.status == 64)
        #expect(run.errors.contains("Usage:"))
    }

    @Test func `a pipe with statistics is named as what it is`() async throws {
        let program = try SidetoneProcess.program("statsreport").path
        let run = try await SidetoneProcess.run(
            URL(filePath: "/bin/sh"), ["-c", "echo '[{\"a\": 1}]' | \"$0\" /dev/stdin", program])
        #expect(run.status == 1 && run.errors.contains("it is a pipe or a device; a file is expected"), "\(run.errors)")
    }
}
