import CallModel
import GRDB
import StoreParts
import Synchronization

/// What is known of calls that stay: until when none of them can have to go, so that not all have to be looked at every few
/// seconds.
struct RetentionOutlook: Hashable, Sendable {
    let retention: Retention
    /// The last record that is taken in; the ids of later ones are greater.
    private(set) var lastRecord: Int64
    /// How many more records there may be, be they all of one tenant and each of another call.
    private(set) var room: Int
    /// When the first call may have reached its age.
    private(set) var due: Timestamp

    /// All calls are looked at once an hour, whatever is known: a session may count as a call once nothing claims it.
    private static let longestMilliseconds: Int64 = 3_600_000

    /// - Parameters:
    ///   - calls: all there are; none of them has to go.
    ///   - lastRecord: the last of their records.
    ///   - retention: how long calls are kept.
    ///   - now: when they were looked at.
    init(_ calls: [CallActivity], lastRecord: Int64, retention: Retention, now: Timestamp) {
        self.retention = retention
        self.lastRecord = lastRecord
        var counts: [String: Int] = [:]
        for call in calls { counts[call.tenant, default: 0] += 1 }
        room = max(retention.calls, 0) - (counts.values.max() ?? 0)
        due = now.advanced(byMilliseconds: Self.longestMilliseconds)
        if let first = calls.map(\.lastReceivedAt).min() { takeIn(receipt: first) }
    }

    /// Takes in records that were made since.
    mutating func takeIn(records: Int, last: Int64, firstReceipt: Timestamp) {
        lastRecord = last
        room -= records
        takeIn(receipt: firstReceipt)
    }

    private mutating func takeIn(receipt: Timestamp) {
        guard let age = retention.milliseconds else { return }
        due = min(due, receipt.advanced(byMilliseconds: age))
    }

    /// Whether no call has to go at a time.
    func isClear(at now: Timestamp) -> Bool { room >= 0 && now < due }
}

/// Remembers the outlook between enforcements. A class, for copies of a store share it.
final class RetentionMemory: Sendable {
    private let outlook = Mutex<RetentionOutlook?>(nil)

    /// Whether no call has to go, by what was known and what was stored since.
    func isClear(_ db: Database, _ retention: Retention, now: Timestamp) throws -> Bool {
        try outlook.withLock { outlook in
            guard outlook?.retention == retention, let last = outlook?.lastRecord else { return false }
            let statement = try db.cachedStatement(
                sql: "SELECT count(*), max(id), min(lastReceivedAt) FROM record WHERE id > ?")
            if let row = try Row.fetchOne(statement, arguments: [last]), let newest = row[1] as Int64? {
                outlook?.takeIn(records: row[0], last: newest, firstReceipt: Timestamp(milliseconds: row[2]))
            }
            return outlook?.isClear(at: now) == true
        }
    }

    /// Takes in all calls, of which none has to go.
    func note(_ calls: [CallActivity], _ db: Database, _ retention: Retention, now: Timestamp) throws {
        let last = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM record")) ?? 0
        let news = RetentionOutlook(calls, lastRecord: last, retention: retention, now: now)
        outlook.withLock { $0 = news }
    }

    /// All calls are to be looked at again.
    func forget() { outlook.withLock { $0 = nil } }
}
