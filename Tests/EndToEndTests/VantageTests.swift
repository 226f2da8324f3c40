import CallModel
import Foundation
import JSONText
import TestSupport
import Testing

/// Calls that were recorded at both ends, with the log of the router between them as the truth: what is lost there is
/// told to be lost there, in the direction in which it was lost.
@Suite(SharedData.required) struct VantageTests {
    // MARK: Two captures of a SIP call

    @Test func `one-way audio is located between the two captures`() async throws {
        let records = try await Self.captured("s9-baresip-oneway-audio", ends: ["caller", "callee"])
        #expect(records.count == 4)
        for record in records {
            let path = record["vantagePoints"][0]
            #expect(record["vantagePoints"].elements.count == 1)
            let isToCaller = record["observer"].text?.hasSuffix(":caller") == true
            let names = path["points"].elements.filter { $0["place"] == "probe" }.map { $0["observer"].text ?? "" }
            guard isToCaller else {
                #expect(path["findings"].elements.isEmpty)
                continue
            }
            // The router dropped the callee's sound from 7.5 s on: 21.6 s, of which whole pieces of 5 s count.
            #expect(names == ["callee:caller", "caller:caller"])
            let finding = path["findings"][0]
            #expect(path["findings"].elements.count == 1 && finding["what"] == "cutOff")
            #expect((finding["seconds"].number ?? 0) >= 15 && (finding["seconds"].number ?? 0) <= 21.7)
            #expect(Self.names(of: finding, in: path) == ["callee:caller", "caller:caller"])
        }
    }

