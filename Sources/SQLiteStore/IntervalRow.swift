import CallModel
import GRDB
import StoreParts

/// A row of `earlierInterval`, as versions before the ninth migration wrote it: one column a member of ``MediaInterval``, under
/// the member's name.
enum IntervalRow {
    static let table = "earlierInterval"

    /// The members that are whole numbers, `nil` when not known.
    static let wholes: [(name: String, path: any WritableKeyPath<MediaInterval, Int?> & Sendable)] = [
        ("packets", \.packets),
        ("packetsLost", \.packetsLost),
        ("packetsDiscarded", \.packetsDiscarded),
        ("concealmentEvents", \.concealmentEvents),
        ("frameWidth", \.frameWidth),
        ("frameHeight", \.frameHeight),
        ("freezeCount", \.freezeCount),
    ]

    /// The members that are real numbers, `nil` when not known.
    static let reals: [(name: String, path: any WritableKeyPath<MediaInterval, Double?> & Sendable)] = [
        ("lossPercent", \.lossPercent),
        ("bitrateKilobitsPerSecond", \.bitrateKilobitsPerSecond),
        ("jitterMilliseconds", \.jitterMilliseconds),
        ("roundTripMilliseconds", \.roundTripMilliseconds),
        ("concealedPercent", \.concealedPercent),
        ("silentConcealedPercent", \.silentConcealedPercent),
        ("stretchedPercent", \.stretchedPercent),
        ("jitterBufferMilliseconds", \.jitterBufferMilliseconds),
        ("audioLevelDecibels", \.audioLevelDecibels),
        ("framesPerSecond", \.framesPerSecond),
        ("frozenSeconds", \.frozenSeconds),
        ("meanQuantizer", \.meanQuantizer),
        ("targetKilobitsPerSecond", \.targetKilobitsPerSecond),
        ("cpuLimitedPercent", \.cpuLimitedPercent),
        ("bandwidthLimitedPercent", \.bandwidthLimitedPercent),
    ]

    private static let fixed = [
        "time", "direction", "kind", "connection", "source", "start", "segment", "heldSeconds", "metrics",
    ]
    private static let columns = (fixed + wholes.map(\.name) + reals.map(\.name)).joined(separator: ", ")
    /// In order of time and stream: the texts of direction and kind sort as ``StreamKey`` does.
    private static let select = """
        SELECT \(columns) FROM \(table) WHERE recordId = ? AND time BETWEEN ? AND ?
        ORDER BY time, direction, kind, connection, source
        """

    /// The rows of a record that end in so many ms.
    static func fetchAll(
        _ db: Database, record: Int64, ending times: ClosedRange<Int64> = .min ... .max
    ) throws -> [MediaInterval] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: select), arguments: [record, times.lowerBound, times.upperBound])
        var intervals: [MediaInterval] = []
        while let row = try rows.next() { intervals.append(try interval(row)) }
        return intervals
    }

    private static func interval(_ row: Row) throws -> MediaInterval {
        guard let direction = MediaDirection(rawValue: row[1]), let kind = MediaKind(rawValue: row[2]) else {
            throw CallStoreError.damaged("an interval", reason: "no stream is \(row[1] as String)/\(row[2] as String)")
        }
        let stream = StreamKey(
            connection: ConnectionID(rawValue: StoredText.decode(row[3])), direction: direction, kind: kind,
            source: StoredText.decode(row[4]))
        var interval = MediaInterval(
            stream: stream, start: Timestamp(milliseconds: row[5]), end: Timestamp(milliseconds: row[0]),
            segment: row[6])
        interval.heldSeconds = row[7]
        let metrics: String = row[8]
        interval.metrics = try understanding("the figures of an interval") { try StoredJSON.figures(of: metrics) }
        for (offset, member) in wholes.enumerated() {
            interval[keyPath: member.path] = row[fixed.count + offset]
        }
        for (offset, member) in reals.enumerated() {
            interval[keyPath: member.path] = row[fixed.count + wholes.count + offset]
        }
        return interval
    }
}
