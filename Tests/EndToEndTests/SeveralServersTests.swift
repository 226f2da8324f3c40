import Foundation
import TestSupport
import Testing

/// Several servers that ship to one database.
@Suite(TestClickHouse.oneServer.required) struct SeveralServersTests {
    @Test func `a call that moves from one server to another is one call in the database`() async throws {
        try await TestClickHouse.oneServer.withDatabase { address in
            let shared = ["--store", address, "--clickhouse-merge-seconds", "1"]
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
                        try await eventually("the report is that of one server", within: 60) {
                            try await SidetoneProcess.run(["call", "a", "--store", address], program: "statsreport")
                                .output == whole
                        }
                        try await eventually("one of them counted it", within: 60) {
                            let counted = try await [first, second].asyncMap { try await $0.get("/metrics").text }
                            return counted.contains { $0.contains(/sidetone_merged_calls_total [1-9]/) }
                        }
                        #expect(try await first.delete("/v1/calls/a").status == 204)
                        try await eventually("it is gone there", within: 60) {
                            let run = try await SidetoneProcess.run(
                                ["call", "a", "--store", address], program: "statsreport")
                            return run.status != 0 && run.output.isEmpty
                        }
                    }
                }
            }
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
