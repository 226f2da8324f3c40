import CallModel

/// One detector at work on one stream: the window it looks at, and the issue it has found last.
///
/// It is there only while there is something to look at: it begins with the first reading that would not clear an issue
/// and ends when the last one, and the cool-down after an issue, are over.
struct LevelWatch: Archivable {
    let detector: String
    let stream: StreamKey?
    let connection: String
    private var entries: [Entry] = []
    private(set) var record: LevelRecord?
    private var isRaised = false

    fileprivate struct Entry: Archivable {
        var start: Timestamp
        var end: Timestamp
        var seconds: Double
        var amount: Double
        var base: Double
        var explained: Double
        var leadSeconds: Double
        /// Seconds of it, and of reports after it that told nothing, in which nothing was to be expected.
        var excusedSeconds: Double
        var context: IssueContext

        var reading: IssueReading { IssueReading(amount: amount, base: base, explained: explained) }
    }

    /// Reports closer than this are looked at together.
    private static let leastEntrySeconds = 0.8
    /// A report may be a little longer than its period.
    private static let slackMilliseconds: Int64 = 500
    /// The window is of time that is measured: a sender who is silent between his words is heard of for as long as any other.
    /// What lies on both sides of more excused time than this has nothing to do with each other.
    private static let mostExcusedSeconds = 60.0

    init(detector: LevelDetector, stream: StreamKey?, connection: String) {
        self.detector = detector.id
        self.stream = stream
        self.connection = connection
    }

    /// Takes the next reading of the stream.
    /// - Returns: an issue that is over and done with, for a new one has begun.
    mutating func take(
        _ reading: IssueReading, from start: Timestamp, to end: Timestamp, seconds: Double, excusedSeconds: Double,
        _ context: IssueContext, by detector: LevelDetector
    ) -> LevelRecord? {
        let entry = Entry(
            start: start, end: end, seconds: reading.seconds ?? seconds, amount: reading.amount,
            base: reading.base, explained: reading.explained, leadSeconds: reading.leadSeconds,
            excusedSeconds: excusedSeconds, context: context)
        append(entry, by: detector)
        if isRaised {
            extend(by: entry, isNew: true, detector)
            return nil
        }
        guard let value = raisingValue(detector) else { return nil }
        return raise(value, at: end, detector)
    }

    /// Passes over a report that told nothing.
    mutating func pass(excusedSeconds: Double) {
        guard let last = entries.indices.last else { return }
        entries[last].excusedSeconds += excusedSeconds
    }

    /// Whether nothing is left that could raise, extend or reopen an issue.
    func isIdle(at time: Timestamp, _ detector: LevelDetector) -> Bool {
        guard !isRaised, !entries.contains(where: { isBad($0, detector) }) else { return false }
        return record.map { time.seconds(since: $0.end) > detector.coolDownSeconds } ?? true
    }
}

// MARK: - Window

extension LevelWatch {
    private mutating func append(_ entry: Entry, by detector: LevelDetector) {
        let wasFull = measuredSeconds >= detector.evidenceSeconds
        // An entry ends with its last packet, a little before its report.
        if let last = entries.last, last.seconds < Self.leastEntrySeconds,
            last.end.advanced(byMilliseconds: Self.slackMilliseconds) >= entry.start
        {
            entries[entries.count - 1] = Self.joined(last, entry, detector)
        } else {
            entries.append(entry)
        }
        let excused = min(Self.mostExcusedSeconds, entries.reduce(0) { $0 + $1.excusedSeconds })
        let begin = entry.end.advanced(
            byMilliseconds: -(detector.windowSeconds + excused).wholeMilliseconds - Self.slackMilliseconds)
        // Reports may be so far apart that those which begin in the window are no evidence: then one that reaches into it is;
        // and so is one that was in no full window yet.
        while let first = entries.first, first.start < begin, first.end < entry.end,
            first.end <= begin || wasFull && measuredSeconds - first.seconds >= detector.evidenceSeconds
        {
            entries.removeFirst()
        }
        // Reports of the same moment of a hostile client.
        if entries.count > Self.mostEntries { entries.removeFirst(entries.count - Self.mostEntries) }
    }

    /// Entries that are not joined are longer than ``slackMilliseconds``, and what is measured in a window is 30 s at most.
    private static let mostEntries = 64

    private static func joined(_ left: Entry, _ right: Entry, _ detector: LevelDetector) -> Entry {
        var result = left
        result.end = right.end
        result.seconds += right.seconds
        result.base += right.base
        result.explained += right.explained
        result.leadSeconds = max(left.leadSeconds, right.leadSeconds - left.seconds)
        result.excusedSeconds += right.excusedSeconds
        result.context += right.context
        switch detector.form {
        case .level: result.amount = max(left.amount, right.amount)
        case .share: result.amount += right.amount
        }
        return result
    }

    private func isBad(_ entry: Entry, _ detector: LevelDetector) -> Bool {
        detector.value(entry.reading).map { $0 >= detector.clear } ?? false
    }

