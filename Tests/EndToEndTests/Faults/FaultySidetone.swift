import CallModel
import Foundation
import Synchronization
import Testing

/// A collector whose disk a test takes away and gives back, and a client that remembers what was acknowledged.
struct FaultySidetone {
    let sidetone: Sidetone
    private(set) var acknowledged: Set<Int> = []
    private var next = 0

    init(_ sidetone: Sidetone) {
        self.sidetone = sidetone
    }

    /// Posts reports until so many are acknowledged.
    mutating func store(_ count: Int) async throws {
        for _ in 0..<count {
            let reply = try await post()
            #expect(reply.status == 202, "\(reply.text)")
        }
    }

    /// Posts reports until one is not stored, and says with which answer.
    mutating func storeUntilRefused() async throws -> Reply {
        for _ in 0..<2_000 {
            let reply = try await post()
            if reply.status != 202 { return reply }
        }
        throw StartFailure(output: "everything was stored", log: sidetone.process.log)
    }

    /// Posts the next report. One that is refused is the next again.
    mutating func post() async throws -> Reply {
        let reply = try await sidetone.post("/v1/calls/c/stats", Samples.report(next))
        if reply.status == 202 {
            acknowledged.insert(next)
            next += 1
        }
        return reply
    }

    /// Waits until what is refused is stored again; nobody but the client does anything for it.
    mutating func storeWhenRecovered() async throws {
        let end = ContinuousClock.now + .seconds(60)
        while try await post().status != 202 {
            guard .now < end else { throw StartFailure(output: "it does not recover", log: sidetone.process.log) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// How often the log has a line with these words.
    func logged(_ words: String) -> Int {
        sidetone.process.log.split(separator: "\n").count { $0.contains(words) }
    }

    /// Checks that everything acknowledged is stored, once, and that the file is sound.
    func verify(database: String) async throws {
        let record = try await sidetone.get("/v1/calls/c").json["records"][0]
        #expect(record["dataQuality"]["reports"].wholeNumber == Int64(acknowledged.count))
        for index in acknowledged.sorted().suffix(20) {
            let reply = try await sidetone.post("/v1/calls/c/stats", Samples.report(index))
            #expect(reply.json["repeated"] == 1, "\(reply.text)")
        }
        #expect(await sidetone.process.terminate() == 0)
        let check = try await SidetoneProcess.run(["check", "--all-calls", database])
        #expect(check.status == 0, "\(check.output) \(check.errors)")
    }
}

/// Checks the answer to what cannot be stored now.
func expectUnavailable(_ reply: Reply, _ words: String, _ reason: String = "store_unavailable") {
    #expect(reply.status == 503 && reply.reason == reason, "\(reply.status) \(reply.text)")
    #expect(reply.headers["retry-after"].flatMap(Int.init).map { $0 > 0 } == true)
    #expect(reply.message.contains(words) && reply.message.contains("nothing of this request was acknowledged"))
    #expect(!reply.message.contains("calls.sqlite"), "clients need not know where calls are kept")
}

/// Reports of one call that are posted beside what a test does.
final class Posting: Sendable {
    private let isOver = Mutex(false)
    private let call: String

    /// - Parameter call: which.
    init(of call: String) {
        self.call = call
    }

    /// Posts one report after the other, from the first on, until ``stop()``.
    /// - Returns: how many; all were stored.
    func run(_ sidetone: Sidetone) async throws -> Int {
        var index = 0
        while !isOver.withLock({ $0 }) {
            let reply = try await sidetone.post("/v1/calls/\(call)/stats", Samples.report(index))
            #expect(reply.status == 202, "\(reply.text)")
            index += 1
        }
        return index
    }

    func stop() { isOver.withLock { $0 = true } }
}

/// File systems of a test's own.
enum Mounts {
    /// Whether this process may mount, in a name space that nobody else sees. In CI it must.
    static let areAllowed: Bool = {
        guard ProcessInfo.processInfo.environment["CI"] != "true" else { return true }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/tmp"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }()

    /// A command that sees `folder` as a small disk in memory, and becomes the program whose words follow.
    static func smallDisk(_ folder: URL, mebibytes: Int) -> [String] {
        inNameSpace("mount -t tmpfs -o size=\(mebibytes)m none \"$0\"", folder)
    }

    /// A command that may not write in `folder`.
    static func readOnly(_ folder: URL) -> [String] {
        inNameSpace("mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\"", folder)
    }

    private static func inNameSpace(_ mount: String, _ folder: URL) -> [String] {
        ["unshare", "-m", "sh", "-c", "mount --make-rprivate / && \(mount) && exec \"$@\"", folder.path]
    }
}
