import AsyncHTTPClient
import CallModel
import Foundation
import JSONText
import NIOCore
import NIOHTTP1
import Testing

/// A running collector as a client sees it. Every answer is held against the OpenAPI document that it serves.
struct Sidetone: Sendable {
    let process: SidetoneProcess
    let contract: APIContract

    /// Starts a collector on an empty database, and ends it after `body`.
    static func run(_ arguments: [String] = [], _ body: (Sidetone) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let sidetone = try await start(in: folder, arguments)
            do {
                try await body(sidetone)
            } catch {
                await sidetone.process.kill()
                throw error
            }
            await sidetone.process.kill()
        }
    }

    /// Starts a collector on the database in `folder`.
    static func start(
        in folder: URL, _ arguments: [String] = [], through wrapper: [String] = []
    ) async throws -> Sidetone {
        let database = folder.appending(path: "calls.sqlite")
        let process = try await SidetoneProcess.start(database: database, arguments: arguments, through: wrapper)
        let document = try await send(.GET, process.address + "/openapi.json").json
        return Sidetone(process: process, contract: APIContract(document: document))
    }

    /// Gives `body` a folder of its own and removes it afterwards.
    static func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sidetone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}

/// What a server answered.
struct Reply: Sendable {
    var status: Int
    var type: String
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; `null` when it is none.
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

    /// The label of an error answer.
    var reason: String? { json["error"]["reason"].text }

    /// The words of an error answer.
    var message: String { json["error"]["message"].text ?? "" }
}

extension Sidetone {
    /// Shared by all tests, for as long as they run. A server that is gone stays gone: connecting is tried once.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        // Servers of some tests end a connection that was idle for two seconds; a request must not meet that end.
        configuration.connectionPool.idleTimeout = .seconds(1)
        // A request waits for its turn among those of all other tests.
        configuration.timeout.connect = .seconds(120)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    func get(_ path: String) async throws -> Reply {
        try await request(.GET, path)
    }

    func delete(_ path: String) async throws -> Reply {
        try await request(.DELETE, path)
    }

    func post(_ path: String, _ body: String, headers: [String: String] = [:]) async throws -> Reply {
        try await post(path, Array(body.utf8), headers: headers)
    }

    func post(_ path: String, _ body: [UInt8], headers: [String: String] = [:]) async throws -> Reply {
        try await request(.POST, path, body: body, headers: headers)
    }

    /// Sends a request, and checks the answer against the contract.
    func request(
        _ method: HTTPMethod, _ path: String, body: [UInt8]? = nil, headers: [String: String] = [:]
    ) async throws -> Reply {
        let reply = try await Self.send(method, process.address + path, body: body, headers: headers)
        let faults = contract.faults(in: reply, to: method.rawValue, path)
        #expect(faults == [], "\(method.rawValue) \(path) → \(reply.status) \(reply.text.prefix(500))")
        return reply
    }

    static func send(
        _ method: HTTPMethod, _ address: String, body: [UInt8]? = nil, headers: [String: String] = [:]
    ) async throws -> Reply {
        var request = HTTPClientRequest(url: address)
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(request, timeout: .seconds(120))
        let type = String((response.headers.first(name: "content-type") ?? "").prefix { $0 != ";" })
        // A stream of events has no end; ``EventStream`` reads it.
        let bytes = type == "text/event-stream" ? ByteBuffer() : try await response.body.collect(upTo: 64 << 20)
        let fields = response.headers.map { ($0.name.lowercased(), $0.value) }
        return Reply(
            status: Int(response.status.code), type: type, headers: Dictionary(fields) { first, _ in first },
            body: Array(bytes.readableBytesView))
    }
}

extension JSONValue {
    /// The member of an object; `null` when there is none.
    subscript(name: String) -> JSONValue { members?[name] ?? .null }

    /// The element of an array; `null` when there is none.
    subscript(index: Int) -> JSONValue {
        guard case .array(let values) = self, values.indices.contains(index) else { return .null }
        return values[index]
    }

    /// The elements of an array; none for every other value.
    var elements: [JSONValue] {
        if case .array(let values) = self { return values }
        return []
    }
}
