import CallModel
import Foundation
import GRDB
import Testing

/// Another program that holds the database locked.
@Suite struct LockFaultTests {
    @Test func `while another program holds the database locked nothing is lost, and then all goes on`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            defer { sidetone.process.sendKill() }
            let database = folder.appending(path: "calls.sqlite").path
            var client = FaultySidetone(sidetone)
            try await client.store(3)
            let holder = try Self.holdLocked(database)

            expectUnavailable(try await client.post(), "another program holds the database locked")
            // What is stored can be read meanwhile.
            #expect(try await sidetone.get("/v1/calls/c/report").status == 200)
            expectUnavailable(try await sidetone.delete("/v1/calls/c"), "another program holds the database locked")
            let metrics = Exposition(try await sidetone.get("/metrics").text)
            let counted = ["append", "erase", "read"].map {
                metrics["sidetone_store_errors_total{operation=\"\($0)\"}"]
            }
            #expect(counted == [1, 1, 0])
            #expect(client.logged("nothing can be stored") == 1, "\(sidetone.process.log)")

            try holder.close()
            try await client.storeWhenRecovered()
            #expect(client.logged("is stored again") == 1, "\(sidetone.process.log)")
            try await client.verify(database: database)
        }
    }

    @Test func `a server does not start on a database that another program holds locked`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let sidetone = try await Sidetone.start(in: folder)
            #expect(await sidetone.process.terminate() == 0)
            let holder = try Self.holdLocked(database)
            let run = try await SidetoneProcess.run(["serve", "--listen", "127.0.0.1:0", "--database", database])
            #expect(run.status == 1)
            #expect(run.errors.contains("cannot open \(database): another program holds the database locked"))
            try holder.close()
        }
    }

    /// Begins an exclusive transaction, which closing ends.
    private static func holdLocked(_ database: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: database, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        return queue
    }
}
