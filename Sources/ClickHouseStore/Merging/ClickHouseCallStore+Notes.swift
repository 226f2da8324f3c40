public import CallModel

extension ClickHouseCallStore {
    /// See ``SharedCallStore``.
    public func seconds() async throws -> Int64 {
        try await rows("SELECT toInt64(toUnixTimestamp(now()))") { try $0.int64() }.first ?? 0
    }

    /// See ``SharedCallStore``.
    public func note(_ name: SharedStoreNote) async throws -> Int64? {
        try await rows(
            """
            SELECT number FROM \(ClickHouseSchema.versions.name) FINAL
            WHERE name = \(ClickHouseText.literal(name.rawValue))
            """
        ) { try $0.int64() }.first
    }

    /// See ``SharedCallStore``.
    public func keep(_ name: SharedStoreNote, _ seconds: Int64) async throws {
        try await write {
            var row = RowBinaryWriter()
            row.write(name.rawValue)
            row.write(seconds)
            row.write(UInt64(clamping: seconds))
            try await client.insert(
                row, into: ClickHouseSchema.versions.name, columns: ClickHouseSchema.versions.columnNames,
                deduplicates: false)
        }
    }
}
