import Foundation
import TestSupport
import Testing

/// A standard output or error that takes nothing: its disk is full, or its reader has gone away.
@Suite struct OutputFaultTests {
    @Test(arguments: ["2> /dev/full", "2> >(exec true)"], ["json", "text"])
    func `a server whose log cannot be written goes on`(log: String, format: String) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(
                in: folder, ["--log-format", format], through: ["bash", "-c", "exec \"$@\" \(log)", "bash"])
            defer { sidetone.process.sendKill() }
            // Of each the log would have a line.
            for number in 0..<20 { #expect(try await sidetone.get("/nowhere\(number)").status == 404) }
            #expect(try await sidetone.get("/healthz").status == 200)
            #expect(await sidetone.process.terminate() == 0)
        }
    }

    @Test func `a result that cannot be written is an error, and one that nobody reads to its end is none`()
        async throws
    {
        try await Sidetone.withTemporaryFolder { folder in
            let (database, tokens) = (folder.appending(path: "calls.sqlite").path, folder.appending(path: "tokens"))
            let capture = SharedData.packageRoot.appending(
                path: "SampleData/captures/s1-loopback-clean/capture.pcap.gz"
            ).path
            let imported = try await Self.run(["capture", "-r", capture, "--database", database], into: "> /dev/full")
            #expect(imported.status == 0, "\(imported.errors)")

            let results = [
                ["export", "--database", database], ["config", "show"], ["check", database],
                ["token", "new", "--scope", "read"],
                ["token", "new", "--scope", "read", "--file", tokens.path],
            ]
            for result in results {
                let full = try await Self.run(result, into: "> /dev/full")
                #expect(full.status == 1, "\(result)")
                #expect(
                    full.errors == "Error: cannot write to the standard output: No space left on device\n", "\(result)")
                #expect((try? String(contentsOf: tokens, encoding: .utf8))?.isEmpty ?? true)
                let unread = try await Self.run(result, into: "> >(exec true)")
                #expect(unread.status == 0 && unread.errors.isEmpty, "\(result) \(unread.errors)")
            }
        }
    }

    private static func run(_ arguments: [String], into output: String) async throws -> SidetoneProcess.Run {
        let program = try SidetoneProcess.program("sidetone").path
        return try await SidetoneProcess.run(
            URL(filePath: "/usr/bin/env"), ["bash", "-c", "exec \"$@\" \(output)", "bash", program] + arguments)
    }
}
