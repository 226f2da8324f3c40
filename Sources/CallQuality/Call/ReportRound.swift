import CallModel

/// Tells which reports of several connections belong together, so that no span is closed with half of what it holds.
///
/// A client asks one connection after the other, milliseconds apart: of a call that sends over one and receives over
/// another, as those of most servers do, the one that sends may come first, and says nothing of what was heard.
struct ReportRound: Archivable {
    /// When each connection reported last.
    private var latest: [String: Timestamp] = [:]
    /// Who has reported in this round, and when it began.
    private var members: [String] = []
    private var start: Timestamp?

    /// Where a report stands in its round.
    struct Turn {
        /// Whether the round of the report before was still open, and is over.
        var endsRoundBefore: Bool
        /// Whether all connections that still report have done so with this one.
        var endsRound: Bool
    }

    /// A connection that reports for the first time is of the round if it does so within this time.
    private static let newcomerMilliseconds: Int64 = 1_000
    /// So many of its periods a connection is waited for that has fallen silent.
    private static let patience = 2.5
    /// More connections are not told apart.
    private static let mostConnections = 100

    /// Takes the next report of a connection, in order of time, or the rest of it.
    mutating func take(_ connection: String, at time: Timestamp, isRest: Bool = false) -> Turn {
        let endsRoundBefore = !isRest && isOver(before: connection, at: time)
        if endsRoundBefore { begin() }
        let endsRound = note(connection, at: time)
        if endsRound { begin() }
        return Turn(endsRoundBefore: endsRoundBefore, endsRound: endsRound)
    }

    /// Whether a report of `connection` at `time` is of the next round: it has reported in this one, or this one has
    /// waited for more than half of its period.
    private func isOver(before connection: String, at time: Timestamp) -> Bool {
        guard let start else { return false }
        let most = latest[connection].map { time.milliseconds(since: $0) / 2 } ?? Self.newcomerMilliseconds
        return members.contains(connection) || time.milliseconds(since: start) > most
    }

    /// Notes a report.
    /// - Returns: whether all connections that still report have done so.
    private mutating func note(_ connection: String, at time: Timestamp) -> Bool {
        let period = latest[connection].map { time.seconds(since: $0) }
        if period != nil || latest.count < Self.mostConnections { latest[connection] = time }
        members.append(connection)
        start = start ?? time
        guard let period else { return true }
        return latest.allSatisfy { other, last in
            members.contains(other) || time.seconds(since: last) > Self.patience * period
        }
    }

    private mutating func begin() {
        members.removeAll(keepingCapacity: true)
        start = nil
    }
}

/// For how long the call was on hold in a round of reports: each connection tells of the hold of the call, and it is one.
struct RoundHold: Archivable {
    /// The longest that a report has told of, and the shortest of the connections over which media come.
    private var longest = 0.0
    private var shortest: Double?

    /// Takes the seconds of hold that a connection tells of, and whether media come over it.
    mutating func take(_ seconds: Double, isReceiving: Bool) {
        longest = max(longest, seconds)
        if isReceiving { shortest = min(shortest ?? seconds, seconds) }
    }

    /// While media come over one of the connections, the call is not on hold.
    var seconds: Double { shortest ?? longest }
}

// MARK: - Archive

extension ReportRound {
    func write(to archive: inout ArchiveWriter) {
        archive.put(latest, members, start)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (latest, members, start) = try archive.get()
    }
}

extension RoundHold {
    func write(to archive: inout ArchiveWriter) {
        archive.put(longest, shortest)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (longest, shortest) = try archive.get()
    }
}
