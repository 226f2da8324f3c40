import CallModel
import Foundation

/// A row of a table, written and read in the order of the table's columns.
protocol StoredRow: Sendable {
    static var table: ClickHouseTable { get }
    func write(to rows: inout RowBinaryWriter)
    init(_ row: inout RowBinaryReader) throws
}

/// Text of key columns, so that the engine's equality of bytes is Swift's equality of texts: Unicode normal form C.
enum StoredName {
    static func encode(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }
}

extension RowBinaryWriter {
    /// The columns of ``ClickHouseTable/recordKey``.
    mutating func write(_ key: CallKey) {
        write(StoredName.encode(key.identity.tenant.rawValue))
        write(StoredName.encode(key.identity.call.rawValue))
        write(Int64(key.attempt))
        write(StoredName.encode(key.observer.rawValue))
    }
}

extension RowBinaryReader {
    /// The columns `tenant` and `call_id`.
    mutating func callIdentity() throws -> CallIdentity {
        CallIdentity(tenant: TenantID(rawValue: try string()), call: CallID(rawValue: try string()))
    }

    /// The columns of ``ClickHouseTable/recordKey``.
    mutating func callKey() throws -> CallKey {
        let identity = try callIdentity()
        let attempt = Int(try int64())
        return CallKey(identity: identity, observer: ObserverID(rawValue: try string()), attempt: attempt)
    }

    /// How many there are: `count()` and its like.
    mutating func count() throws -> Int { Int(clamping: try uint64()) }
}
