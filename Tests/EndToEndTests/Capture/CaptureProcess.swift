import CallModel
import Foundation
import JSONText
import NIOCore
import NIOPosix
import TestSupport
import Testing

#if os(Linux)
    import Glibc
#endif

/// A running `sidetone capture`, started as users start it.
///
/// A class, for it owns a process. Unchecked, because `Process` is used only to start, and by its identifier later.
final class CaptureProcess: @unchecked Sendable {
    private let process = Process()
    private let outputFile: URL
    private let errorFile: URL
    private let exit: AsyncStream<Int32>

    /// Starts it and waits until it says that it captures. What it writes goes to files in `folder`.
    init(_ arguments: [String], in folder: URL) async throws {
        outputFile = folder.appending(path: "capture.out")
        errorFile = folder.appending(path: "capture.err")
        for file in [outputFile, errorFile] { try Data().write(to: file) }
        process.executableURL = try SidetoneProcess.program("sidetone")
        process.arguments = ["capture"] + arguments
        process.currentDirectoryURL = folder
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        let (exit, continuation) = AsyncStream<Int32>.makeStream()
        self.exit = exit
        process.terminationHandler = {
            continuation.yield($0.terminationReason == .exit ? $0.terminationStatus : -$0.terminationStatus)
            continuation.finish()
        }
        try process.run()
        try await wait(until: "it says that it captures") { output.contains("sidetone captures on") }
    }

    var id: Int32 { process.processIdentifier }

    /// What it wrote to standard output so far.
    var output: String { (try? String(contentsOf: outputFile, encoding: .utf8)) ?? "" }

    /// What it wrote to standard error so far.
    var log: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    /// Waits for a condition; gives up after a time in which it would hold on the slowest machine.
    func wait(until what: String, _ condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !condition() {
            guard process.isRunning, .now < end else {
                process.terminate()
                throw StartFailure(output: "waited until \(what); \(output)", log: log)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Sends SIGINT, as a terminal does, and waits for the end.
    /// - Returns: the exit status; negative for the signal that ended it.
    func interrupt() async -> Int32 { await end(by: SIGINT) }

    /// Sends a signal, and waits for the end.
    /// - Returns: as ``interrupt()``.
    func end(by signal: Int32) async -> Int32 {
        kill(process.processIdentifier, signal)
        for await status in exit { return status }
        return process.terminationStatus
    }
}

/// Whether tests may capture and change accounts.
enum CaptureRights {
    private static let isCI = ProcessInfo.processInfo.environment["CI"] == "true"

    /// Whether this process can capture. In CI it must: there a missing right fails, it does not skip.
    static var mayCapture: Bool {
        #if os(Linux)
            let descriptor = socket(AF_PACKET, Int32(SOCK_RAW.rawValue), 0)
            if descriptor >= 0 { close(descriptor) }
            return isCI || descriptor >= 0
        #else
            return isCI || FileManager.default.isWritableFile(atPath: "/dev/bpf0")
        #endif
    }

    /// Whether it can capture and become another user.
    static var isRoot: Bool { isCI || geteuid() == 0 }

    /// The name of the loopback interface.
    static var loopback: String {
        #if os(Linux)
            "lo"
        #else
            "lo0"
        #endif
    }

    /// Gives a folder to the account without privileges that every system has.
    /// - Returns: its number.
    static func giveToNobody(_ folder: URL) throws -> UInt32 {
        let account = try #require(getpwnam("nobody")).pointee
        #expect(chown(folder.path, account.pw_uid, account.pw_gid) == 0)
        return account.pw_uid
    }

    /// The accounts that the threads of a process run as, for real and in effect. Linux only.
    static func users(of process: Int32) throws -> Set<UInt32> {
        let threads = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: threads).reduce(into: []) { users, thread in
            // A thread may end while it is looked at.
            let file = "\(threads)/\(thread)/status"
            guard let status = try? String(contentsOfFile: file, encoding: .utf8) else { return }
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Uid:") })
            users.formUnion(line.split(separator: "\t").dropFirst().compactMap { UInt32($0) })
        }
    }
}

/// Two UDP ports of this machine, and RTP from one to the other.
struct RTPTraffic {
    /// Where the packets go.
    let port: Int
    private let sender: any Channel
    private let receiver: any Channel
    private let address: SocketAddress

    /// Opens two ports for the time of `body`.
    static func run(_ body: (RTPTraffic) async throws -> Void) async throws {
        let bootstrap = DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        let sender = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        let receiver = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(receiver.localAddress)
        let traffic = RTPTraffic(
            port: try #require(address.port), sender: sender, receiver: receiver, address: address)
        do {
            try await body(traffic)
        } catch {
            try? await traffic.close()
            throw error
        }
        try await traffic.close()
    }

    private func close() async throws {
        try await sender.close()
        try await receiver.close()
    }

    /// Sends packets of PCMU, as if 20 ms apart but all at once: a busy machine must not make them a pause.
    func send(_ numbers: Range<UInt16>) async throws {
        for number in numbers {
            var packet = ByteBuffer()
            packet.writeInteger(UInt8(0x80))
            packet.writeInteger(UInt8(0))
            packet.writeInteger(number)
            packet.writeInteger(UInt32(number) * 160)
            packet.writeInteger(UInt32(0x5EED_0001))
            packet.writeRepeatingByte(0xFF, count: 160)
            let envelope = AddressedEnvelope(remoteAddress: address, data: packet)
            if number + 1 < numbers.upperBound {
                sender.write(envelope, promise: nil)
            } else {
                try await sender.writeAndFlush(envelope)
            }
        }
    }
}

/// What `statsreport` says of a database in a folder.
enum StoredCalls {
    /// The calls, a row for each end.
    static func list(in folder: URL) async throws -> [JSONValue] {
        let run = try await SidetoneProcess.run(
            ["list", "--format", "json", "--limit", "1000", "--database", folder.appending(path: "calls.sqlite").path],
            program: "statsreport")
        #expect(run.status == 0, "\(run.errors)")
        return try JSONValue(parsing: run.output)["calls"].elements
    }

    /// The report of a call.
    static func report(of call: String, in folder: URL, database: String = "calls.sqlite") async throws -> String {
        let run = try await SidetoneProcess.run(
            ["call", call, "--database", folder.appending(path: database).path], program: "statsreport")
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }
}
