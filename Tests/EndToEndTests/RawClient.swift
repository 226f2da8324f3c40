import Foundation
import Glibc
import Testing

/// A client on a socket of its own, on a thread of its own: it keeps its pace however busy the other tests are.
struct RawClient: Sendable {
    let port: UInt16

    /// Sends `text`, and `drip` every 200 ms as often as said, until the server closes or a minute is over.
    /// - Returns: what came back; nil when the server did not close in time.
    func send(_ text: String, then drip: String = "", times: Int = 0) async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: exchange(text, drip, times)) }
        }
    }

    /// Sends `text`, and reads at most so many bytes of the answer every 100 ms, until the server closes or a minute is
    /// over.
    /// - Returns: what came back; nil when the server did not close in time.
    func send(_ text: String, reading bytes: Int) async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: dawdle(text, bytes)) }
        }
    }

    /// Sends `text` on so many connections, and reads nothing of what comes until `body` returns.
    func send(_ text: String, times: Int, readingNothingDuring body: () async throws -> Void) async throws {
        let sockets = (0..<times).map { _ in connected(holding: 4096) }
        defer { for socket in sockets { close(socket) } }
        for socket in sockets { write(text, to: socket) }
        try await body()
    }

    /// Sends `text`, and then `more` until the server closes or took so many bytes of it.
    /// - Returns: how many it took.
    func send(_ text: String, then more: String, atMost bytes: Int) async -> Int {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let socket = connected()
                defer { close(socket) }
                write(text, to: socket)
                let piece = Array(more.utf8)
                var taken = 0
                while taken < bytes {
                    let count = Glibc.send(socket, piece, piece.count, Int32(MSG_NOSIGNAL))
                    guard count == piece.count else { break }
                    taken += count
                }
                continuation.resume(returning: taken)
            }
        }
    }

    private func dawdle(_ text: String, _ bytes: Int) -> String? {
        let socket = connected(holding: Int32(bytes))
        defer { close(socket) }
        write(text, to: socket)
        let end = ContinuousClock.now + .seconds(60)
        var answer: [UInt8] = []
        while ContinuousClock.now < end {
            var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, 200) > 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: bytes)
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += buffer.prefix(count)
            Thread.sleep(forTimeInterval: 0.1)
        }
        return nil
    }

    /// - Parameter bytes: how much the system keeps of what was not read; nil for as much as it likes.
    /// - Returns: a socket connected to the server, or one that nothing comes from.
    private func connected(holding bytes: Int32? = nil) -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var bytes {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return socket
    }

    private func exchange(_ text: String, _ drip: String, _ times: Int) -> String? {
        let socket = connected()
        defer { close(socket) }
        write(text, to: socket)
        let end = ContinuousClock.now + .seconds(60)
        var drips = 0
        var answer: [UInt8] = []
        while ContinuousClock.now < end {
            var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            if poll(&state, 1, 200) > 0 {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = recv(socket, &buffer, buffer.count, 0)
                guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
                answer += buffer.prefix(count)
            } else if drips < times {
                write(drip, to: socket)
                drips += 1
            }
        }
        return nil
    }

    /// Whether the other side still takes it shows when it is read from.
    private func write(_ text: String, to socket: Int32) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { return }
        _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}

extension Sidetone {
    /// A client of this server, on a socket of its own.
    var rawClient: RawClient {
        get throws {
            let port = URL(string: process.address)?.port.flatMap(UInt16.init(exactly:))
            return RawClient(port: try #require(port))
        }
    }
}
