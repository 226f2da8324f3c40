import Foundation
import TestSupport
import Testing

/// Captures whose calls are shipped to ClickHouse.
@Suite struct CaptureShippingTests {
    private static var file: String { SharedData.url("sip/s5-baresip-pcma-clean.callee.pcap").path }

    private func report(_ place: String...) async throws -> String {
        let run = try await SidetoneProcess.run(["call", "5e67a15f6e1eba5d"] + place, program: "statsreport")
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    @Test(SharedData.required, TestClickHouse.oneServer.required)
    func `a capture ships what it kept, and says when it could not`() async throws {
        try await TestClickHouse.oneServer.withDatabase { address in
            try await Sidetone.withTemporaryFolder { folder in
                let database = folder.appending(path: "calls.sqlite").path
                let command = ["capture", "-r", Self.file, "--database", database]
                // Nothing listens on port 1.
                let away = "clickhouse://127.0.0.1:1/calls"
                let early = try await SidetoneProcess.run(command + ["--store", away, "--flush-seconds", "1"])
                #expect(early.status == 1)
                #expect(
                    early.errors.contains(" were not shipped to clickhouse://default@127.0.0.1:1/calls in time; "),
                    "\(early.errors)")

                let run = try await SidetoneProcess.run(command + ["--store", address])
                #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
                #expect(try await report("--store", address) == report("--database", database))
            }
        }
    }

    @Test(arguments: [
        (["--store", "http://db1/calls"], "--store: \"http://db1/calls\" is not the address of a ClickHouse database"),
        (["--spool-bytes", "1000000"], "--spool-bytes needs --store ADDRESS"),
        (
            ["--store", "clickhouse://db1", "--post", "http://127.0.0.1:1"],
            "--post and --store contradict each other; give one of them"
        ),
    ]) func `what does not go together is said`(flags: [String], words: String) async throws {
        let run = try await SidetoneProcess.run(["capture", "-r", "nothing.pcap"] + flags)
        #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
    }
}
