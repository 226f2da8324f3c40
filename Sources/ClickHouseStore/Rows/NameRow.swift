import CallModel

/// A row of `names`.
struct NameRow: StoredRow {
    static let table = ClickHouseTable.names

    var key: CallKey
    /// `nil` for a kind that this version does not know.
    var name: CallName?
    var version: UInt64

    init(_ name: CallName, of key: CallKey, version: UInt64) {
        self.key = key
        self.name = name
        self.version = version
    }

    func write(to rows: inout RowBinaryWriter) {
        rows.write(key)
        rows.write(name?.kind.rawValue ?? "")
        rows.write(StoredName.encode(name?.text ?? ""))
        rows.write(StoredName.encode(name?.source ?? ""))
        rows.write(version)
    }

    init(_ row: inout RowBinaryReader) throws {
        key = try row.callKey()
        let (kind, text, source) = (try row.string(), try row.string(), try row.string())
        name = CallName.Kind(rawValue: kind).map { CallName($0, text, source: source) }
        version = try row.uint64()
    }
}
