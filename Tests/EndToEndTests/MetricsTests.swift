import CallModel
import Foundation
import Testing

/// What those who run the server see of it, after real requests.
@Suite struct MetricsTests {
    @Test func `promtool has nothing against the metrics of a server that has worked, and they are what it did`()
        async throws
    {
        try await Sidetone.run { sidetone in
            try await Self.work(sidetone)
            let reply = try await sidetone.get("/metrics")
            #expect(reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            let checked = try await Promtool.check(reply.text)
            #expect(checked.output + checked.errors == "")
            #expect(checked.status == 0)
            let metrics = Exposition(reply.text)
            // Five intervals of 500 packets from six reports, and one of 250 from the wire.
            let expected: [String: Double] = [
                #"sidetone_http_requests_total{route="/v1/calls/{callId}/stats",method="POST",code="202"}"#: 7,
                #"sidetone_http_requests_total{route="/v1/calls/{callId}/stats",method="POST",code="400"}"#: 1,
                #"sidetone_http_requests_total{route="/v1/calls/{callId}/report",method="GET",code="200"}"#: 1,
                #"sidetone_http_requests_total{route="other",method="GET",code="404"}"#: 1,
                #"sidetone_http_request_duration_seconds_count{route="/v1/calls/{callId}/stats"}"#: 8,
                #"sidetone_ingest_reports_total{outcome="accepted"}"#: 6,
                #"sidetone_ingest_reports_total{outcome="repeated"}"#: 1,
                #"sidetone_ingest_wire_reports_total{outcome="accepted"}"#: 1,
                #"sidetone_ingest_events_total{type="iceConnected",outcome="accepted"}"#: 1,
                #"sidetone_ingest_events_total{type="other",outcome="accepted"}"#: 1,
                #"sidetone_ingest_samples_total{kind="audio",dir="in"}"#: 6,
                #"sidetone_ingest_rejected_total{reason="malformed"}"#: 1,
                #"sidetone_ingest_rejected_total{reason="internal"}"#: 0,
                #"sidetone_ingest_rejected_total{reason="other"}"#: 1,
                #"sidetone_ingest_rejected_total{reason="missing_member"}"#: 1,
                #"sidetone_rtp_packets_total{kind="audio"}"#: 2750,
                #"sidetone_rtp_jitter_seconds_count{kind="audio"}"#: 6,
                "sidetone_calls_active": 2, "sidetone_ingest_queue_facts": 0, "sidetone_ingest_bytes_in_flight": 0,
                #"sidetone_store_errors_total{operation="append"}"#: 0,
                #"sidetone_calls_finished_total{reason="silent"}"#: 0,
            ]
            for (series, value) in expected { #expect(metrics[series] == value, "\(series)") }
            #expect(metrics["sidetone_store_write_duration_seconds_count"] ?? 0 >= 8)
            #expect(metrics["sidetone_store_bytes"] ?? 0 > 4_096)
            #expect(metrics["process_resident_memory_bytes"] ?? 0 > 1e6)
            #expect(metrics["process_start_time_seconds"] ?? 0 > 1.7e9)
        }
    }

    @Test func `no metric names a call, whoever it is about, and series do not grow with calls`() async throws {
        try await Sidetone.run { sidetone in
            try await Self.work(sidetone)
            _ = try await sidetone.get("/metrics")
            let before = Exposition(try await sidetone.get("/metrics").text).names
            for index in 0..<50 {
                _ = try await sidetone.post("/v1/calls/secret-\(index)/stats", Samples.report(index))
                _ = try await sidetone.get("/v1/calls/secret-\(index)/report")
                _ = try await sidetone.get("/no-such/secret-\(index)")
            }
            let text = try await sidetone.get("/metrics").text
            #expect(!text.contains("secret"))
            #expect(Exposition(text).names == before)
        }
    }

    /// Some of everything: reports, a repeat, events known and unknown, the wire, and what cannot be taken.
    private static func work(_ sidetone: Sidetone) async throws {
        for index in 0...5 { _ = try await sidetone.post("/v1/calls/c/stats", Samples.report(index)) }
        _ = try await sidetone.post("/v1/calls/c/stats", Samples.report(0))
        _ = try await sidetone.post("/v1/calls/c/stats", "{")
        _ = try await sidetone.post("/v1/events", Samples.event(1, call: "c"))
        _ = try await sidetone.post("/v1/events", Samples.event(2, call: "c", type: "newFangled", action: "gadget"))
        _ = try await sidetone.post(
            "/v1/events", #"{"action":"callMetric","type":"callCreate","time":"1778000000000"}"#)
        _ = try await sidetone.post("/v1/wire", Samples.wire(0, call: "w"))
        _ = try await sidetone.get("/v1/calls/c/report")
        _ = try await sidetone.get("/nowhere")
        _ = try await sidetone.post("/nowhere", "{}")
    }
}

/// The lines of a scrape.
struct Exposition {
    private var values: [String: Double] = [:]

    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            values[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
    }

    var names: [String] { values.keys.sorted() }

    subscript(series: String) -> Double? { values[series] }
}

/// Prometheus' own judge of metrics; `Scripts/promtool` fetches it.
private enum Promtool {
    static func check(_ text: String) async throws -> SidetoneProcess.Run {
        let file = FileManager.default.temporaryDirectory.appending(path: "metrics-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await SidetoneProcess.run(["check", "metrics"], program: "promtool", input: file)
    }
}
