import AsyncHTTPClient
import Crypto
import Deflate
import Foundation
import NIOCore
import NIOHTTP1

/// Talks to a ClickHouse server over its HTTP interface; of several of a cluster to the next one when one does not answer.
/// To be closed: ``close()``.
struct ClickHouseClient: Sendable {
    let location: ClickHouseLocation
    /// Of the server that answered first, when it was connected to.
    let version: ClickHouseVersion
    /// Whether the user may only read. Such a user may not say settings either; the server's apply.
    let isReadOnly: Bool
    private let transport: ClickHouseTransport
    private let choice: ServerChoice

    /// How long an answer to a question may take.
    static let readingSeconds = 60
    /// How long rows, and changes of tables, may take: the engine waits a minute for the nodes of a cluster.
    private static let writingSeconds = 120
    /// How long a name may take that is only asked for.
    private static let connectingSeconds = 10
    /// The longest answer; more than any call has, and what a process can hold.
    private static let maximumAnswerBytes = 512 << 20

    /// Asks the first server that answers who it is. The database need not be there yet.
    /// - Throws: ``ClickHouseError``.
    static func connect(_ location: ClickHouseLocation) async throws(ClickHouseError) -> ClickHouseClient {
        let transport = try ClickHouseTransport(to: location)
        let choice = ServerChoice(of: location.servers)
        do throws(ClickHouseError) {
            for _ in location.servers.dropLast() {
                do throws(ClickHouseError) {
                    return try await connect(location, over: transport, choice: choice)
                } catch {
                    guard error.isOfServer else { throw error }
                }
            }
            return try await connect(location, over: transport, choice: choice)
        } catch {
            await transport.close()
            throw error
        }
    }

    private static func connect(
        _ location: ClickHouseLocation, over transport: ClickHouseTransport, choice: ServerChoice
    ) async throws(ClickHouseError) -> ClickHouseClient {
        let server = choice.current
        let question = "SELECT version(), (SELECT value FROM system.settings WHERE name = 'readonly') FORMAT RowBinary"
        let request = ClickHouseRequest(body: Array(question.utf8), timeoutSeconds: connectingSeconds)
        let answer = try await choice.moving { server throws(ClickHouseError) in
            try await transport.send(request, to: server, mostBytes: 1 << 16)
        }
        var reader = RowBinaryReader(answer)
        let text = try reader.string()
        guard let version = ClickHouseVersion(text) else {
            throw ClickHouseError(
                kind: .operator,
                message: "ClickHouse at \(server) says that its version is \"\(text.prefix(40))\"")
        }
        let readOnly = try reader.string()
        return ClickHouseClient(
            location: location, version: version, isReadOnly: readOnly == "1", transport: transport,
            choice: choice)
    }

    /// Ends all connections. Requests that are under way fail.
    func close() async {
        await transport.close()
    }

    /// Carries out a statement that has no result: `CREATE`, `ALTER`, `INSERT … SELECT`.
    /// - Parameters:
    ///   - sql: One statement.
    ///   - usesDatabase: False for what must work before the database is there.
    /// - Throws: ``ClickHouseError``.
    func run(_ sql: String, usesDatabase: Bool = true) async throws(ClickHouseError) {
        var request = request(settings: .changing, timeoutSeconds: Self.writingSeconds)
        if !usesDatabase { request.database = nil }
        request.body = Array(sql.utf8)
        _ = try await send(request, mostBytes: 1 << 20)
    }

    /// Asks a question.
    /// - Parameter select: Without `FORMAT`.
    /// - Returns: The answer, all of it.
    /// - Throws: ``ClickHouseError``.
    func rows(_ select: String) async throws(ClickHouseError) -> RowBinaryReader {
        var request = request(settings: .reading, timeoutSeconds: Self.readingSeconds + 5)
        request.body = Array("\(select)\nFORMAT RowBinary".utf8)
        return RowBinaryReader(try await send(request, mostBytes: Self.maximumAnswerBytes))
    }

    /// Inserts rows, all or none of each block of a million. When it returns they are where they belong.
    /// - Parameters:
    ///   - rows: In the order of `columns`; nothing is sent when there are none.
    ///   - table: Of the database of ``location``.
    ///   - columns: Those that `rows` holds; the others get what their type has by default.
    ///   - deduplicates: Whether the engine may leave out the rows when it remembers the very same insert. That is what a
    ///     repeated delivery wants, but rows that were erased in between stay away, too.
    /// - Throws: ``ClickHouseError``.
    func insert(
        _ rows: RowBinaryWriter, into table: String, columns: [String], deduplicates: Bool = true
    ) async throws(ClickHouseError) {
        guard !rows.isEmpty else { return }
        let names = columns.map(ClickHouseText.name).joined(separator: ", ")
        let token = deduplicates ? Self.token(for: rows.bytes, table: table, columns: columns) : nil
        var request = request(
            settings: .inserting + .deduplication(token: token), timeoutSeconds: Self.writingSeconds)
        request.query = "INSERT INTO \(ClickHouseText.name(table)) (\(names)) FORMAT RowBinary"
        request.body = Gzip.deflate(rows.bytes, level: 1)
        request.isCompressed = true
        _ = try await send(request, mostBytes: 1 << 20)
    }

    private func send(_ request: ClickHouseRequest, mostBytes: Int) async throws(ClickHouseError) -> [UInt8] {
        try await choice.moving { server throws(ClickHouseError) in
            try await transport.send(request, to: server, mostBytes: mostBytes)
        }
    }

    private func request(settings: [ClickHouseSetting], timeoutSeconds: Int) -> ClickHouseRequest {
        ClickHouseRequest(
            database: location.database, settings: isReadOnly ? [] : settings.known(to: version),
            timeoutSeconds: timeoutSeconds)
    }

    /// The same for the same rows, and for no others: whatever has a token that the engine remembers is left out.
    private static func token(for bytes: [UInt8], table: String, columns: [String]) -> String {
        var hash = SHA256()
        hash.update(data: Array("\(table)\n\(columns.joined(separator: ","))\n".utf8))
        hash.update(data: bytes)
        return hash.finalize().prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}
