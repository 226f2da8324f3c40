import CallModel

/// Pairs events that open and close a span: `iceDisconnected` … `iceConnected`, `ipChangeStarted` … `ipChangeEnded`.
struct SpanTracker: Archivable {
    private(set) var spans: [TimeSpan] = []
    /// Ends without a start.
    private(set) var strayEnds = 0

    /// More than a report can show; a client that flaps faster has its spans counted by the last one.
    private static let mostSpans = 200

    /// Since when a span is open; `nil` when none is.
    var openedAt: Timestamp? { spans.last.flatMap { $0.end == nil ? $0.start : nil } }
    private var isOpen: Bool { openedAt != nil }

    /// A second start inside a span is part of it.
    mutating func open(at time: Timestamp) {
        guard !isOpen, spans.count < Self.mostSpans else { return }
        spans.append(TimeSpan(start: time, end: nil))
    }

    mutating func close(at time: Timestamp) {
        guard isOpen else {
            strayEnds += 1
            return
        }
        spans[spans.count - 1].end = time
    }
}

// MARK: - Archive

extension SpanTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(spans, strayEnds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (spans, strayEnds) = try archive.get()
    }
}
