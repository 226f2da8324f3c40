import CallModel
import Foundation
import JSONText
import TestSupport
import Testing

/// Retention by hand.
@Suite struct PruneTests {
    @Test func `prune keeps the calls that were active last, and what it removed does not come back`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let sidetone = try await Sidetone.start(in: folder)
            for number in 1...6 {
                let answer = try await sidetone.post("/v1/events", Self.events(of: number))
                #expect(answer.status == 202)
            }
            let busy = try await SidetoneProcess.run(["prune", "--keep-calls", "5", "--database", database])
            #expect(busy.status == 1 && busy.errors.contains("in use by another sidetone"), "\(busy.errors)")
            #expect(await sidetone.process.terminate() == 0)

            let run = try await SidetoneProcess.run(["prune", "--keep-calls", "5", "--database", database])
            #expect(run.status == 0)
            #expect(run.output == "\(database): removed 1 of 6 calls\n")
            let left = try await StoredCalls.list(in: folder).compactMap { $0["callId"].text }
            #expect(left.sorted() == (2...6).map { "call-\($0)" })

            let again = try await Sidetone.start(in: folder)
            #expect(try await again.post("/v1/events", Self.events(of: 1)).status == 410)
            #expect(await again.process.terminate() == 0)
        }
    }

    @Test func `prune makes no database where there is none`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "none.sqlite").path
            let run = try await SidetoneProcess.run(["prune", "--database", database])
            #expect(run.status == 1 && run.errors.contains("there is no such file"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: database))
        }
    }

    /// A call that began and ended long ago, each a minute after the one before.
    private static func events(of number: Int) -> String {
        let time = 1_790_000_000_000 + 60_000 * number
        return """
            [{"action":"callMetric","type":"callCreate","callId":"call-\(number)","time":\(time)},
             {"action":"callState","type":"ENDED","callId":"call-\(number)","time":\(time + 5_000),"statusCode":9901}]
            """
    }
}
