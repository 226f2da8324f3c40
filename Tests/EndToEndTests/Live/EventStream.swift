import AsyncHTTPClient
import CallModel
import JSONText
import NIOCore
import NIOHTTP1
import Testing

/// One event as a client of Server-Sent Events has it.
struct ServerEvent: Sendable, Equatable {
    var id = ""
    var name = ""
    var data: JSONValue = .null
}

/// A client of Server-Sent Events, written after the standard's rules for lines.
///
/// A class, for the connection lives as long as somebody holds it.
final class EventStream {
    let status: Int
    let type: String
    private var parts: HTTPClientResponse.Body.AsyncIterator
    private var received: ArraySlice<UInt8> = []

    /// Shared by all tests, for as long as they run; streams stay open for as long as they like.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        // Comments come every 15 s.
        configuration.timeout.read = .seconds(40)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private init(_ response: HTTPClientResponse) {
        status = Int(response.status.code)
        type = response.headers.first(name: "content-type") ?? ""
        parts = response.body.makeAsyncIterator()
    }

    /// Asks for a stream, and hands it to `work`; the connection ends with that.
    static func open<Value>(
        _ sidetone: Sidetone, _ path: String, after id: String? = nil, headers: [String: String] = [:],
        _ work: (EventStream) async throws -> Value
    ) async throws -> Value {
        var request = HTTPClientRequest(url: sidetone.process.address + path)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let id { request.headers.add(name: "Last-Event-ID", value: id) }
        let stream = EventStream(try await client.execute(request, timeout: .seconds(120)))
        let value = try await work(stream)
        return withExtendedLifetime(stream) { value }
    }

    /// Reads events one after another until `isEnough` says so or the stream ends.
    /// - Returns: all of them.
    @discardableResult
    func read(until isEnough: (ServerEvent) async throws -> Bool = { _ in false }) async throws -> [ServerEvent] {
        var events: [ServerEvent] = []
        var event = ServerEvent()
        while let line = try await nextLine() {
            guard line.isEmpty else {
                Self.take(line, into: &event)
                continue
            }
            if event.data != .null {
                events.append(event)
                if try await isEnough(event) { return events }
            }
            event = ServerEvent()
        }
        return events
    }

    /// The next line without its end; nil at the end of the stream.
    private func nextLine() async throws -> String? {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: received[..<end], as: UTF8.self)
                received = received[received.index(after: end)...]
                return line
            }
            guard let part = try await parts.next() else { return nil }
            received += part.readableBytesView
        }
    }

    private static func take(_ line: String, into event: inout ServerEvent) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        switch parts[0] {
        case "id": event.id = value
        case "event": event.name = value
        case "data": event.data = (try? JSONValue(parsing: Array(value.utf8))) ?? .string(value)
        default: break
        }
    }
}
