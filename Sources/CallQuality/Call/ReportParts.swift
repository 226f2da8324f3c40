import CallModel

/// Puts together the reports of a client that asks each sender and receiver for its own (`RTCRtpReceiver.getStats()`), or each of
/// several connections that it does not name: what comes within a moment is one report in parts.
///
/// A part tells nothing of the streams of the others, and nobody knows which is the last. So what comes over such a connection
/// waits until the moment is over: the next fact after it says so.
struct ReportParts: Archivable {
    /// Connections whose reports have ever come in parts.
    private var connections: Set<String> = []
    /// What has come of the reports that wait, each with the time of its first part.
    private var reports: [String: StatsReport] = [:]
    /// When the latest part of each came.
    private var latest: [String: Timestamp] = [:]

    /// What comes closer together is of one report.
    static let milliseconds: Int64 = 200
    /// No report takes longer from its first part to its last.
    private static let mostMilliseconds: Int64 = 5_000

    /// Takes a report, if it may be a part.
    /// - Parameters:
    ///   - report: the next, in order of time.
    ///   - isPart: whether it tells of other streams than the last that was read, and came a moment after it.
    /// - Returns: whether it waits.
    mutating func take(_ report: StatsReport, isPart: Bool) -> Bool {
        let name = report.connection.rawValue
        defer { if reports[name] != nil { latest[name] = report.time } }
        if let waiting = reports[name] {
            reports[name] = Self.united(waiting, report)
            return true
        }
        if isPart { connections.insert(name) }
        guard connections.contains(name) else { return false }
        reports[name] = report
        return true
    }

    /// Lets go of the reports that are whole before `fact`, in order of time: no part has come for a moment, or `fact` is no
    /// further part.
    mutating func takeWhole(before fact: Fact) -> [StatsReport] {
        guard !reports.isEmpty else { return [] }
        let whole = waiting.filter { isWhole($0, before: fact) }
        for report in whole {
            reports[report.connection.rawValue] = nil
            latest[report.connection.rawValue] = nil
        }
        return whole
    }

    private func isWhole(_ waiting: StatsReport, before fact: Fact) -> Bool {
        let length = fact.time.milliseconds(since: waiting.time)
        guard length >= Self.milliseconds else { return false }
        let last = latest[waiting.connection.rawValue] ?? waiting.time
        if length > Self.mostMilliseconds || fact.time.milliseconds(since: last) >= Self.milliseconds { return true }
        guard case .report(let report) = fact, report.connection == waiting.connection else { return false }
        return !waiting.streams.isDisjoint(with: report.streams)
    }

    /// The reports that wait, in order of time.
    var waiting: [StatsReport] {
        reports.values.sorted { ($0.time, $0.connection.rawValue) < ($1.time, $1.connection.rawValue) }
    }

    /// All objects of two parts; what both have, such as the transport, as the later one tells it.
    private static func united(_ first: StatsReport, _ second: StatsReport) -> StatsReport {
        let later = Set(second.objects.map(\.key))
        return StatsReport(
            connection: first.connection, time: first.time, receivedAt: first.receivedAt,
            objects: first.objects.filter { !later.contains($0.key) } + second.objects)
    }
}

extension StatsReport {
    /// The streams of media that it tells of.
    fileprivate var streams: Set<StatsObject.Key> {
        Set(objects.lazy.filter { $0.type == .inboundRTP || $0.type == .outboundRTP }.map(\.key))
    }
}

// MARK: - Archive

extension ReportParts {
    func write(to archive: inout ArchiveWriter) {
        archive.put(connections, reports, latest)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (connections, reports, latest) = try archive.get()
    }
}
