import CallModel

/// Tells which reports of several connections belong together, so that no span is closed with half of what it holds.
///
/// A client asks one connection after the other, milliseconds apart: of a call that sends over one and receives over
/// another, as those of most servers do, the one that sends may come first, and says nothing of what was heard.
struct ReportRound: Archivable {
    /// When each connection reported last.
    private var latest: [String: Timestamp] = [:]
    /// Who has reported in this round, and when it began and the last report came.
    private var members: [String] = []
    private var start: Timestamp?
    private var end: Timestamp?
    /// The longest hold that a report of the round has told of, and the shortest of the connections over which media come.
    private var longestHold = 0.0
    private var shortestHold: Double?

    /// A connection that reports for the first time is of the round if it does so within this time.
    private static let newcomerMilliseconds: Int64 = 1_000
    /// So many of its periods a connection is waited for that has fallen silent.
    private static let patience = 2.5
    /// More connections are not told apart.
    private static let mostConnections = 100

    /// Whether a report of `connection` at `time` is of the next round: it has reported in this one, or this one has
    /// waited for more than half of its period.
    func isOver(before connection: String, at time: Timestamp) -> Bool {
        guard let start else { return false }
        let most = latest[connection].map { time.milliseconds(since: $0) / 2 } ?? Self.newcomerMilliseconds
        return members.contains(connection) || time.milliseconds(since: start) > most
    }

    /// Notes a report.
    /// - Returns: whether all connections that still report have done so.
    mutating func note(_ connection: String, at time: Timestamp) -> Bool {
        let period = latest[connection].map { time.seconds(since: $0) }
        if period != nil || latest.count < Self.mostConnections { latest[connection] = time }
        members.append(connection)
        (start, end) = (start ?? time, time)
        guard let period else { return true }
        return latest.allSatisfy { other, last in
            members.contains(other) || time.seconds(since: last) > Self.patience * period
        }
    }

    /// Takes the seconds of hold that a connection tells of, and whether media come over it.
    mutating func hold(_ seconds: Double, isReceiving: Bool) {
        longestHold = max(longestHold, seconds)
        if isReceiving { shortestHold = min(shortestHold ?? seconds, seconds) }
    }

    /// Seconds for which the call was on hold: the hold of a call is told by each connection, and is one. While media come over
    /// one of them, the call is not on hold.
    var heldSeconds: Double { shortestHold ?? longestHold }

    /// When the last report of the round came; `nil` when there was none.
    var lastReport: Timestamp? { end }

    /// Begins the next round.
    mutating func begin() {
        members.removeAll(keepingCapacity: true)
        (start, end, longestHold, shortestHold) = (nil, nil, 0, nil)
    }
}

// MARK: - Archive

extension ReportRound {
    func write(to archive: inout ArchiveWriter) {
        archive.put(latest, members, start, end)
        archive.put(longestHold, shortestHold)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (latest, members, start, end) = try archive.get()
        (longestHold, shortestHold) = try archive.get()
    }
}
