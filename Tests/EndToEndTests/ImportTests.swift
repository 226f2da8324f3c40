import CallModel
import Deflate
import Foundation
import JSONText
import TestSupport
import Testing

/// Files of statistics through the real programs: kept, posted, shown at once, written out again.
@Suite struct ImportTests {
    /// A file of every format, by our own hand.
    private static let samples = [
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
    private static func reports(in folder: URL) async throws -> JSONObject {
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

    // MARK: Written out

    @Test(arguments: ["lines", "log"]) func `what is exported is imported to the same reports`(
        format: String
    ) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            for name in Self.samples.keys.sorted() {
                let file = try Self.write(Self.samples[name] ?? "", name, in: folder)
                _ = try await Self.sidetone(["import", file, "--observer", "caller"], in: folder)
            }
            let exported = try await Self.sidetone(["export", "--format", format], in: folder)
            #expect(exported.status == 0, "\(exported.errors)")
            try await Sidetone.withTemporaryFolder { other in
                let file = try Self.write(exported.output, "exported", in: other)
                let run = try await Self.sidetone(["import", file], in: other)
                #expect(run.status == 0 && !run.output.contains("refused"), "\(run.output) \(run.errors)")
                #expect(try await Self.reports(in: other) == Self.reports(in: folder))
                let again = try await Self.sidetone(["export", "--format", format], in: other)
                #expect(again.output == exported.output)
            }
        }
    }

    @Test(arguments: ["lines", "log"]) func `a posted call is exported and imported to the same report`(
        format: String
    ) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            let sample = SharedData.packageRoot.appending(path: "SampleData/10-outage5s")
            for end in RecordedCall.End.allCases {
                let recorded = RecordedCall(sample, end: end)
                for body in try recorded.reportBodies() {
                    _ = try await sidetone.post("/v1/import?observer=\(end)", body)
                }
                for body in try recorded.eventBodies() {
                    _ = try await sidetone.post("/v1/events?observer=\(end)", body)
                }
            }
            _ = await sidetone.process.terminate()
            let exported = try await Self.sidetone(["export", "--format", format], in: folder)
            try await Sidetone.withTemporaryFolder { other in
                let file = try Self.write(exported.output, "call", in: other)
                _ = try await Self.sidetone(["import", file], in: other)
                #expect(try await Self.reports(in: other) == Self.reports(in: folder))
            }
        }
    }

    /// The pair is told by an event, or beside a report.
    @Test(arguments: ["lines", "log"], [true, false]) func `what stands under a session is exported with its call`(
        format: String, isToldByEvent: Bool
    ) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            let pair = #""sessionId":"s-81""#
            for index in 1...4 {
                let ids = isToldByEvent ? "" : #""callId":"c-1",\#(pair),"#
                let report = "{\(ids)\(Samples.report(index).dropFirst())"
                #expect(try await sidetone.post("/v1/calls/s-81/stats", report).status == 202)
            }
            #expect(try await sidetone.post("/v1/calls/s-81/stats", Samples.report(5)).status == 202)
            for (type, action, second) in [("callCreate", "callMetric", 5), ("ENDED", "callState", 60)] {
                let time = Samples.start + Int64(second) * 1000
                let ids = #""callId":"c-1","side":"caller""# + (isToldByEvent ? "," + pair : "")
                let event = #"{"action":"\#(action)","type":"\#(type)","time":\#(time),\#(ids)}"#
                #expect(try await sidetone.post("/v1/events", event).status == 202)
            }
            let expected = try await sidetone.get("/v1/calls/c-1").json["records"]
            #expect(expected[0]["dataQuality"]["reports"] == 5)
            _ = await sidetone.process.terminate()
            for call in [[], ["--call", "c-1"], ["--call", "s-81"]] {
                let exported = try await Self.sidetone(["export", "--format", format] + call, in: folder)
                #expect(exported.status == 0 && exported.errors.isEmpty, "\(exported.errors)")
                try await Sidetone.withTemporaryFolder { other in
                    let file = try Self.write(exported.output, "call", in: other)
                    _ = try await Self.sidetone(["import", file], in: other)
                    let reports = try await Self.reports(in: other)
                    #expect(try await reports == Self.reports(in: folder) && reports.count == 1)
                }
            }
        }
    }

    @Test(arguments: ["lines", "log"]) func `a captured call is exported and imported to the same report`(
        format: String
    ) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let capture = SharedData.packageRoot
                .appending(path: "SampleData/captures/s5-baresip-pcma-clean/capture.pcap.gz")
            #expect(try await Self.sidetone(["capture", "-r", capture.path], in: folder).status == 0)
            let exported = try await Self.sidetone(["export", "--format", format], in: folder)
            try await Sidetone.withTemporaryFolder { other in
                let file = try Self.write(exported.output, "call", in: other)
                _ = try await Self.sidetone(["import", file], in: other)
                let reports = try await Self.reports(in: other)
                #expect(try await reports == Self.reports(in: folder) && reports.count == 1)
            }
        }
    }

    @Test func `a call that is not there is named`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = try Self.write(ImportSamples.callStatisticsLog, "log", in: folder)
            _ = try await Self.sidetone(["import", file], in: folder)
            let run = try await Self.sidetone(["export", "--call", "nobody"], in: folder)
            #expect(run.status == 1 && run.errors.contains("no call nobody in"))
            let one = try await Self.sidetone(["export", "--call", "two", "--format", "log"], in: folder)
            let log = try JSONValue(parsing: one.output)
            #expect(log[0][0] == "two" && log[0][1].elements.count == 2)
            // A plain dictionary, as the sample logger writes it.
            #expect(log[0][1][0]["I"]["packetsReceived"] == 40)
        }
    }

    @Test func `calls of another tenant are written when that tenant is named`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = try Self.write(ImportSamples.callStatisticsLog, "log", in: folder)
            #expect(try await Self.sidetone(["import", file, "--tenant", "acme"], in: folder).status == 0)
            let none = try await Self.sidetone(["export"], in: folder)
            #expect(none.status == 0 && none.output.isEmpty)
            #expect(none.errors.contains("records are of other tenants than default; --tenant writes theirs"))
            let absent = try await Self.sidetone(["export", "--call", "two"], in: folder)
            #expect(absent.status == 1 && absent.errors.contains("no call two in"))
            let theirs = try await Self.sidetone(["export", "--tenant", "acme"], in: folder)
            #expect(theirs.status == 0 && theirs.errors.isEmpty)
            try await Sidetone.withTemporaryFolder { other in
                let same = try Self.write(ImportSamples.callStatisticsLog, "log", in: other)
                _ = try await Self.sidetone(["import", same], in: other)
                let expected = try await Self.sidetone(["export"], in: other)
                #expect(Self.withoutReceipts(theirs.output) == Self.withoutReceipts(expected.output))
            }
            let rescored = try await Self.sidetone(
                ["rescore", "--all", "--tenant", "acme", "--call", "two"], in: folder)
            #expect(rescored.status == 0, "\(rescored.errors)")
        }
    }

    /// Lines of an export, without what the moment of the import says.
    private static func withoutReceipts(_ lines: String) -> [String] {
        lines.split(separator: "\n").map { String($0).replacing(/"receivedAt":\d+/, with: "") }
    }
}
