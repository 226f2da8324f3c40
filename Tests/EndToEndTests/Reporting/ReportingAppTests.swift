import CallModel
import Foundation
import Testing

/// An app with the library as a process of its own, which may be killed and whose disk may be full.
@Suite struct ReportingAppTests {
    private static func lines(_ numbers: Range<Int>) -> String {
        numbers.map { number in
            Samples.event(number, call: "c") + "\n"
        }.joined()
    }

    /// Starts the app; `wrapper` is a command that becomes it.
    private static func start(_ address: String, _ folder: URL, through wrapper: [String] = []) throws -> (
        Process, Pipe, Pipe
    ) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            wrapper + [
                "env", "SIDETONE_PATIENCE=20", try SidetoneProcess.program("ReportCalls").path, address, folder.path,
                "caller",
            ]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, input, output)
    }

    /// Tells the app of events, one after another, and waits for its word that it keeps each.
    private static func tell(_ numbers: Range<Int>, _ input: Pipe, _ output: Pipe) async throws {
        let answers = output.fileHandleForReading
        for number in numbers {
            try input.fileHandleForWriting.write(contentsOf: Data(lines(number..<number + 1).utf8))
            let word = await SidetoneProcess.onThread { answers.readData(ofLength: 5) }
            #expect(String(decoding: word, as: UTF8.self) == "kept\n")
        }
    }

    /// The times of the events that are stored, in order.
    private static func stored(_ sidetone: Sidetone) async throws -> [String] {
        let events = try await sidetone.get("/v1/calls/c/events").json["records"][0]["events"].elements
        return events.compactMap { $0["time"].text }
    }

    @Test func `an app that is killed loses nothing that it kept, and brings it once it runs again`() async throws {
        try await Sidetone.run { sidetone in
            try await Sidetone.withTemporaryFolder { folder in
                var next = 0
                for round in 0..<5 {
                    let (process, input, output) = try Self.start(sidetone.process.address, folder)
                    try await Self.tell(next..<next + 20 + round, input, output)
                    next += 20 + round
                    kill(process.processIdentifier, SIGKILL)
                    await SidetoneProcess.onThread { process.waitUntilExit() }
                }
                let (process, input, _) = try Self.start(sidetone.process.address, folder)
                try input.fileHandleForWriting.close()
                await SidetoneProcess.onThread { process.waitUntilExit() }
                #expect(process.terminationStatus == 0)
                // Each has a time of its own.
                let stored = try await Self.stored(sidetone)
                #expect(stored.count == next && Set(stored).count == next && stored == stored.sorted())
            }
        }
    }

    @Test(.enabled(if: Mounts.areAllowed, "this machine allows no mounts"))
    func `on a full disk entries wait in memory and arrive all the same`() async throws {
        try await Sidetone.run { sidetone in
            try await Sidetone.withTemporaryFolder { folder in
                let disk = folder.appending(path: "disk")
                try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
                let (process, input, output) = try Self.start(
                    sidetone.process.address, disk.appending(path: "spool"),
                    through: Mounts.smallDisk(disk, mebibytes: 1))
                try await Self.tell(0..<5, input, output)
                let filler = URL(filePath: "/proc/\(process.processIdentifier)/root\(disk.path)/filler")
                try? Data(repeating: 1, count: 2 << 20).write(to: filler)
                try await Self.tell(5..<60, input, output)
                try input.fileHandleForWriting.close()
                let rest = output.fileHandleForReading
                let figures = await SidetoneProcess.onThread {
                    String(decoding: rest.readDataToEndOfFile(), as: UTF8.self)
                }
                await SidetoneProcess.onThread { process.waitUntilExit() }
                #expect(process.terminationStatus == 0, "\(figures)")
                #expect(figures.contains("delivered: 60"), "\(figures)")
                #expect(try await Self.stored(sidetone).count == 60)
            }
        }
    }
}
