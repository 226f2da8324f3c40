import CallModel

/// A row of `folds`.
struct FoldRow: StoredRow {
    static let table = ClickHouseTable.folds

    var key: CallKey
    var version: UInt64
    var state: [UInt8]

    init(_ state: [UInt8], of key: CallKey, version: UInt64) {
        self.key = key
        self.version = version
        self.state = state
    }

    func write(to rows: inout RowBinaryWriter) {
        rows.write(key)
        rows.write(version)
        rows.write(bytes: state)
    }

    init(_ row: inout RowBinaryReader) throws {
        key = try row.callKey()
        version = try row.uint64()
        state = try row.byteString()
    }
}
