import CallModel
import Foundation
import JSONText
import TestSupport
import Testing

/// What a server took reaches ClickHouse, whatever happens in between.
@Suite struct ShippingTests {
    private static func list(_ address: String) async throws -> [String] {
        let run = try await SidetoneProcess.run(
            ["list", "--store", address, "--format", "json", "--limit", "1000"], program: "statsreport")
        guard run.status == 0 else { return [] }
        return try JSONValue(parsing: run.output)["calls"].elements.compactMap { $0["callId"].text }.sorted()
    }

    /// Attempts are up to 30 s apart.
    private static let patience = 300.0

    private static func wait(for count: Int, at address: String) async throws {
        try await eventually("\(count) calls are there", within: patience) { try await list(address).count == count }
    }

    /// It is said after what was shipped can be seen.
    private static func expectShipping(_ sidetone: Sidetone) async throws {
        try await eventually("it ships", within: patience) {
            try await sidetone.get("/readyz").json["shipping"] == "shipping"
        }
    }

    @Test(TestClickHouse.oneServer.required)
    func `calls are shipped, read the same there, and erased there`() async throws {
        try await TestClickHouse.oneServer.withDatabase { address in
            try await Sidetone.run(["--store", address, "--clickhouse-show", "own"]) { sidetone in
                for call in ["a", "b"] {
                    for index in 0..<4 {
                        let reply = try await sidetone.post("/v1/calls/\(call)/stats", Samples.report(index))
                        #expect(reply.status == 202)
                    }
                    // The report of a call that goes on is another one every second.
                    #expect(try await sidetone.post("/v1/events", Samples.end(31, call: call)).status == 202)
                }
                try await Self.wait(for: 2, at: address)
                try await Self.expectShipping(sidetone)
                let here = try await sidetone.get("/v1/calls/a/report").text
                #expect(here.count > 500)
                try await eventually("the report is the same there", within: Self.patience) {
                    try await SidetoneProcess.run(["call", "a", "--store", address], program: "statsreport").output
                        == here
                }
                #expect(try await sidetone.delete("/v1/calls/a").status == 204)
                try await Self.wait(for: 1, at: address)
                #expect(try await Self.list(address) == ["b"])
            }
        }
    }

    @Test(TestClickHouse.oneServer.required)
    func `a call can be erased there by hand, and what comes late does not bring it back`() async throws {
        try await TestClickHouse.oneServer.withDatabase { address in
            let erasure = ["erase", "--store", address, "a"]
            try await Sidetone.run(["--store", address]) { sidetone in
                for call in ["a", "b"] {
                    #expect(try await sidetone.post("/v1/calls/\(call)/stats", Samples.report(0)).status == 202)
                }
                try await Self.wait(for: 2, at: address)
                let run = try await SidetoneProcess.run(erasure)
                #expect(run.status == 0 && run.output == "\(address): erased 1 of 1 calls\n", "\(run.errors)")
                #expect(try await Self.list(address) == ["b"])
                for call in ["a", "c"] {
                    #expect(try await sidetone.post("/v1/calls/\(call)/stats", Samples.report(1)).status == 202)
                }
                try await Self.wait(for: 2, at: address)
                #expect(try await Self.list(address) == ["b", "c"])
            }
            let again = try await SidetoneProcess.run(erasure)
            #expect(again.status != 0 && again.errors.contains("\(address) has no call a"), "\(again.errors)")
        }
    }

    @Test func `calls are erased from one place at a time`() async throws {
        let run = try await SidetoneProcess.run(["erase", "--store", "clickhouse://h/calls", "--database", "f", "a"])
        #expect(run.status == 64)
        #expect(run.errors.contains("--database and --store contradict each other"), "\(run.errors)")
    }

    @Test(ClickHouseServers.required)
    func `nothing is lost or doubled when the engine is killed, or is not there at the start`() async throws {
        try await ClickHouseServers.with { servers in
            let address = try servers.address(database: "calls")
            try await servers.kill("node")
            try await Sidetone.run(["--store", address]) { sidetone in
                var calls = 0
                func post(_ number: Int) async throws {
                    for _ in 0..<number {
                        let reply = try await sidetone.post("/v1/calls/c\(calls)/stats", Samples.report(0))
                        #expect(reply.status == 202)
                        calls += 1
                    }
                }
                try await post(20)
                try await eventually("it notices", within: Self.patience) {
                    try await sidetone.get("/readyz").json["shipping"] == "retrying"
                }
                #expect(try await sidetone.get("/readyz").status == 200)
                try await servers.restart("node")
                try await post(20)
                try await Self.wait(for: 40, at: address)
                try await servers.kill("node")
                try await post(20)
                try await servers.restart("node")
                try await Self.wait(for: 60, at: address)
                #expect(try await Self.list(address) == (0..<60).map { "c\($0)" }.sorted())
            }
        }
    }

