import CallModel
import Deflate
import Foundation
import JSONText
import TestSupport
import Testing

/// Files of statistics through the real programs: kept, posted, shown at once.
@Suite struct ImportTests {
    /// A file of every format, by our own hand.
    static let samples = [
        "CallStatistics.log": ImportSamples.callStatisticsLog, "internals.json": ImportSamples.internals,
        "legacy": ImportSamples.legacyDump, "dump": ImportSamples.chromeDump,
        "compressed": ImportSamples.compressedDump, "client.json": ImportSamples.clientFile,
        "goog.json": ImportSamples.googReport, "mixed.jsonl": ImportSamples.mixedLines,
    ]

    static func write(_ text: String, _ name: String, in folder: URL) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    static func sidetone(_ arguments: [String], in folder: URL) async throws -> SidetoneProcess.Run {
        let isExport = arguments.first == "export" || !arguments.contains("--post")
        let database = isExport ? ["--database", folder.appending(path: "calls.sqlite").path] : []
        return try await SidetoneProcess.run(arguments + database)
    }

    private static func statsreport(_ arguments: [String]) async throws -> SidetoneProcess.Run {
        try await SidetoneProcess.run(arguments, program: "statsreport")
    }

    /// The reports of all calls of a database, as JSON.
    static func reports(in folder: URL) async throws -> JSONObject {
        let database = ["--database", folder.appending(path: "calls.sqlite").path, "--format", "json"]
        let list = try JSONValue(parsing: try await statsreport(["list"] + database).output)
        var reports: JSONObject = [:]
        for call in Set(list["calls"].elements.compactMap { $0["callId"].text }) {
            reports[call] = try JSONValue(parsing: try await statsreport(["call", call] + database).output)
        }
        return reports
    }

    // MARK: Importing

