import Foundation
import TestSupport

/// A running `sidetone serve` on a free port of this machine, started as users start it.
///
/// A class, for it owns a process. Unchecked, because `Process` is used only to start, and by its identifier later.
final class SidetoneProcess: @unchecked Sendable {
    /// Where it answers, such as `http://127.0.0.1:40123`.
    let address: String
    /// The identifier of the process.
    var id: Int32 { process.processIdentifier }

    private let process: Process
    private let exit: AsyncStream<Int32>
    private let errorFile: URL

    /// Starts the program and waits until it says that it listens.
    /// - Parameters:
    ///   - database: the file.
    ///   - arguments: further ones.
    ///   - wrapper: a command that becomes the program, whose words it gets at its end.
    /// - Returns: the program, listening.
    /// - Throws: ``StartFailure`` when it ends before.
    static func start(
        database: URL, arguments: [String] = [], through wrapper: [String] = []
    ) async throws -> SidetoneProcess {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            wrapper + [try program("sidetone").path, "serve", "--listen", "127.0.0.1:0", "--database", database.path]
            + arguments
        let output = Pipe()
        process.standardOutput = output
        let errorFile = database.appendingPathExtension("log")
        try Data().write(to: errorFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        let (exit, continuation) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = {
            continuation.yield($0.terminationReason == .exit ? $0.terminationStatus : -$0.terminationStatus)
            continuation.finish()
        }
        try process.run()
        let line = await firstLine(of: output.fileHandleForReading)
        guard let start = line.range(of: "http") else {
            throw StartFailure(output: line, log: (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "")
        }
        return SidetoneProcess(process, exit: exit, address: String(line[start.lowerBound...]), errorFile: errorFile)
    }

    private init(_ process: Process, exit: AsyncStream<Int32>, address: String, errorFile: URL) {
        self.process = process
        self.exit = exit
        self.address = address
        self.errorFile = errorFile
    }

    /// What it wrote to standard error so far.
    var log: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    /// Largest resident size in bytes so far; `nil` where the system does not tell.
    var peakMemory: Int? {
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }

    /// Sends SIGTERM, as service managers do, and waits for the end.
    /// - Returns: the exit status; negative for the signal that ended it.
    func terminate() async -> Int32 {
        process.terminate()
        return await waitForExit()
    }

    /// Ends it at once, as a crash would.
    @discardableResult func kill() async -> Int32 {
        sendKill()
        return await waitForExit()
    }

    /// Sends SIGKILL without waiting.
    func sendKill() {
        Foundation.kill(id, SIGKILL)
    }

    /// Sends SIGTERM without waiting.
    func sendTerminate() {
        process.terminate()
    }

    /// Waits for the end; may be called once.
    func waitForExit() async -> Int32 {
        for await status in exit { return status }
        return process.terminationStatus
    }
}

/// The program did not come up.
struct StartFailure: Error {
    var output: String
    var log: String
}

extension SidetoneProcess {
    /// What a program did that ran to its end.
    struct Run {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs a program to its end.
    static func run(
        _ arguments: [String], program name: String = "sidetone", input: URL? = nil
    ) async throws -> Run {
        try await run(try program(name), arguments, input: input)
    }

    /// Runs a command of the system, or a script, to its end.
    static func run(_ command: URL, _ arguments: [String], input: URL? = nil) async throws -> Run {
        let process = Process()
        process.executableURL = command
        process.arguments = arguments
        process.standardInput = try input.map(FileHandle.init(forReadingFrom:))
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        async let written = text(of: output)
        async let complaints = text(of: errors)
        let run = (await written, await complaints)
        await onThread { process.waitUntilExit() }
        return Run(status: process.terminationStatus, output: run.0, errors: run.1)
    }

    private static func text(of pipe: Pipe) async -> String {
        let handle = pipe.fileHandleForReading
        return await onThread { String(decoding: handle.readDataToEndOfFile(), as: UTF8.self) }
    }

    /// A program of this package, next to the tests that are running.
    static func program(_ name: String) throws -> URL {
        let started = CommandLine.arguments.filter { $0.contains(".xctest") || $0.contains("/debug/") }
            .map { URL(filePath: $0) }
        let built = [".build/debug", ".build/release"].map { SharedData.packageRoot.appending(path: $0) }
        let folders = started.flatMap {
            [$0.deletingLastPathComponent(), $0.deletingLastPathComponent().deletingLastPathComponent()]
        }
        // Programs of others that tests need lie with what is built.
        let tools = SharedData.packageRoot.appending(path: ".build/tools")
        let installed = URL(filePath: "/usr/bin")
        let candidates = (folders + built + [tools, installed]).map { $0.appending(path: name) }
        guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            throw CocoaError(
                .fileNoSuchFile, userInfo: [NSFilePathErrorKey: candidates.map(\.path).joined(separator: ", ")])
        }
        return found
    }

    private static func firstLine(of handle: FileHandle) async -> String {
        await onThread {
            var bytes = Data()
            while !bytes.contains(UInt8(ascii: "\n")) {
                let more = handle.availableData
                guard !more.isEmpty else { break }
                bytes += more
            }
            return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }

    /// Runs blocking work on a thread of its own. The threads of `DispatchQueue.global()` are those that all tests run
    /// on, and as few as there are processors.
    static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }
}
