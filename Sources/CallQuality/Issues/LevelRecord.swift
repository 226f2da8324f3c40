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
    /// The same without what a blackout explains; `nil` where it explains nothing.
    var worstUnexplained: Double?
    /// Sums over the span.
    var amount = 0.0
    var base = 0.0
    var explained = 0.0
    var context = IssueContext()

    private var severity: IssueSeverity { IssueDetectors.byID[detector]?.severity(of: worst) ?? .notice }

    /// The order in which records are kept: most severe first, then the longest; the rest only makes the order definite.
    static func isWeightier(_ left: LevelRecord, _ right: LevelRecord) -> Bool {
        if left.severity != right.severity { return left.severity > right.severity }
        let lengths = (left.end.milliseconds(since: left.start), right.end.milliseconds(since: right.start))
        if lengths.0 != lengths.1 { return lengths.0 > lengths.1 }
        if left.start != right.start { return left.start < right.start }
        if left.stream != right.stream { return zip(left.stream, right.stream).map { $0 < $1 } ?? (left.stream == nil) }
        return (left.detector, left.connection) < (right.detector, right.connection)
    }
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