    /// The value of the window as a whole, `isUnexplained` without what a blackout explains.
    private func share(scale: Double, isUnexplained: Bool = false) -> Double? {
        let amount = entries.reduce(0) { $0 + $1.amount - (isUnexplained ? $1.explained : 0) }
        let base = entries.reduce(0) { $0 + $1.base }
        return base > 0 ? scale * max(0, amount) / base : nil
    }

    private var measuredSeconds: Double { entries.reduce(0) { $0 + $1.seconds } }

    private var lossPercent: Double {
        var all = IssueContext()
        for entry in entries { all += entry.context }
        return all.lossPercent ?? 0
    }

    /// The value that raises an issue; `nil` when there is none to raise.
    private func raisingValue(_ detector: LevelDetector) -> Double? {
        guard detector.leastLossPercent == 0 || lossPercent >= detector.leastLossPercent else { return nil }
        switch detector.form {
        case .share(let scale):
            guard entries.reduce(0, { $0 + $1.amount }) >= detector.leastAmount,
                measuredSeconds >= detector.evidenceSeconds, let value = share(scale: scale)
            else { return nil }
            return value >= detector.raise ? value : nil
        case .level:
            guard let held = levelHeld(for: detector.evidenceSeconds) else { return nil }
            return held >= detector.raise ? held : nil
        }
    }

    /// A value that raises an issue, without what a blackout explains; `nil` where that is nothing.
    private func unexplained(_ value: Double, _ detector: LevelDetector) -> Double? {
        guard case .share(let scale) = detector.form, entries.contains(where: { $0.explained > 0 }) else { return nil }
        return share(scale: scale, isUnexplained: true)
    }

    private func raiseWorst(of record: inout LevelRecord, to value: Double, _ detector: LevelDetector) {
        let rest = unexplained(value, detector)
        if rest != nil || record.worstUnexplained != nil {
            record.worstUnexplained = max(record.worstUnexplained ?? record.worst, rest ?? value)
        }
        record.worst = max(record.worst, value)
    }

    /// The highest level that was reached for so many seconds of the window.
    private func levelHeld(for least: Double) -> Double? {
        var seconds = 0.0
        for entry in entries.sorted(by: { $0.amount > $1.amount }) {
            seconds += entry.seconds
            if seconds >= least { return entry.amount }
        }
        return nil
    }

    private func isCleared(_ detector: LevelDetector) -> Bool {
        switch detector.form {
        case .share(let scale): (share(scale: scale) ?? 0) < detector.clear
        case .level: (levelHeld(for: detector.evidenceSeconds) ?? -.infinity) < detector.clear
        }
    }
}

// MARK: - Issue

extension LevelWatch {
    private mutating func raise(_ value: Double, at time: Timestamp, _ detector: LevelDetector) -> LevelRecord? {
        let bad = entries.filter { isBad($0, detector) }
        guard let first = bad.first, let last = bad.last else { return nil }
        isRaised = true
        if var again = record, first.start.seconds(since: again.end) <= detector.coolDownSeconds {
            again.isOpen = true
            raiseWorst(of: &again, to: value, detector)
            record = again
            for entry in entries where entry.start >= again.end { extend(by: entry, isNew: false, detector) }
            return nil
        }
        let over = record
        let start = first.start.advanced(byMilliseconds: -first.leadSeconds.wholeMilliseconds)
        record = LevelRecord(
            detector: self.detector, stream: stream, connection: connection, start: start, end: last.end, worst: value,
            worstUnexplained: unexplained(value, detector))
        for entry in entries where entry.start >= first.start { extend(by: entry, isNew: false, detector) }
        return over
    }

    private mutating func extend(by entry: Entry, isNew: Bool, _ detector: LevelDetector) {
        guard var open = record else { return }
        open.amount += entry.amount
        open.base += entry.base
        open.explained += entry.explained
        open.context += entry.context
        if isBad(entry, detector) { open.end = max(open.end, entry.end) }
        if isNew, let value = raisingValue(detector) { raiseWorst(of: &open, to: value, detector) }
        if isNew, isCleared(detector) {
            open.isOpen = false
            isRaised = false
        }
        record = open
    }
}

// MARK: - Archive

extension LevelWatch {
    func write(to archive: inout ArchiveWriter) {
        archive.put(detector, stream, connection, entries)
        archive.put(record, isRaised)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (detector, stream, connection, entries) = try archive.get()
        (record, isRaised) = try archive.get()
    }
}

extension LevelWatch.Entry {
    func write(to archive: inout ArchiveWriter) {
        archive.put(start, end, seconds == context.seconds ? nil : seconds, amount)
        archive.put(base, explained, leadSeconds, context)
        archive.put(excusedSeconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let own: Double?
        (start, end, own, amount) = try archive.get()
        (base, explained, leadSeconds, context) = try archive.get()
        seconds = own ?? context.seconds
        excusedSeconds = try archive.get()
    }
}
