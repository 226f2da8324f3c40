import CallModel
import Foundation
import JSONText
import TestSupport
import Testing

/// Series that fit a screen, and the report behind a point of them.
@Suite struct SeriesTests {
    /// Posts the reports of one end of a sample call, and gives them back.
    private static func post(_ name: String, to sidetone: Sidetone) async throws -> [JSONValue] {
        let file = SharedData.packageRoot.appending(path: "SampleData/\(name)/A.getRTPStatistics-10s.jsonl")
        var reports: [JSONValue] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            // Under an id of their own.
            var report = try JSONValue(parsing: Array(line.utf8)).members ?? [:]
            report["callId"] = "c"
            let body = JSONValue.object(report).canonicalText
            #expect(try await sidetone.post("/v1/calls/c/stats?observer=caller", body).status == 202)
            reports.append(.object(report))
        }
        return reports
    }

    @Test func `however few points are asked for, the outage stays`() async throws {
        try await Sidetone.run { sidetone in
            _ = try await Self.post("10-outage5s", to: sidetone)
            let all = try await sidetone.get("/v1/calls/c/series").json["records"][0]
            let least = all["windows"].elements.compactMap { $0["score"].wholeNumber }.min()
            let most = all["streams"].elements.flatMap { $0["intervals"].elements }
                .compactMap { $0["concealedPercent"].number }.max()
            for points in 1...4 {
                let record = try await sidetone.get("/v1/calls/c/series?points=\(points)").json["records"][0]
                #expect(record["windows"].elements.count <= points)
                #expect(Self.extreme(record["windows"].elements, "score", "min", <) == least.map(Double.init))
                let rows = record["streams"].elements.flatMap { stream in
                    #expect(stream["intervals"].elements.count <= points)
                    return stream["intervals"].elements
                }
                #expect(Self.extreme(rows, "concealedPercent", "max", >) == most)
            }
            for query in ["points=0", "points=x", "points=100001"] {
                #expect(try await sidetone.get("/v1/calls/c/series?\(query)").status == 400)
            }
        }
    }

    /// The least or greatest of a figure, plain or joined.
    private static func extreme(
        _ rows: [JSONValue], _ name: String, _ end: String, _ isBefore: (Double, Double) -> Bool
    ) -> Double? {
        rows.compactMap { $0[name].number ?? $0[name][end].number }.sorted(by: isBefore).first
    }

    @Test func `at a moment lies what the client had reported by then, as it sent it`() async throws {
        try await Sidetone.run { sidetone in
            let reports = try await Self.post("01-clean", to: sidetone)
            let third = try #require(reports[2]["time"].wholeNumber)
            for (query, sent) in [("?at=\(third + 4_000)", reports[2]), ("", reports.last ?? .null)] {
                let record = try await sidetone.get("/v1/calls/c/facts\(query)").json["records"][0]
                #expect(
                    record["observer"] == "caller" && record["reports"].elements.count == 1 && record["wire"] == .null)
                let objects = record["reports"][0]["objects"].elements
                let inbound = objects.filter { $0["type"] == "inbound-rtp" }
                let told = sent["statistics"].elements.filter { $0["type"] == "inbound-rtp" }
                #expect(inbound.count == told.count && !inbound.isEmpty)
                for object in inbound {
                    let same = try #require(told.first { $0["ssrc"] == object["ssrc"] })
                    for name in ["packetsReceived", "packetsLost", "jitter", "kind", "id"] {
                        #expect(object[name] == same[name], "\(name)")
                    }
                }
            }
            let before = try await sidetone.get("/v1/calls/c/facts?at=2020-01-01").json["records"][0]
            #expect(before["reports"] == [])
            #expect(try await sidetone.get("/v1/calls/nobody/facts").status == 404)
            #expect(try await sidetone.get("/v1/calls/c/facts?at=noon").status == 400)
            let posted = try await sidetone.post("/v1/wire", Samples.wire(0, call: "w"))
            #expect(posted.status == 202)
            let wire = try await sidetone.get("/v1/calls/w/facts").json["records"][0]
            #expect(wire["reports"] == [] && wire["wire"]["streams"][0]["ssrc"] == 4711)
        }
    }
}
