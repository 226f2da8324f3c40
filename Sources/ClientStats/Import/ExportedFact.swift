public import CallModel

/// Facts as text that is imported to the very same facts.
///
/// A line is what a client would post, with what only the collector knows beside it: when it was received, what the
/// normaliser noted, what was contradicted. The member `export` says that it is normal already.
public enum ExportedFact {
    /// One line of JSON Lines, to be ended by a newline.
    public static func line(of fact: Fact, call: CallID, observer: ObserverID) -> String {
        var members = members(of: fact)
        members["export"] = 1
        members["callId"] = .string(call.rawValue)
        members["observer"] = .string(observer.rawValue)
        members["time"] = .integer(fact.time.milliseconds)
        members["receivedAt"] = .integer(fact.receivedAt.milliseconds)
        return JSONValue.object(members).canonicalText
    }

    /// One entry of a `CallStatistics.log`: `[callId, [report, …]]`, events left out.
    ///
    /// A report is the dictionary that the sample logger writes, unless there is more to be said of it.
    /// - Parameters:
    ///   - facts: Those of the record.
    ///   - call: The call they are about.
    ///   - observer: Who told them.
    ///   - isMarked: Whether to say that the reports stand where they belong, for those of another call in the log are
    ///     of the same time.
    /// - Returns: the entry as JSON text.
    public static func logEntry(
        of facts: some Sequence<Fact>, call: CallID, observer: ObserverID, isMarked: Bool = false
    ) -> String {
        var reports: [JSONValue] = []
        for fact in facts {
            guard case .report(let report) = fact else { continue }
            let isPlain = isPlain(report, observer: observer) && !(isMarked && reports.isEmpty)
            reports.append(isPlain ? dictionary(of: report) : envelope(of: report, observer: observer))
        }
        return JSONValue.array([.string(call.rawValue), .array(reports)]).canonicalText
    }

    private static func members(of fact: Fact) -> JSONObject {
        switch fact {
        case .wire(let report): return report.members
        case .report(let report): return said(of: report)
        case .event(let event):
            var members = event.members
            members["action"] = .string(event.action)
            members["type"] = .string(event.type)
            members["seq"] = event.sequence.map { .integer($0) }
            members["isContradicted"] = event.isContradicted ? true : nil
            return members
        }
    }

    // MARK: Reports

    /// What is said of a report beside whose it is and when it was taken.
    private static func said(of report: StatsReport) -> JSONObject {
        var members: JSONObject = ["statistics": .array(report.objects.map(object))]
        if report.connection != .only { members["peerConnectionId"] = .string(report.connection.rawValue) }
        if !report.notes.isEmpty { members["notes"] = .array(report.notes.map { .string($0) }) }
        let conflicts = report.conflicts.map { JSONValue.array([.string($0.type.rawValue), .string($0.id)]) }
        if !conflicts.isEmpty { members["conflicts"] = .array(conflicts) }
        return members
    }

    private static func object(_ object: StatsObject) -> JSONValue {
        var members = object.members
        members["id"] = .string(object.id)
        members["type"] = .string(object.type.rawValue)
        members["timestamp"] = object.timestamp.map { .integer($0.milliseconds) }
        return .object(members)
    }

    /// Whether the dictionary alone is imported to the same report.
    private static func isPlain(_ report: StatsReport, observer: ObserverID) -> Bool {
        let youngest = report.objects.lazy.filter { !$0.type.isRemoteRTP }.compactMap(\.timestamp).max()
        return report.connection == .only && observer == .client && report.notes.isEmpty && report.conflicts.isEmpty
            && report.receivedAt == report.time && youngest == report.time
            && Set(report.objects.map(\.id)).count == report.objects.count
    }

    private static func dictionary(of report: StatsReport) -> JSONValue {
        .object(JSONObject(report.objects.map { ($0.id, object($0)) }) { first, _ in first })
    }

    private static func envelope(of report: StatsReport, observer: ObserverID) -> JSONValue {
        var members = said(of: report)
        members["export"] = 1
        members["observer"] = .string(observer.rawValue)
        members["time"] = .integer(report.time.milliseconds)
        members["receivedAt"] = .integer(report.receivedAt.milliseconds)
        return .object(members)
    }
}
