import CallModel

/// Puts together what the connections of a call tell of its sound: of many calls one sends and another receives.
struct SoundRound: Archivable {
    private var round = ReportRound()
    private var told = OneWayDetector.Span()
    private var time: Timestamp?

    /// Takes what a report of a connection tells, in order of time.
    /// - Returns: what all connections have told, and when, for each round of reports that is over.
    mutating func take(
        _ span: OneWayDetector.Span, of connection: String, at now: Timestamp
    ) -> [(span: OneWayDetector.Span, time: Timestamp)] {
        let before = round.isOver(before: connection, at: now) ? finish() : []
        told.add(span)
        time = now
        return before + (round.note(connection, at: now) ? finish() : [])
    }

    private mutating func finish() -> [(span: OneWayDetector.Span, time: Timestamp)] {
        defer { (told, time) = (OneWayDetector.Span(), nil) }
        round.begin()
        return time.map { [(told, $0)] } ?? []
    }
}

// MARK: - Archive

extension SoundRound {
    func write(to archive: inout ArchiveWriter) {
        archive.put(round, told, time)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (round, told, time) = try archive.get()
    }
}
