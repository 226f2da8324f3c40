import CallModel
import Foundation
import JSONText
import TestSupport
import Testing

/// What is kept of calls, written out and imported elsewhere.
@Suite struct ExportTests {
    @Test(arguments: ["lines", "log"]) func `what is exported is imported to the same reports`(
        format: String
    ) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            for name in ImportTests.samples.keys.sorted() {
                let file = try ImportTests.write(ImportTests.samples[name] ?? "", name, in: folder)
                _ = try await ImportTests.sidetone(["import", file, "--observer", "caller"], in: folder)
            }
            let exported = try await ImportTests.sidetone(["export", "--format", format], in: folder)
            #expect(exported.status == 0, "\(exported.errors)")
            try await Sidetone.withTemporaryFolder { other in
                let file = try ImportTests.write(exported.output, "exported", in: other)
                let run = try await ImportTests.sidetone(["import", file], in: other)
                #expect(run.status == 0 && !run.output.contains("refused"), "\(run.output) \(run.errors)")
                #expect(try await ImportTests.reports(in: other) == ImportTests.reports(in: folder))
                let again = try await ImportTests.sidetone(["export", "--format", format], in: other)
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
            let exported = try await ImportTests.sidetone(["export", "--format", format], in: folder)
            try await Sidetone.withTemporaryFolder { other in
                let file = try ImportTests.write(exported.output, "call", in: other)
                _ = try await ImportTests.sidetone(["import", file], in: other)
                #expect(try await ImportTests.reports(in: other) == ImportTests.reports(in: folder))
            }
        }
    }

    /// Of a device whose clock was ahead when the call began, and was set right: the call began last by its times.
    @Test(arguments: ["lines", "log"]) func `facts are imported in the order in which they came`(
        format: String
    ) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            let now = Int64(Date.now.timeIntervalSince1970 * 1_000)
            for (type, after) in [("callCreate", 600_000), ("callAnswerReceived", 3_000), ("iceConnected", 3_500)] {
                let event = #"{"action":"callMetric","type":"\#(type)","callId":"c","time":\#(now + Int64(after))}"#
                #expect(try await sidetone.post("/v1/events", event).status == 202)
            }
            _ = await sidetone.process.terminate()
            let exported = try await ImportTests.sidetone(["export", "--format", format], in: folder)
            try await Sidetone.withTemporaryFolder { other in
                let file = try ImportTests.write(exported.output, "call", in: other)
                _ = try await ImportTests.sidetone(["import", file], in: other)
                let reports = try await ImportTests.reports(in: other)
                #expect(reports.count == 1)
                #expect(try await reports == ImportTests.reports(in: folder))
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
                let exported = try await ImportTests.sidetone(["export", "--format", format] + call, in: folder)
                #expect(exported.status == 0 && exported.errors.isEmpty, "\(exported.errors)")
                try await Sidetone.withTemporaryFolder { other in
                    let file = try ImportTests.write(exported.output, "call", in: other)
                    _ = try await ImportTests.sidetone(["import", file], in: other)
                    let reports = try await ImportTests.reports(in: other)
                    #expect(try await reports == ImportTests.reports(in: folder) && reports.count == 1)
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
            #expect(try await ImportTests.sidetone(["capture", "-r", capture.path], in: folder).status == 0)
            let exported = try await ImportTests.sidetone(["export", "--format", format], in: folder)
            try await Sidetone.withTemporaryFolder { other in
                let file = try ImportTests.write(exported.output, "call", in: other)
                _ = try await ImportTests.sidetone(["import", file], in: other)
                let reports = try await ImportTests.reports(in: other)
                #expect(try await reports == ImportTests.reports(in: folder) && reports.count == 1)
            }
        }
    }

    @Test func `a call that is not there is named`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = try ImportTests.write(ImportSamples.callStatisticsLog, "log", in: folder)
            _ = try await ImportTests.sidetone(["import", file], in: folder)
            let run = try await ImportTests.sidetone(["export", "--call", "nobody"], in: folder)
            #expect(run.status == 1 && run.errors.contains("no call nobody in"))
            let one = try await ImportTests.sidetone(["export", "--call", "two", "--format", "log"], in: folder)
            let log = try JSONValue(parsing: one.output)
            #expect(log[0][0] == "two" && log[0][1].elements.count == 2)
            // A plain dictionary, as the sample logger writes it.
            #expect(log[0][1][0]["I"]["packetsReceived"] == 40)
        }
    }

    @Test func `calls of another tenant are written when that tenant is named`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = try ImportTests.write(ImportSamples.callStatisticsLog, "log", in: folder)
            #expect(try await ImportTests.sidetone(["import", file, "--tenant", "acme"], in: folder).status == 0)
            let none = try await ImportTests.sidetone(["export"], in: folder)
            #expect(none.status == 0 && none.output.isEmpty)
            #expect(none.errors.contains("records are of other tenants than default; --tenant writes theirs"))
            let absent = try await ImportTests.sidetone(["export", "--call", "two"], in: folder)
            #expect(absent.status == 1 && absent.errors.contains("no call two in"))
            let theirs = try await ImportTests.sidetone(["export", "--tenant", "acme"], in: folder)
            #expect(theirs.status == 0 && theirs.errors.isEmpty)
            try await Sidetone.withTemporaryFolder { other in
                let same = try ImportTests.write(ImportSamples.callStatisticsLog, "log", in: other)
                _ = try await ImportTests.sidetone(["import", same], in: other)
                let expected = try await ImportTests.sidetone(["export"], in: other)
                #expect(Self.withoutReceipts(theirs.output) == Self.withoutReceipts(expected.output))
            }
            let rescored = try await ImportTests.sidetone(
                ["rescore", "--all", "--tenant", "acme", "--call", "two"], in: folder)
            #expect(rescored.status == 0, "\(rescored.errors)")
        }
    }

    /// Lines of an export, without what the moment of the import says.
    private static func withoutReceipts(_ lines: String) -> [String] {
        lines.split(separator: "\n").map { String($0).replacing(/"receivedAt":\d+/, with: "") }
    }
}
