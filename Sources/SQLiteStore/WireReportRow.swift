import CallModel
import Foundation
import GRDB
import StoreParts

/// A row of `wireReport`.
struct WireReportRow: Sendable {
    var time: Int64
    var receivedAt: Int64
    /// Packed JSON of ``WireReport/members``.
    var content: Data
    var isContradicted: Bool

    init(_ report: WireReport) {
        time = report.time.milliseconds
        receivedAt = report.receivedAt.milliseconds
        content = StoredJSON.packed(.object(report.members))
        isContradicted = report.isContradicted
    }

    init(_ row: Row) {
        time = row[0]
        receivedAt = row[1]
        content = row[2]
        isContradicted = row[3]
    }

    static let columns = "time, receivedAt, content, isContradicted"

    func save(_ db: Database, record: Int64) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO wireReport (recordId, \(Self.columns)) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (recordId, time) DO UPDATE SET receivedAt = excluded.receivedAt,
                content = excluded.content, isContradicted = excluded.isContradicted
                """
        ).execute(arguments: [record, time, receivedAt, content, isContradicted])
    }

    /// - Throws: ``CallStoreError/damaged(_:reason:)``.
    func report() throws -> WireReport {
        try understanding("the wire report of \(time) ms") {
            let value = try StoredJSON.value(ofPacked: content)
            guard let members = value.members else { throw StoredValueError.notExpected(value.canonicalText) }
            return try WireReport(
                stored: members, time: Timestamp(milliseconds: time),
                receivedAt: Timestamp(milliseconds: receivedAt), isContradicted: isContradicted)
        }
    }
}
