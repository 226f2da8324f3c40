import CallModel

/// Joins the spans in which media were on hold.
struct HoldTracker: Archivable {
    private(set) var holds: [MediaHold] = []
    private var isOpen = false

    private static let mostHolds = 100
    private static let wholeShare = 0.95

    /// Takes the next span of the inbound audio of a connection.
    ///
    /// A hold that fills only a part of a span lies at its end when it begins there, at its start when it ends there.
    mutating func take(_ delta: StreamDelta) {
        let held = delta.heldSeconds
        // One that was open and does not fill the span has ended in it.
        let hasEnded = isOpen && held < Self.wholeShare * delta.seconds
        defer { isOpen = held > 0 && !hasEnded }
        guard held > 0 else { return }
        if isOpen, let last = holds.indices.last {
            holds[last].seconds += held
            holds[last].span.end = delta.start.advanced(byMilliseconds: held.wholeMilliseconds)
        } else if holds.count < Self.mostHolds {
            let start = delta.end.advanced(byMilliseconds: -held.wholeMilliseconds)
            holds.append(MediaHold(span: TimeSpan(start: max(delta.start, start), end: delta.end), seconds: held))
        }
    }
}

// MARK: - Archive

extension HoldTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(holds, isOpen)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (holds, isOpen) = try archive.get()
    }
}
