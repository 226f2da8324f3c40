import CallModel
import CollectorServer
import Foundation
import Glibc
import Hummingbird
import Logging
import SQLiteStore
import TestSupport
import Testing

@testable import Collector
@testable import sidetone

/// Streams of a server in this process, whose hub the test drives by hand.
@Suite struct LiveStreamTests {
    private static let now = Timestamp(milliseconds: 1_795_240_000_000)

    /// Runs a server with little room for events, and gives its port to `body`.
    private static func run(
        _ tokens: TokenTable? = nil, _ body: @escaping @Sendable (LiveHub, AccessControl, Int) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "live-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Database.open(folder.appending(path: "calls.sqlite").path)
        let hub = LiveHub(limits: LiveLimits(events: 64), startedAt: now)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let collector = CallCollector(
            store: store, retention: Retention(calls: 100), clock: { now }, logger: logger, live: hub)
        let access = AccessControl(tokens: tokens)
        let application = CollectorApplication(
            collector: collector, stores: ShownStores(own: store), exposure: ServerExposure(access: access), live: hub,
            clock: { now })
        let (ports, port) = AsyncStream<Int>.makeStream()
        let server = application.service(host: "127.0.0.1", port: 0, logger: logger) { port.yield($0 ?? 0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            for await port in ports {
                try await body(hub, access, port)
                break
            }
            hub.close()
            group.cancelAll()
        }
        try await store.close()
    }

    /// Tells of `count` calls that begin, whose names are long.
    private static func tell(_ hub: LiveHub, _ round: Int, count: Int = 8, bytes: Int = 50_000) {
        let changes = (0..<count).map { index -> RecordChange in
            let name = "\(round)-\(index)-" + String(repeating: "x", count: bytes)
            let key = CallKey(
                identity: CallIdentity(tenant: .default, call: CallID(rawValue: name)), observer: .client, attempt: 1)
            let summary = CallSummary(key: key, rulesVersion: 1, start: now, lastActivity: now, lastReceivedAt: now)
            let event = CallEvent(time: now, receivedAt: now, action: "a", type: "b", members: [:])
            return RecordChange(
                key: key, facts: [.event(event)], derived: .append([], []), session: [], summary: summary,
                isDirty: false)
        }
        hub.note(changes, new: Set(changes.map(\.key)), now: now)
        hub.deliver()
    }

    @Test func `a watcher that does not read is cut off, and whoever reads is told everything`() async throws {
        try await Self.run { hub, _, port in
            let stuck = try StreamSocket(port: port, path: "/v1/live", bufferBytes: 4096)
            try await eventually("one subscribes") { hub.subscribers == 1 }
            let reader = try StreamSocket(port: port, path: "/v1/live")
            #expect(await reader.text(until: "snapshot\n").contains("retry: 2000\n"))
            // Until both the connection and what is kept are full.
            for round in 0..<100 {
                Self.tell(hub, round)
                #expect(await reader.text(until: "\"\(round)-7-").contains("\"\(round)-0-"))
            }
            try await eventually("the stuck one is let go") { hub.subscribers == 1 }
            stuck.end()
            reader.end()
        }
    }

    @Test func `a stream ends with the sign of life after its token was taken away`() async throws {
        let made = TokenEntry.make(tenant: .default, scopes: [.read], name: nil, expires: nil)
        try await Self.run(try TokenTable(parsing: made.entry.line)) { hub, access, port in
            let socket = try StreamSocket(port: port, path: "/v1/live", token: made.token)
            #expect(await socket.text(until: "event: snapshot\n").contains("retry: 2000\n"))
            for _ in 0..<2 {
                try await eventually("it waits for more") { hub.isAnybodyWaiting }
                hub.beat()
                #expect(await socket.text(until: ": alive").contains(": alive"))
            }
            try await eventually("it waits for more") { hub.isAnybodyWaiting }
            access.replace(by: try TokenTable(parsing: ""))
            hub.beat()
            #expect(await !socket.text(until: nil).contains("alive"))
            try await eventually("nobody subscribes") { hub.subscribers == 0 }
            socket.end()
        }
    }
}

/// A client of one stream on a socket of its own.
struct StreamSocket: Sendable {
    private let socket: Int32

    init(port: Int, path: String, token: String? = nil, bufferBytes: Int32? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // What does not come fails, and holds nobody up.
        var patience = timeval(tv_sec: 240, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var bufferBytes {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bufferBytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(authorization)\r\n".utf8)
        _ = Glibc.send(socket, request, request.count, Int32(MSG_NOSIGNAL))
    }

    /// What comes until some text was in it, or the server closes. Waits on a thread of its own.
    func text(until end: String?) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: received(until: end)) }
        }
    }

    private func received(until end: String?) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
            if let end, String(decoding: bytes.suffix(count + end.utf8.count), as: UTF8.self).contains(end) { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func end() { close(socket) }
}
