import CallModel
import GRDB

/// What a look at a database file found.
public struct DatabaseCheck: Hashable, Sendable {
    /// What is wrong with pages, indices and values; empty when they are sound. At most 100.
    public private(set) var damage: [String] = []
    /// Rows that refer to others which are not there, in words.
    public private(set) var danglingRows: [String] = []
    /// Records without a fact.
    public private(set) var emptyRecords = 0
    /// What is in it; `nil` when it cannot be read that far.
    public private(set) var contents: DatabaseContents?

    private static let most = 100

    /// Whether nothing is wrong but, it may be, with single records.
    public var isConsistent: Bool { damage.isEmpty && danglingRows.isEmpty && emptyRecords == 0 && contents != nil }

    /// Whether nothing is wrong.
    public var isSound: Bool { isConsistent && contents?.damaged.isEmpty == true }

    /// Looks at all of a file, which another process may be writing to.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - step: is told what comes next, and how many bytes it goes through.
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)`` when there is no such file, or it is none of ours.
    public init(_ path: String, step: (String, Int64) -> Void = { _, _ in }) throws {
        let file = DatabaseFile(path)
        try file.checkOurs()
        step("pages and indices", file.size)
        try take(file) { check, db in check.damage = try DatabaseFile.damage(in: db, most: Self.most) }
        // What is damaged is not asked further: answers would mean nothing.
        guard damage.isEmpty else { return }
        step("references", file.size)
        try take(file) { check, db in
            check.danglingRows = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").prefix(Self.most).map { row in
                "row \(row[1] as Int64? ?? 0) of \(row[0] as String) refers to a \(row[2] as String) that is not there"
            }
            check.emptyRecords = try Self.emptyRecords(db)
        }
        step("what is stored of calls", file.size)
        try take(file) { check, db in check.contents = try DatabaseContents(db) }
    }

    private mutating func take(_ file: DatabaseFile, _ look: (inout DatabaseCheck, Database) throws -> Void) throws {
        do {
            let queue = try file.openForReading(alone: file.standsAlone)
            defer { try? queue.close() }
            try queue.read { try look(&self, $0) }
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            damage.append(error.message ?? "it cannot be read")
        } catch {
            throw CallStoreError.opening(file.name, error)
        }
    }

    private static func emptyRecords(_ db: Database) throws -> Int {
        let tables = try ["report", "event", "wireReport"].filter { try db.tableExists($0) }
        let without = tables.map { "NOT EXISTS (SELECT 1 FROM \($0) WHERE recordId = record.id)" }
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM record WHERE " + without.joined(separator: " AND ")) ?? 0
    }
}

extension DatabaseFile {
    /// Refuses what is no database of ours, of whatever version up to this one.
    /// - Throws: ``CallStoreError/cannotOpen(_:reason:)``.
    func checkOurs() throws {
        try checkKind()
        guard exists else { throw CallStoreError.cannotOpen(name, reason: "there is no such file") }
        try check { db in
            if let reason = try refusal(of: db) ?? formatFault { return reason }
            return try Schema.migrator.appliedMigrations(db).isEmpty ? "sidetone has not written to it yet" : nil
        }
    }

    /// What SQLite finds wrong with pages, indices and values; empty when they are sound.
    static func damage(in db: Database, most: Int) throws -> [String] {
        let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(most))")
        return findings == ["ok"] ? [] : findings.flatMap { $0.split(separator: "\n").map(String.init) }
    }
}
