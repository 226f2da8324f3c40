import CallModel

/// Pairs events that open and close a span: `iceDisconnected` … `iceConnected`, `ipChangeStarted` … `ipChangeEnded`.
struct SpanTracker: Archivable {
    private(set) var spans: [TimeSpan] = []
    /// Ends without a start.
    private(set) var strayEnds = 0

    /// Spans that gave way to later ones.
    private(set) var leftOut = 0

    /// Since when a span is open; `nil` when none is.
    var openedAt: Timestamp? { spans.last.flatMap { $0.end == nil ? $0.start : nil } }
    private var isOpen: Bool { openedAt != nil }

    /// When the last span began that was open at a time or later; `nil` when none was.
    func openedAt(since time: Timestamp) -> Timestamp? {
        spans.last.flatMap { $0.end ?? time >= time ? $0.start : nil }
    }

    /// A second start inside a span is part of it.
    mutating func open(at time: Timestamp) {
        guard !isOpen else { return }
        if spans.count >= TimeSpan.mostKept { makeRoom() }
        spans.append(TimeSpan(start: time, end: nil))
    }

    /// Forgets a span that is open and began at a time or later.
    mutating func dropOpen(since time: Timestamp) {
        if let openedAt, openedAt >= time { spans.removeLast() }
    }

    /// The shortest goes; of those that are equally long, the first.
    private mutating func makeRoom() {
        let lengths = spans.map { $0.milliseconds ?? .max }
        guard let place = lengths.indices.min(by: { lengths[$0] < lengths[$1] }) else { return }
        spans.remove(at: place)
        leftOut += 1
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
        archive.put(spans, strayEnds, leftOut)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (spans, strayEnds, leftOut) = try archive.get()
    }
}
