import Foundation
import TestSupport
import Testing

/// What an import removes, and what was removed before it.
@Suite struct ImportRetentionTests {
    @Test func `no more calls are left than are to be kept`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let lines = (1...60).flatMap { number in
                ["callMetric/callCreate", "callState/ENDED"].enumerated().map { place, name in
                    let parts = name.split(separator: "/")
                    return """
                        {"action":"\(parts[0])","type":"\(parts[1])","callId":"call-\(number)",\
                        "time":\(1_790_000_000_000 + 60_000 * number + 5_000 * place),"statusCode":9901}
                        """
                }
            }
            let file = try ImportTests.write(lines.joined(separator: "\n"), "events.jsonl", in: folder)
            let run = try await ImportTests.sidetone(["import", file, "--keep-calls", "2"], in: folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try await StoredCalls.list(in: folder).count == 2)
        }
    }

    @Test func `what was erased is not taken again, and it is said of which call`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let file = try ImportTests.write(ImportSamples.internals, "x", in: folder)
            let words = ["import", file, "--call", "mine"]
            #expect(try await ImportTests.sidetone(words, in: folder).status == 0)
            #expect(try await ImportTests.sidetone(["erase", "mine"], in: folder).status == 0)
            let again = try await ImportTests.sidetone(words, in: folder)
            #expect(again.status == 1 && again.output.contains("call mine: 0 stored, 5 refused"), "\(again.output)")
            let told = "x: call mine: it was evicted or erased, and is not taken again"
            #expect(again.errors.contains(told), "\(again.errors)")

            let sidetone = try await Sidetone.start(in: folder)
            let posted = try await ImportTests.sidetone(words + ["--post", sidetone.process.address], in: folder)
            #expect(posted.status == 1 && posted.output.contains(" refused"), "\(posted.output) \(posted.errors)")
            #expect(await sidetone.process.terminate() == 0)
        }
    }
}
