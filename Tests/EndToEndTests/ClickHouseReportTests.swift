import Foundation
import TestSupport
import Testing

/// What one database says of a call, another says, to the byte.
@Suite struct ClickHouseReportTests {
    private static func run(_ program: String, _ arguments: [String]) async throws -> SidetoneProcess.Run {
        try await SidetoneProcess.run(arguments, program: program)
    }

    @Test(TestClickHouse.oneServer.required)
    func `reports of the sample calls are the same from SQLite and from ClickHouse`() async throws {
        let calls = ["10-outage5s", "27-ice-failed", "60-chromium-aiortc-loss5"]
        let files = try calls.flatMap { call in
            let folder = SharedData.packageRoot.appending(path: "SampleData/\(call)")
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                .filter { $0.hasSuffix(".jsonl") }.map { folder.appending(path: $0).path }
        }
        #expect(files.count >= 2 * calls.count)
        try await TestClickHouse.oneServer.withDatabase { address in
            try await Sidetone.withTemporaryFolder { folder in
                let places = [["--database", folder.appending(path: "calls.sqlite").path], ["--store", address]]
                // The second time everything is known, and nothing changes.
                for place in places + places {
                    let kept = try await Self.run("sidetone", ["import"] + place + files)
                    #expect(kept.status == 0, "\(kept.errors)")
                    #expect(kept.output.contains("statsreport list \(place[0]) "))
                }
                for words in [["list"], ["list", "--format", "json"], ["list", "--sort", "worst"]] {
                    let (file, engine) = try await Self.both("statsreport", words, places)
                    #expect(file == engine && !file.isEmpty, "\(words)")
                }
                let list = try await Self.both("statsreport", ["list", "--format", "json"], places).0
                let ids = Set(list.matches(of: /"callId":\s*"([^"]+)"/).map { String($0.output.1) })
                #expect(ids.count == calls.count)
                for id in ids {
                    for format in ["text", "json"] {
                        let (file, engine) = try await Self.both(
                            "statsreport", ["call", id, "--format", format], places)
                        #expect(file == engine && file.count > 1_000, "\(id)")
                    }
                }
            }
        }
    }

    private static func both(
        _ program: String, _ words: [String], _ places: [[String]]
    ) async throws -> (String, String) {
        var outputs: [String] = []
        for place in places {
            let run = try await run(program, words + place)
            #expect(run.status == 0, "\(run.errors)")
            outputs.append(run.output)
        }
        return (outputs[0], outputs[1])
    }

    @Test(TestClickHouse.oneServer.required)
    func `a file that cannot be read ends an import to ClickHouse with its name`() async throws {
        try await TestClickHouse.oneServer.withDatabase { address in
            let key = ["--addresses", "hash", "--address-key", "/nothing/there"]
            let run = try await Self.run("sidetone", ["import", "--store", address, "file.jsonl"] + key)
            #expect(run.status == 1 && run.errors.contains("/nothing/there"), "\(run.status) \(run.errors)")
        }
    }

    @Test func `what is no address of a database is said, and so is a database that does not answer`() async throws {
        let wrong = try await Self.run("statsreport", ["list", "--store", "clickhouse://user:secret@host/calls"])
        #expect(wrong.status != 0 && wrong.errors.contains("must not hold a password"))
        #expect(!wrong.errors.contains("secret"))
        let both = try await Self.run("statsreport", ["list", "--store", "clickhouse://host", "--database", "x"])
        #expect(both.status != 0 && both.errors.contains("contradict each other"))
        let nobody = try await Self.run("statsreport", ["list", "--store", "clickhouse://127.0.0.1:1/calls"])
        #expect(nobody.status != 0 && nobody.errors.contains("clickhouse://default@127.0.0.1:1/calls"))
        let twice = try await Self.run(
            "sidetone", ["import", "--store", "clickhouse://host", "--post", "http://host", "file"])
        #expect(twice.status != 0 && twice.errors.contains("--post and --store contradict each other"))
    }
}
