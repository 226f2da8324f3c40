public import CallModel

/// Calls in a ClickHouse database, on one node or on a cluster.
///
/// Tables keep the latest row of each key; which derived rows are a record's its own row says, which is written last.
/// When ``commit(_:marking:)`` returns, all of it is seen; when it throws, a part may be, and a repeat ends in the same
/// state. Reads see what was committed before them.
public struct ClickHouseCallStore: CallStore {
    let client: ClickHouseClient
    let schema: ClickHouseSchema
    let node: StoreNode
    let numbers: RecordNumbers
    private let lane: WriteLane?

    private init(client: ClickHouseClient, node: StoreNode, lane: WriteLane?) {
        self.client = client
        self.node = node
        numbers = RecordNumbers(node)
        self.lane = lane
        schema = ClickHouseSchema(client)
    }

    /// Opens a database for writing; makes what is not there yet.
    ///
    /// - Parameters:
    ///   - location: The database.
    ///   - node: A name for this process that no other has which writes there at the same time.
    /// - Returns: the store, to be closed.
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)``; ``CallStoreError/unavailable(_:detail:)`` when the same may
    ///   succeed later.
    public static func open(_ location: ClickHouseLocation, node: String) async throws -> ClickHouseCallStore {
        try await opening(location) { client in
            let store = ClickHouseCallStore(client: client, node: StoreNode(node), lane: WriteLane())
            try await store.schema.prepare()
            return store
        }
    }

    /// Opens a database for reading only. Makes nothing.
    ///
    /// - Parameter location: The database.
    /// - Returns: the store, to be closed.
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)`` when it is not there, or no database of calls;
    ///   ``CallStoreError/unavailable(_:detail:)`` when the same may succeed later.
    public static func openReadOnly(_ location: ClickHouseLocation) async throws -> ClickHouseCallStore {
        try await opening(location) { client in
            let store = ClickHouseCallStore(client: client, node: StoreNode(""), lane: nil)
            try await store.schema.check()
            return store
        }
    }

    private static func opening(
        _ location: ClickHouseLocation, _ body: (ClickHouseClient) async throws -> ClickHouseCallStore
    ) async throws -> ClickHouseCallStore {
        do {
            let client = try await ClickHouseClient.connect(location)
            do {
                return try await body(client)
            } catch {
                await client.close()
                throw error
            }
        } catch let error as ClickHouseError {
            throw error.kind == .retry
                ? CallStoreError.unavailable(.unreachable, detail: "\(location): \(error)")
                : CallStoreError.cannotOpen("\(location)", reason: "\(error)")
        }
    }

    /// Reads the rows of an answer.
    func rows<Value>(_ select: String, _ read: (inout RowBinaryReader) throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        try await eachRow(select) { values.append(try read(&$0)) }
        return values
    }

    /// Reads the rows of an answer one by one, and keeps none.
    func eachRow(_ select: String, _ read: (inout RowBinaryReader) throws -> Void) async throws {
        try await translating {
            var answer = try await client.rows(select)
            while !answer.isAtEnd { try read(&answer) }
        }
    }

    /// All rows of a table that meet a condition, each key once.
    func rows<Row: StoredRow>(_ type: Row.Type = Row.self, where condition: String) async throws -> [Row] {
        let (table, condition) = (Row.table, Row.table.marksGone ? "gone = 0 AND \(condition)" : condition)
        return try await rows("SELECT \(table.selection) FROM \(table.name) FINAL WHERE \(condition)", Row.init)
    }

    func insert(_ rows: RowBinaryWriter, into table: ClickHouseTable) async throws {
        try await client.insert(rows, into: table.name, columns: table.columnNames)
    }

    /// Runs `body` when no other write of this store is under way.
    func write<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        guard let lane else { throw CallStoreError.failed("\(client.location) is open for reading only") }
        return try await translating { try await lane.run(body) }
    }

    private func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as ClickHouseError {
            throw CallStoreError(error)
        }
    }

    /// Writes as a commit does, and changes nothing; see ``CallStore/probe()``.
    public func probe() async throws {
        try await write { try await schema.writeVersion() }
    }

    /// Ends the connections; see ``CallStore/close()``.
    public func close() async throws {
        if let lane { try await lane.run {} }
        await client.close()
    }
}