    @Test func `every format is kept, once, however often it is imported`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            var files: [String] = []
            for (name, text) in Self.samples { files.append(try Self.write(text, name, in: folder)) }
            let first = try await Self.sidetone(["import"] + files, in: folder)
            #expect(first.status == 0, "\(first.errors)")
            let before = try await Self.reports(in: folder)
            #expect(before.count == 8)
            let second = try await Self.sidetone(["import"] + files, in: folder)
            #expect(second.status == 0)
            #expect(second.output.split(separator: "\n").dropLast().allSatisfy { $0.contains(": 0 stored, ") })
            #expect(try await Self.reports(in: folder) == before)
        }
    }

    @Test func `what was refused is told with its place, what is odd too`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let mixed = try Self.write(ImportSamples.mixedLines, "mixed.jsonl", in: folder)
            let dump = try Self.write(ImportSamples.legacyDump, "dump", in: folder)
            let run = try await Self.sidetone(["import", mixed, dump], in: folder)
            #expect(run.status == 0)
            #expect(
                run.output.contains("mixed.jsonl: statistics reports and events, calls one, two: 4 stored, 1 refused"))
            #expect(run.errors.contains("mixed.jsonl: not readable JSON: line 4, column 6: "))
            #expect(run.errors.contains("dump: by their numbers 1 rows of the dump are missing"))
        }
    }

    @Test func `a file that is something else is named, and costs no other`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let foreign = try Self.write(#"{"statsSessionId":"x","type":"identity","data":{}}"#, "jvb", in: folder)
            let log = try Self.write(ImportSamples.callStatisticsLog, "CallStatistics.log", in: folder)
            let run = try await Self.sidetone(
                ["import", foreign, folder.path + "/none", folder.path, log], in: folder)
            #expect(run.status == 1)
            #expect(run.errors.contains("jvb: this is messages of a Jitsi component"))
            #expect(run.errors.contains("none: there is no such file"))
            #expect(run.errors.contains("\(folder.path): it is a directory; the name of a file is expected\n"))
            #expect(run.errors.contains("Error: of 4 files, 3 brought nothing"))
            #expect(run.output.contains("CallStatistics.log: a CallStatistics.log, calls one, two: 4 stored"))
        }
    }

    @Test func `what is in gzip that is cut short is read as far as it goes, and that is said`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let lines = (0..<3 as Range<Int64>).map { ImportSamples.report(second: 10 * $0, received: 50) }
            let file = folder.appending(path: "cut.gz")
            try Data(Gzip.deflate(Array(lines.joined(separator: "\n").utf8)).dropLast(3)).write(to: file)
            let note = "the compressed data stops before its end; what comes before counts"
            let shown = try JSONValue(parsing: try await Self.statsreport([file.path, "--format", "json"]).output)
            #expect(shown["file"]["reports"] == 3)
            #expect(shown["file"]["notes"] == JSONValue.array([.string(note)]))
            let run = try await Self.sidetone(["import", file.path], in: folder)
            #expect(run.status == 0 && run.output.contains(": 3 stored"), "\(run.output)")
            #expect(run.errors.contains("\(file.path): \(note)\n"), "\(run.errors)")
        }
    }

    @Test func `call and observer of a file without names are given on the command line`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = try Self.write(ImportSamples.internals, "x", in: folder)
            let run = try await Self.sidetone(["import", file, "--call", "mine", "--observer", "caller"], in: folder)
            #expect(run.output.contains("call mine: 5 stored"))
            let report = try await Self.reports(in: folder)["mine"]
            #expect(report?["calls"][0]["observer"] == "caller")
        }
    }

    @Test(arguments: [
        ["import"], ["import", "x", "--post", "http://a", "--database", "b"], ["export", "--format", "x"],
    ])
    func `misuse is exit status 64`(arguments: [String]) async throws {
        #expect(try await SidetoneProcess.run(arguments).status == 64)
    }

    // MARK: Over HTTP

    @Test(arguments: samples.keys.sorted()) func `posted, a file is the same calls`(name: String) async throws {
        let text = try #require(Self.samples[name])
        try await Sidetone.withTemporaryFolder { folder in
            let file = try Self.write(text, name, in: folder)
            _ = try await Self.sidetone(["import", file], in: folder)
            let kept = try await Self.reports(in: folder)
            try await Sidetone.run { sidetone in
                let reply = try await sidetone.post("/v1/import", Gzip.deflate(Array(text.utf8)))
                #expect(reply.status == 202, "\(reply.text)")
                #expect(Set(reply.json["calls"].elements.compactMap(\.text)) == Set(kept.keys))
                for (call, report) in kept {
                    let path = "/v1/calls/\(call)/report?format=json"
                    #expect(try await sidetone.get(path).json["records"] == report["calls"])
                }
                let posted = try await Self.sidetone(
                    ["import", file, "--post", sidetone.process.address], in: folder)
                #expect(posted.status == 0 && posted.output.contains(": 0 stored, "), "\(posted.errors)")
            }
        }
    }

    @Test func `a posted file that inflates to too many times its size is refused`() async throws {
        try await Sidetone.run { sidetone in
            let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 4_000_000)
            let reply = try await sidetone.post("/v1/import", Gzip.deflate(spaces))
            #expect(reply.status == 413)
            #expect(reply.text.contains("inflates to more than 500 times its size"), "\(reply.text)")
        }
    }

    @Test func `files of which none is there make no database`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let run = try await Self.sidetone(["import", folder.path + "/none"], in: folder)
            #expect(run.status == 1 && run.errors.contains("none: there is no such file"), "\(run.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func `what cannot be posted is named, with exit status 1`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = try Self.write(ImportSamples.chromeDump, "dump", in: folder)
            let away = try await Self.sidetone(["import", file, "--post", "http://127.0.0.1:1"], in: folder)
            #expect(away.status == 1)
            #expect(away.errors.contains("cannot deliver to http://127.0.0.1:1/v1/import: nothing listens there"))
            let none = try await Self.sidetone(["import", folder.path + "/none", "--post", "http://a"], in: folder)
            #expect(none.status == 1 && none.errors.contains("none: there is no such file"), "\(none.errors)")
        }
    }

    @Test func `a posted file that is something else is refused by name`() async throws {
        try await Sidetone.run { sidetone in
            let reply = try await sidetone.post("/v1/import", "{ timestampUs: 12, stats: [ { id: C } ] }")
            #expect(reply.status == 422)
            #expect(reply.message.contains("Android's RTCStatsReport.toString()"))
            let cut = try await sidetone.post("/v1/import", #"{"T":{"id":"T","#)
            #expect(cut.status == 422)
            #expect(try await sidetone.post("/v1/import", "").status == 202)
            let named = try await sidetone.post("/v1/import?call=a%20b&observer=me", ImportSamples.chromeDump)
            #expect(named.json["calls"] == ["a b"])
            #expect(named.json["format"] == "an RTCStatsDump")
        }
    }

    // MARK: Shown at once

    @Test func `statsreport shows a file of statistics like a call that is kept`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = try Self.write(ImportSamples.internals, "dump", in: folder)
            let shown = try await Self.statsreport([file])
            #expect(shown.status == 0)
            #expect(shown.output.hasPrefix("File \(file)\n  a webrtc-internals dump: 3 reports, 2 events, 1 call\n"))
            _ = try await Self.sidetone(["import", file], in: folder)
            let call = try #require(try await Self.reports(in: folder).keys.first)
            let kept = try await Self.statsreport(
                ["call", call, "--database", folder.appending(path: "calls.sqlite").path])
            #expect(shown.output.hasSuffix("\n\n" + kept.output))
            let alone = try await Self.statsreport([file, "--call", call])
            #expect(alone.output == kept.output)
        }
    }

    @Test func `what stands twice in a file counts once`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let lines = (0..<3 as Range<Int64>).map { ImportSamples.report(second: 10 * $0, received: 50) }
            let file = try Self.write((lines + lines).joined(separator: "\n"), "twice", in: folder)
            let json = try JSONValue(parsing: try await Self.statsreport([file, "--format", "json"]).output)
            #expect(json["file"]["reports"] == 6)
            #expect(json["calls"][0]["dataQuality"]["reports"] == 3)
            #expect(json["calls"][0]["dataQuality"]["contradictions"] == 0)
        }
    }

    /// As the Kandy SDK files them.
    @Test func `statistics under the session's id and events under the call's are one call of a file`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let told = #""action":"callMetric","callId":"c-1","sessionId":"s-81","time":"1767225600000""#
            let reports = (1..<4 as Range<Int64>).map { number in
                #"{"callId":"s-81","statistics":\#(ImportSamples.report(second: 10 * number, received: 50))}"#
            }
            let lines = reports + [#"{\#(told),"type":"callCreate"}"#]
            let file = try Self.write(lines.joined(separator: "\n"), "session", in: folder)
            for arguments in [[file], [file, "--call", "s-81"]] {
                let json = try JSONValue(parsing: try await Self.statsreport(arguments + ["--format", "json"]).output)
                #expect(json["file"]["calls"] == 1)
                #expect(json["calls"].elements.map { $0["callId"] } == ["c-1"])
                #expect(json["calls"][0]["dataQuality"]["reports"] == 3)
            }
        }
    }

    @Test func `many calls are listed, and all are in the JSON`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let entries = (0..<5 as Range<Int64>).map { number in
                "[\"call-\(number)\",[\(ImportSamples.report(second: 60 * number, received: 50))]]"
            }
            let file = try Self.write("[\(entries.joined(separator: ","))]", "log", in: folder)
            let text = try await Self.statsreport([file])
            #expect(text.output.contains("5 records, worst first"))
            #expect(text.output.contains("One in full: "))
            let json = try JSONValue(parsing: try await Self.statsreport([file, "--format", "json"]).output)
            #expect(json["calls"].elements.count == 5)
            #expect(json["file"]["format"] == "a CallStatistics.log")
            let zipped = folder.appending(path: "log.gz")
            try Data(Gzip.deflate(Array(Data(contentsOf: URL(filePath: file))))).write(to: zipped)
            #expect(try await Self.statsreport([zipped.path]).output.contains("5 records"))
        }
    }

    @Test func `a file may come through a pipe`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = URL(filePath: try Self.write(ImportSamples.mixedLines, "mixed.jsonl", in: folder))
            let database = ["--database", folder.appending(path: "calls.sqlite").path]
            for name in ["-", "/dev/stdin"] {
                let command = "cat \"$0\" | \"$1\" import \(name) --database \"$2\""
                let program = try SidetoneProcess.program("sidetone").path
                let run = try await SidetoneProcess.run(
                    URL(filePath: "/bin/sh"), ["-c", command, file.path, program, database[1]])
                #expect(run.status == 0 && run.output.hasPrefix("\(name): "), "\(run.output) \(run.errors)")
            }
            #expect(try await Self.reports(in: folder).isEmpty == false)
        }
    }
}
