import Foundation
import Glibc

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

    private func exchange(_ text: String, _ drip: String, _ times: Int) -> String? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return nil }
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
