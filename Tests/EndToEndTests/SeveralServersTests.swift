import CallModel
import Foundation
import TestSupport
import Testing

/// Several servers that ship to one database.
@Suite(TestClickHouse.oneServer.required) struct SeveralServersTests {
    @Test func `a call that moves from one server to another is one call in the database`() async throws {
        try await TestClickHouse.oneServer.withDatabase { address in
            let shared = ["--store", address, "--clickhouse-merge-seconds", "1", "--clickhouse-show", "own"]
            try await Sidetone.run(shared) { first in
                try await Sidetone.run(shared) { second in
                    try await Sidetone.run { single in
                        for index in 0..<6 {
                            for server in [index < 3 ? first : second, single] {
                                let reply = try await server.post("/v1/calls/a/stats", Samples.report(index))
                                #expect(reply.status == 202)
                            }
                        }
                        // The report of a call that goes on is another one every second.
                        for server in [second, single] {
                            #expect(try await server.post("/v1/events", Samples.end(51, call: "a")).status == 202)
                        }
                        let whole = try await single.get("/v1/calls/a/report").text
                        #expect(whole.count > 500)
                        #expect(try await first.get("/v1/calls/a/report").text != whole)
                        try await eventually("the report is that of one server") {
                            try await SidetoneProcess.run(["call", "a", "--store", address], program: "statsreport")
                                .output == whole
                        }
                        try await eventually("one of them counted it") {
                            let counted = try await [first, second].asyncMap { try await $0.get("/metrics").text }
                            return counted.contains { $0.contains(/sidetone_merged_calls_total [1-9]/) }
                        }
                        #expect(try await first.delete("/v1/calls/a").status == 204)
                        try await eventually("it is gone there") {
                            let run = try await SidetoneProcess.run(
                                ["call", "a", "--store", address], program: "statsreport")
                            return run.status != 0 && run.output.isEmpty
                        }
                    }
                }
            }
        }
    }

    /// The ids of the calls that a server lists.
    private static func list(_ server: Sidetone) async throws -> [String] {
        try await server.get("/v1/calls").json["calls"].elements.compactMap { $0["callId"].text }.sorted()
    }

    @Test func `each server shows what all of them took, and erases it everywhere`() async throws {
        try await TestClickHouse.oneServer.withDatabase { address in
            let shared = ["--store", address, "--clickhouse-merge-seconds", "1"]
            try await Sidetone.run(shared) { first in
                try await Sidetone.run(shared + ["--clickhouse-show", "own"]) { second in
                    for (call, server) in [("a", first), ("b", second), ("c", first), ("c", second)] {
                        for index in 0..<4 {
                            let reply = try await server.post("/v1/calls/\(call)/stats", Samples.report(index))
                            #expect(reply.status == 202)
                        }
                        #expect(try await server.post("/v1/events", Samples.end(31, call: call)).status == 202)
                        // What was taken a moment ago is shown before it is shipped.
                        #expect(try await server.get("/v1/calls/\(call)").status == 200)
                    }
                    try await eventually("all calls are there") {
                        try await Self.list(first) == ["a", "b", "c"]
                    }
                    #expect(try await Self.list(second) == ["b", "c"])
                    #expect(try await first.get("/v1/fleet").json["calls"] == 3)
                    for path in ["", "/report", "/series", "/events", "/facts"] {
                        // The list shows the call from its first report on.
                        try await eventually("all of it is there: \(path)") {
                            let here = try await first.get("/v1/calls/b\(path)")
                            let there = try await second.get("/v1/calls/b\(path)")
                            return here.status == 200 && here.body == there.body
                        }
                    }
                    #expect(try await first.get("/v1/calls/b?observer=nobody").status == 404)
                    #expect(try await first.get("/v1/calls/none").status == 404)

                    for call in ["b", "c"] {
                        let reply = try await first.delete("/v1/calls/\(call)")
                        #expect(reply.status == 204, "\(call): \(reply.text)")
                        #expect(try await first.get("/v1/calls/\(call)").status == 410)
                    }
                    #expect(try await first.delete("/v1/calls/b").status == 410)
                    #expect(try await first.delete("/v1/calls/none").status == 404)
                    try await eventually("the other server has nothing of them") {
                        try await Self.list(second).isEmpty
                    }
                    #expect(try await second.get("/v1/calls/b").status == 410)
                    try await eventually("one call is left") { try await Self.list(first) == ["a"] }
                }
            }
        }
    }

    @Test func `a server that cannot reach the database says so, and goes on to take calls`() async throws {
        let nowhere = ["--store", "clickhouse://127.0.0.1:1/calls"]
        try await Sidetone.run(nowhere) { sidetone in
            #expect(try await sidetone.post("/v1/calls/a/stats", Samples.report(0)).status == 202)
            for path in ["/v1/calls", "/v1/fleet", "/v1/calls/a", "/v1/calls/a/report"] {
                let reply = try await sidetone.get(path)
                #expect((reply.status, reply.reason) == (503, "shared_store_unavailable"), "\(path)")
                #expect(reply.headers["retry-after"] == "5")
            }
            // Nothing is wrong with what it has itself.
            #expect(try await sidetone.get("/readyz").status == 200)
            #expect(try await sidetone.post("/v1/calls/a/stats", Samples.report(1)).status == 202)
            #expect(try await sidetone.delete("/v1/calls/a").status == 204)
        }
        try await Sidetone.run(nowhere + ["--clickhouse-show", "own"]) { sidetone in
            _ = try await sidetone.post("/v1/calls/a/stats", Samples.report(0))
            #expect(try await Self.list(sidetone) == ["a"])
        }
    }
}

extension Sequence {
    /// One after another.
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
