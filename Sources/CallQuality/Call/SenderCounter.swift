import CallModel

/// Holds what the sender of an inbound stream counts against what is counted here.
struct SenderCounter: Archivable {
    fileprivate struct Mark: Archivable {
        var time: Timestamp
        var sent: Double
        var expected: Double
    }

    private var first: Mark?
    private var last: Mark?

    /// Takes the next report; counters that run backwards begin anew.
    mutating func take(_ sample: StreamSample) {
        guard let sent = sample.farEnd?.packetsSent, let received = sample.counters.packets else { return }
        let mark = Mark(time: sample.time, sent: sent, expected: received + (sample.counters.packetsLost ?? 0))
        if let last, sent < last.sent || mark.expected < last.expected { first = nil }
        first = first ?? mark
        last = mark
    }

    /// `nil` before the second report that has both.
    var current: SenderCount? {
        guard let first, let last, last.time > first.time else { return nil }
        return SenderCount(
            packetsSent: (last.sent - first.sent).wholeNumber,
            packetsExpected: (last.expected - first.expected).wholeNumber,
            seconds: last.time.seconds(since: first.time))
    }
}

// MARK: - Archive

extension SenderCounter.Mark {
    func write(to archive: inout ArchiveWriter) {
        archive.put(time, sent, expected)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (time, sent, expected) = try archive.get()
    }
}

extension SenderCounter {
    func write(to archive: inout ArchiveWriter) {
        archive.put(first, last)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (first, last) = try archive.get()
    }
}
