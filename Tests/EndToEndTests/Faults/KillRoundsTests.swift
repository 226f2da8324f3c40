import Foundation
import TestSupport
import Testing

/// The script that ends a server under load again and again; a long run of it stands in docs/operations.md.
@Suite struct KillRoundsTests {
    @Test(arguments: [["20"], ["3", "--term", "--seed", "2"]])
    func `a server that is ended under load loses and doubles nothing`(arguments: [String]) async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let run = try await SidetoneProcess.run(
                SharedData.packageRoot.appending(path: "Scripts/kill-rounds"),
                arguments + ["--program", try SidetoneProcess.program("sidetone").path, "--folder", folder.path])
            #expect(run.status == 0, "\(run.output) \(run.errors)")
            #expect(run.output.contains("\nlost 0, doubled 0, never sent 0\n"), "\(run.output)")
            let stored = run.output.firstMatch(of: /facts acknowledged (\d+), in the database (\d+), distinct (\d+)/)
            let counts = try #require(stored, "\(run.output)")
            #expect(counts.1 == counts.2 && counts.2 == counts.3)
            #expect(Int(counts.1).map { $0 > 100 } == true, "too little was posted to say anything: \(run.output)")
        }
    }
}