    @Test(TestClickHouse.oneServer.required)
    func `a database that was removed is made again, and what comes then is there`() async throws {
        try await TestClickHouse.oneServer.withDatabase { address in
            let name = try #require(URL(string: address)).lastPathComponent
            try await Sidetone.run(["--store", address]) { sidetone in
                #expect(try await sidetone.post("/v1/calls/before/stats", Samples.report(0)).status == 202)
                try await Self.wait(for: 1, at: address)
                try await TestClickHouse.oneServer.run("DROP DATABASE \(name)")
                #expect(try await sidetone.post("/v1/calls/after/stats", Samples.report(0)).status == 202)
                try await eventually("somebody is asked for", within: Self.patience) {
                    try await sidetone.get("/readyz").json["shipping"] == "blocked"
                }
                try await Self.wait(for: 1, at: address)
                #expect(try await Self.list(address) == ["after"])
                try await Self.expectShipping(sidetone)
            }
        }
    }

    // MARK: A full spool

    /// Nothing listens there: what is posted waits.
    private static let nowhere = ["--store", "clickhouse://127.0.0.1:1/calls", "--spool-bytes", "10000"]

    /// Posts as many calls.
    /// - Returns: the statuses that were answered.
    private static func post(_ calls: Int, to sidetone: Sidetone) async throws -> Set<Int> {
        var statuses: Set<Int> = []
        for call in 0..<calls {
            statuses.insert(try await sidetone.post("/v1/calls/c\(call)/stats", Samples.report(0)).status)
        }
        return statuses
    }

    @Test func `a server whose spool is full takes nothing more, and says so`() async throws {
        try await Sidetone.run(Self.nowhere) { sidetone in
            #expect(try await Self.post(30, to: sidetone) == [202, 503])
            let ready = try await sidetone.get("/readyz")
            #expect((ready.status, ready.reason) == (503, "store_unavailable"))
            #expect(ready.message.contains("what waits to be shipped has reached its limit"))
            let metrics = Exposition(try await sidetone.get("/metrics").text)
            #expect(metrics["sidetone_spool_bytes"] ?? 0 >= 10_000)
            #expect(metrics["sidetone_spool_dropped_batches_total"] == 0)
        }
    }

    @Test func `or it ships the rest without the oldest, and counts them`() async throws {
        try await Sidetone.run(Self.nowhere + ["--spool-when-full", "drop-oldest"]) { sidetone in
            #expect(try await Self.post(30, to: sidetone) == [202])
            #expect(try await sidetone.get("/readyz").status == 200)
            let metrics = Exposition(try await sidetone.get("/metrics").text)
            #expect(metrics["sidetone_spool_bytes"] ?? .infinity <= 10_000)
            let kept = try #require(metrics["sidetone_spool_batches"])
            #expect(kept > 0 && kept + (metrics["sidetone_spool_dropped_batches_total"] ?? 0) == 30)
        }
    }

    @Test func `what is said of a store that nothing is shipped to is refused`() async throws {
        for (flag, value) in [
            ("--spool-bytes", "10000"), ("--clickhouse-keep-calls", "3"), ("--clickhouse-keep-days", "3"),
            ("--clickhouse-merge-seconds", "3"), ("--clickhouse-show", "own"),
        ] {
            let run = try await SidetoneProcess.run(["serve", flag, value])
            #expect(run.status == 64 && run.errors.contains("\(flag) needs --store ADDRESS"), "\(run.errors)")
        }
        let odd = try await SidetoneProcess.run(["config", "show", "--spool-when-full", "wait"])
        #expect(odd.status == 64 && odd.errors.contains("--spool-when-full"), "\(odd.errors)")
    }

    @Test func `an address that is none is refused at the start`() async throws {
        let run = try await SidetoneProcess.run(["serve", "--listen", "127.0.0.1:0", "--store", "http://host"])
        #expect(run.status != 0 && run.errors.contains("expected clickhouse://user@host:8123/database"))
    }
}
