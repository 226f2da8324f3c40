import CallModel

/// One issue that a ``LevelDetector`` found.
struct LevelRecord: Hashable, Archivable {
    let detector: String
    let stream: StreamKey?
    let connection: String
    var start: Timestamp
    var end: Timestamp
    var isOpen = true
    var worst: Double
    /// The same without what a blackout explains.
    var worstUnexplained: Double
    /// Sums over the span.
    var amount = 0.0
    var base = 0.0
    var explained = 0.0
    var context = IssueContext()
}

// MARK: - Archive

extension LevelRecord {
    func write(to archive: inout ArchiveWriter) {
        archive.put(detector, stream, connection, start)
        archive.put(end, isOpen, worst, amount)
        archive.put(base, explained, context, worstUnexplained)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (detector, stream, connection, start) = try archive.get()
        (end, isOpen, worst, amount) = try archive.get()
        (base, explained, context, worstUnexplained) = try archive.get()
    }
}
