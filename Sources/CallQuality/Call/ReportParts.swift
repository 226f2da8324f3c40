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

    /// What comes closer together is of one report.
    static let milliseconds: Int64 = 200

    /// Takes a report, if it may be a part.
    /// - Parameters:
    ///   - report: the next, in order of time.
    ///   - isPart: whether it tells of other streams than the last that was read, and came a moment after it.
    /// - Returns: whether it waits.
    mutating func take(_ report: StatsReport, isPart: Bool) -> Bool {
        let name = report.connection.rawValue
        if let waiting = reports[name] {
            reports[name] = Self.united(waiting, report)
            return true
        }
        if isPart { connections.insert(name) }
        guard connections.contains(name) else { return false }
        reports[name] = report
        return true
    }

    /// Lets go of the reports that are whole at `time`, in order of time.
    mutating func takeWhole(at time: Timestamp) -> [StatsReport] {
        guard !reports.isEmpty else { return [] }
        let whole = waiting.filter { time.milliseconds(since: $0.time) >= Self.milliseconds }
        for report in whole { reports[report.connection.rawValue] = nil }
        return whole
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

// MARK: - Archive

extension ReportParts {
    func write(to archive: inout ArchiveWriter) {
        archive.put(connections, reports)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (connections, reports) = try archive.get()
    }
}
