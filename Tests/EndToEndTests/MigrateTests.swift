import CallModel
import Foundation
import TestSupport
import Testing

/// All calls of a database given to ClickHouse, and held against what is there.
@Suite struct MigrateTests {
    private static func run(_ arguments: [String], program: String = "sidetone") async throws -> SidetoneProcess.Run {
        try await SidetoneProcess.run(arguments, program: program)
    }

    @Test(TestClickHouse.oneServer.required)
    func `all calls are the same there afterwards, again where they were not, and what is not is named`() async throws {
        let folder = SharedData.packageRoot.appending(path: "SampleData/27-ice-failed")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".jsonl") }.map { folder.appending(path: $0).path }
        try await TestClickHouse.oneServer.withDatabase { address in
            try await Sidetone.withTemporaryFolder { folder in
                let database = folder.appending(path: "calls.sqlite").path
                #expect(try await Self.run(["import", "--database", database] + files).status == 0)
                let command = ["migrate", "--from", database, "--to", address]
                let first = try await Self.run(command)
                #expect(first.status == 0, "\(first.errors)")
                #expect(first.output.contains("3 records with ") && first.output.contains("are the same in \(address)"))
                // Nothing waits any more; it is looked at again.
                #expect(try await Self.run(command).output == first.output)
                let lists = [["--database", database], ["--store", address]]
                let here = try await Self.run(["list"] + lists[0], program: "statsreport").output
                #expect(try await Self.run(["list"] + lists[1], program: "statsreport").output == here)

                // What was taken out there is given again.
                let name = try #require(URL(string: address)).lastPathComponent
                try await TestClickHouse.oneServer.run("ALTER TABLE \(name).samples DELETE WHERE 1")
                try await eventually("rows are gone") {
                    try await TestClickHouse.oneServer.run("SELECT count() FROM \(name).samples") == "0\n"
                }
                #expect(try await Self.run(command).output == first.output)

                // What is there besides stays, and is named.
                let columns =
                    "tenant, call_id, attempt, observer, time_ms, rank, node, ver, received_ms, action, type, content"
                try await TestClickHouse.oneServer.run(
                    """
                    INSERT INTO \(name).facts (\(columns), name)
                    SELECT \(columns), concat(name, '-') FROM \(name).facts LIMIT 1
                    """)
                let other = try await Self.run(command)
                #expect(other.status != 0)
                #expect(other.errors.contains("1 of 3 records are not the same there; the first: "), "\(other.errors)")
                #expect(other.errors.contains("): facts"))
            }
        }
    }

    @Test(TestClickHouse.oneServer.required)
    func `a database whose calls were given to one store can be given to another`() async throws {
        let sample = SharedData.packageRoot.appending(path: "SampleData/01-clean")
        let file = try #require(
            FileManager.default.contentsOfDirectory(atPath: sample.path).first { $0.hasSuffix(".jsonl") })
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let call = sample.appending(path: file).path
            #expect(try await Self.run(["import", "--database", database, call]).status == 0)
            var outputs: Set<Substring> = []
            for _ in 0..<2 {
                try await TestClickHouse.oneServer.withDatabase { address in
                    let run = try await Self.run(["migrate", "--from", database, "--to", address])
                    #expect(run.status == 0, "\(run.errors)")
                    outputs.insert(run.output.prefix { $0 != ":" })
                }
            }
            #expect(outputs.count == 1)
        }
    }

    @Test func `what is no address is told by the flag that named it`() async throws {
        let run = try await Self.run(["migrate", "--to", "http://host"])
        #expect(run.status == 64 && run.errors.contains("--to: \"http://host\" is not the address"), "\(run.errors)")
    }

    @Test func `a file that is not there is named, and nothing is made`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = folder.appending(path: "nothing.sqlite").path
            let run = try await Self.run(["migrate", "--from", file, "--to", "clickhouse://127.0.0.1:1/calls"])
            #expect(run.status != 0 && run.errors.contains(file))
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }
}
