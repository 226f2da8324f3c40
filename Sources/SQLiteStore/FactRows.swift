import CallModel
import Foundation
import GRDB
import JSONText
import StoreParts

/// A row of `report`.
struct ReportRow: Sendable {
    var time: Int64
    var connection: String
    var receivedAt: Int64
    /// ``PackedReport``, or packed JSON.
    var objects: Data
    var conflicts: String
    var notes: String

    init(_ report: StatsReport) {
        time = report.time.milliseconds
        connection = StoredText.encode(report.connection.rawValue)
        receivedAt = report.receivedAt.milliseconds
        objects = PackedReport.data(of: report.objects)
        conflicts = StoredReport.value(of: report.conflicts).canonicalText
        notes = StoredJSON.text(of: report.notes)
    }

    init(_ row: Row) {
        time = row[0]
        connection = row[1]
        receivedAt = row[2]
        objects = row[3]
        conflicts = row[4]
        notes = row[5]
    }

    static let columns = "time, connection, receivedAt, objects, conflicts, notes"

    func save(_ db: Database, record: Int64) throws {
        try db.run(
            """
            INSERT INTO report (recordId, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (recordId, time, connection) DO UPDATE SET receivedAt = excluded.receivedAt,
            objects = excluded.objects, conflicts = excluded.conflicts, notes = excluded.notes
            """,
            [record, time, connection, receivedAt, objects, conflicts, notes])
    }

    private static func objects(of unpacked: [UInt8]) throws -> [StatsObject] {
        guard unpacked.first != PackedReport.form else { return try PackedReport.objects(of: unpacked) }
        return try StoredReport.objects(of: StoredJSON.value(ofBytes: unpacked))
    }

    /// - Throws: ``CallStoreError/damaged(_:reason:)``.
    func report() throws -> StatsReport {
        try understanding("the report of \(time) ms") {
            StatsReport(
                stored: try Self.objects(of: StoredJSON.bytes(ofPacked: objects)),
                conflicts: try StoredReport.conflicts(of: StoredJSON.value(of: conflicts)),
                notes: try StoredJSON.texts(of: notes),
                connection: ConnectionID(rawValue: StoredText.decode(connection)),
                time: Timestamp(milliseconds: time), receivedAt: Timestamp(milliseconds: receivedAt))
        }
    }
}

/// A row of `event`.
struct EventRow: Sendable {
    var time: Int64
    var rank: Int
    var action: String
    var type: String
    var sequence: Int64?
    var receivedAt: Int64
    var members: String
    var isContradicted: Bool

    init(_ event: CallEvent) {
        time = event.time.milliseconds
        rank = FactKey.rank(of: event)
        action = StoredText.encode(event.action)
        type = StoredText.encode(event.type)
        sequence = event.sequence
        receivedAt = event.receivedAt.milliseconds
        members = JSONValue.object(event.members).canonicalText
        isContradicted = event.isContradicted
    }

    init(_ row: Row) {
        time = row[0]
        rank = row[1]
        action = row[2]
        type = row[3]
        sequence = row[4]
        receivedAt = row[5]
        members = row[6]
        isContradicted = row[7]
    }

    static let columns = "time, rank, action, type, sequence, receivedAt, members, isContradicted"

    func save(_ db: Database, record: Int64) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO event (recordId, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (recordId, time, rank, name) DO UPDATE SET receivedAt = excluded.receivedAt,
                members = excluded.members, isContradicted = excluded.isContradicted
                """
        ).execute(arguments: [record, time, rank, action, type, sequence, receivedAt, members, isContradicted])
    }

    /// - Throws: ``CallStoreError/damaged(_:reason:)``.
    func event() throws -> CallEvent {
        try understanding("the event \(action)/\(type) of \(time) ms") {
            guard let members = try StoredJSON.value(of: members).members else {
                throw StoredValueError.notExpected(members)
            }
            return CallEvent(
                time: Timestamp(milliseconds: time), receivedAt: Timestamp(milliseconds: receivedAt),
                action: StoredText.decode(action), type: StoredText.decode(type), sequence: sequence,
                members: members, isContradicted: isContradicted)
        }
    }
}