    @Test func `loss and jitter of both directions are located between the two captures`() async throws {
        let recording = "s6-baresip-pcma-loss5-jitter30"
        let records = try await Self.captured(recording, ends: ["caller", "callee"])
        let wire = try WireLog(sipRecording: recording)
        for record in records {
            let path = record["vantagePoints"][0]
            let end = record["observer"].text?.hasSuffix(":caller") == true ? "caller" : "callee"
            let order = (end == "caller" ? ["callee", "caller"] : ["caller", "callee"]).map { "\($0):\(end)" }
            #expect(path["findings"].elements.map { $0["what"].text } == ["lost", "jitter"])
            for finding in path["findings"].elements { #expect(Self.names(of: finding, in: path) == order) }
            let truth = try #require(wire.stream(path["source"].text ?? "").lossPercent)
            #expect(abs((path["findings"][0]["percent"].number ?? 0) - truth) < 0.5)
        }
    }

    // MARK: Clients and captures of a call of browsers

    @Test func `loss is located between the captures of two browsers`() async throws {
        let recording = "03-loss5"
        let records = try await Self.observed(recording, captures: [.caller, .callee])
        let wire = try WireLog(recording: recording)
        #expect(records.count == 2)
        for record in records {
            let own = record["observer"].text == "caller" ? "A" : "B"
            let far = own == "A" ? "B" : "A"
            for path in record["vantagePoints"].elements where path["kind"] == "audio" {
                let probes = path["points"].elements.compactMap { $0["observer"].text }.filter { $0.contains(":") }
                let order = path["direction"] == "inbound" ? [far, own] : [own, far]
                #expect(probes.map { String($0.prefix(1)) } == order)
                let finding = path["findings"][0]
                #expect(path["findings"].elements.count == 1 && finding["what"] == "lost")
                #expect(Self.names(of: finding, in: path) == probes)
                let truth = try #require(wire.stream(path["source"].text ?? "").lossPercent)
                #expect(abs((finding["percent"].number ?? 0) - truth) < 0.5)
            }
        }
    }

    @Test(arguments: RecordedCall.End.allCases) func `with one capture loss lies before or after it, by the direction`(
        captured: RecordedCall.End
    ) async throws {
        for record in try await Self.observed("03-loss5", captures: [captured]) {
            let isAtCapture = record["observer"].text == captured.observer.rawValue
            for path in record["vantagePoints"].elements where path["kind"] == "audio" {
                let places = path["points"].elements.compactMap { $0["place"].text }
                #expect(places == ["sender", "probe", "receiver"])
                // What comes to the captured end was lost before; what leaves it is lost after.
                let isBefore = isAtCapture == (path["direction"] == "inbound")
                let finding = path["findings"][0]
                #expect(path["findings"].elements.count == 1 && finding["what"] == "lost")
                #expect(finding["from"] == (isBefore ? 0 : 1) && finding["to"] == (isBefore ? 1 : 2))
            }
        }
    }

    @Test(arguments: ["01-clean", "40-chromium-firefox-clean"]) func `where nothing was lost nothing is said`(
        recording: String
    ) async throws {
        for record in try await Self.observed(recording, captures: [.caller, .callee]) {
            for path in record["vantagePoints"].elements where path["kind"] == "audio" {
                #expect(path["points"].elements.count == 4)
                #expect(path["findings"].elements.isEmpty, "\(path["findings"])")
            }
        }
    }

    /// Made after the others, and shipped with the samples instead.
    private static let oneWayLoss = SharedData.packageRoot.appending(path: "SampleData/78-oneway-loss10")

    @Test func `loss in one direction only is told of that direction, by one client alone and by both`() async throws {
        let ends = RecordedCall.End.allCases
        for clients in [[ends[0]], [ends[1]], ends] {
            let records = try await Self.observed(clients.map { RecordedCall(Self.oneWayLoss, end: $0) })
            #expect(records.count == clients.count)
            for record in records {
                // The caller's packets were lost, the callee's were not.
                let lossy = record["observer"] == "caller" ? "outbound" : "inbound"
                for path in record["vantagePoints"].elements {
                    let findings = path["findings"].elements.filter { $0["what"] == "lost" }
                    #expect(findings.count == (path["direction"].text == lossy ? 1 : 0))
                    for finding in findings { #expect(abs((finding["percent"].number ?? 0) - 10) < 1.5) }
                }
                #expect(record["vantagePoints"].elements.contains { $0["direction"].text == lossy })
            }
        }
    }
}

// MARK: - Databases

extension VantageTests {
    /// The observers between which a finding lies.
    private static func names(of finding: JSONValue, in path: JSONValue) -> [String] {
        ["from", "to"].compactMap { member in
            finding[member].wholeNumber.flatMap { path["points"][Int($0)]["observer"].text }
        }
    }

    /// The records of a SIP call from its captures, each by a sensor named like the end where it was made.
    private static func captured(_ recording: String, ends: [String]) async throws -> [JSONValue] {
        try await inDatabase { folder, database in
            for end in ends { try await capture("sip/\(recording).\(end)", as: end, into: database) }
        }
    }

    /// The clients' records of a call of browsers, with captures at some of its ends.
    private static func observed(_ recording: String, captures: [RecordedCall.End]) async throws -> [JSONValue] {
        try await observed(RecordedCall.End.allCases.map { RecordedCall.shared(recording, $0) }) { database in
            for end in captures {
                try await capture("calls/\(recording)/\(end.rawValue)", as: end.rawValue, into: database)
            }
        }
    }

    private static func observed(
        _ clients: [RecordedCall], beside capturing: (String) async throws -> Void = { _ in }
    ) async throws -> [JSONValue] {
        try await inDatabase { folder, database in
            try await capturing(database)
            for client in clients {
                let bodies = try client.reportBodies() + client.eventBodies()
                let file = folder.appending(path: "client.jsonl")
                let lines = bodies.map { body in
                    "{\"observer\":\"\(client.end)\"," + String(decoding: body.dropFirst(), as: UTF8.self)
                }
                try Data(lines.joined(separator: "\n").utf8).write(to: file)
                try await run(["import", "--database", database, file.path])
            }
        }
    }

    private static func capture(_ name: String, as sensor: String, into database: String) async throws {
        let files = [".pcap", ".pcap.gz"].map { SharedData.url(name + $0).path }
        let file = try #require(files.first { FileManager.default.fileExists(atPath: $0) })
        try await run(["capture", "--read", file, "--observer", sensor, "--database", database])
    }

    private static func run(_ arguments: [String]) async throws {
        let run = try await SidetoneProcess.run(arguments)
        #expect(run.status == 0, "\(arguments): \(run.errors)")
    }

    /// The reports of the call in a database that `fill` makes: the clients' where there are any.
    private static func inDatabase(_ fill: (URL, String) async throws -> Void) async throws -> [JSONValue] {
        var records: [JSONValue] = []
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            try await fill(folder, database)
            let calls = Set(try await StoredCalls.list(in: folder).compactMap { $0["callId"].text })
            let call = try #require(calls.first { !$0.hasPrefix("rtp-") })
            let report = try await SidetoneProcess.run(
                ["call", call, "--format", "json", "--database", database], program: "statsreport")
            records = try JSONValue(parsing: report.output)["calls"].elements
        }
        return records
    }
}
