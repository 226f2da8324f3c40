import CallModel
import Foundation
import GRDB
import Testing

/// What a power cut leaves: a log whose last part did not reach the disk, or reached it as something else.
@Suite struct PowerCutTests {
    /// A database as it was when the power went, and how long its log was after each acknowledgement.
    private struct Remains {
        var file: Data
        var log: Data
        /// Lengths of the log after acknowledgement 1, 2, 3 …
        var lengths: [Int]
    }

    @Test func `a log torn anywhere gives back whole commits, up to the last one that is on the disk`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let remains = try await Self.remains(in: folder, messages: 40)
            var generator = SystemRandomNumberGenerator()
            for number in 0..<80 {
                let cut = Int.random(in: 0...remains.log.count, using: &generator)
                let isGarbled = Bool.random(using: &generator)
                let copy = folder.appending(path: "cut-\(number)/calls.sqlite")
                try Self.write(remains, tornAt: cut, isGarbled, to: copy, using: &generator)
                let durable = remains.lengths.count { $0 <= cut }
                let found = try Self.contents(of: copy)
                #expect(found.indexes == Array(0..<durable), "cut at \(cut) of \(remains.log.count), \(isGarbled)")
                #expect(found.reportsTold == durable, "the summary is of another commit than the facts")
                if number.isMultiple(of: 10) {
                    let check = try await SidetoneProcess.run(["check", "--all-calls", copy.path])
                    #expect(check.status == 0, "\(check.output) \(check.errors)")
                }
                try FileManager.default.removeItem(at: copy.deletingLastPathComponent())
            }
        }
    }

    /// Posts one report after another, and takes the files away from under the server.
    private static func remains(in folder: URL, messages: Int) async throws -> Remains {
        let database = folder.appending(path: "calls.sqlite")
        let log = URL(filePath: database.path + "-wal")
        let made = try await Sidetone.start(in: folder)
        #expect(await made.process.terminate() == 0)
        // Now the tables are in the file, and the log begins with the first report.
        let sidetone = try await Sidetone.start(in: folder)
        var lengths: [Int] = []
        for index in 0..<messages {
            #expect(try await sidetone.post("/v1/calls/c/stats", Samples.report(index)).status == 202)
            lengths.append(try Data(contentsOf: log).count)
        }
        await sidetone.process.kill()
        let remains = Remains(file: try Data(contentsOf: database), log: try Data(contentsOf: log), lengths: lengths)
        #expect(zip(lengths, lengths.dropFirst()).allSatisfy { $0 < $1 }, "the log began anew")
        #expect(lengths.last == remains.log.count)
        return remains
    }

    private static func write(
        _ remains: Remains, tornAt cut: Int, _ isGarbled: Bool, to copy: URL,
        using generator: inout some RandomNumberGenerator
    ) throws {
        try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try remains.file.write(to: copy)
        var log = remains.log.prefix(cut)
        if isGarbled {
            let rest = remains.log.count - cut
            let noise = Data((0..<4096).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
            while log.count < cut + rest { log += noise.prefix(cut + rest - log.count) }
        }
        try log.write(to: URL(filePath: copy.path + "-wal"))
    }

    /// The numbers of the reports that are there, and how many the summary tells of.
    private static func contents(of database: URL) throws -> (indexes: [Int], reportsTold: Int) {
        let queue = try DatabaseQueue(path: database.path)
        defer { try? queue.close() }
        return try queue.read { db in
            let times = try Int64.fetchAll(db, sql: "SELECT time FROM report ORDER BY time")
            let told =
                try Int.fetchOne(db, sql: "SELECT json_extract(summary, '$.dataQuality.reports') FROM record") ?? 0
            return (times.map { Int(($0 - Samples.start) / 10_000) }, told)
        }
    }
}
