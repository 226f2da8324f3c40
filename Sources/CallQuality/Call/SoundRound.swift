import CallModel

/// Puts together what the connections of a call tell of its sound: of many calls one sends and another receives.
struct SoundRound: Archivable {
    private var told = OneWayDetector.Span()
    private var time: Timestamp?

    /// Takes what a report of a connection tells, in order of time.
    /// - Returns: what all connections have told, and when, for each round of reports that is over.
    mutating func take(
        _ span: OneWayDetector.Span, _ turn: ReportRound.Turn, at now: Timestamp
    ) -> [(span: OneWayDetector.Span, time: Timestamp)] {
        let before = turn.endsRoundBefore ? finish() : []
        told.add(span)
        time = now
        return before + (turn.endsRound ? finish() : [])
    }

    private mutating func finish() -> [(span: OneWayDetector.Span, time: Timestamp)] {
        defer { (told, time) = (OneWayDetector.Span(), nil) }
        return time.map { [(told, $0)] } ?? []
    }
}

// MARK: - Archive

extension SoundRound {
    func write(to archive: inout ArchiveWriter) {
        archive.put(told, time)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (told, time) = try archive.get()
    }
}
