public import CallModel

/// Facts as text that is imported to the very same facts.
///
/// A line is what a client would post, with what only the collector knows beside it: when it was received, what the
/// normaliser noted, what was contradicted. The member `export` says that it is normal already.
public enum ExportedFact {
    /// One line of JSON Lines, to be ended by a newline.
    /// - Parameters:
    ///   - fact: What is written.
    ///   - call: The call it is about.
    ///   - observer: Who told it.
    ///   - session: A session of the call that a message beside a report named, to be named by this one.
    /// - Returns: the line as JSON text.
    public static func line(of fact: Fact, call: CallID, observer: ObserverID, session: CallID? = nil) -> String {
        var members = message(of: fact, observer: observer, session: session)
        members["callId"] = .string(call.rawValue)
        return JSONValue.object(members).canonicalText
    }

    /// One entry of a `CallStatistics.log`: `[callId, [report, …]]`.
    ///
    /// A report is the dictionary that the sample logger writes, unless there is more to be said of it. Events and what
    /// probes saw stand among the reports as the same dictionaries as on a line; the logger takes any.
    /// - Parameters:
    ///   - facts: Those of the record.
    ///   - call: The call they are about.
    ///   - observer: Who told them.
    ///   - sessions: For the first reports, one each: sessions of the call that messages beside reports named.
    ///   - isMarked: Whether to say that the reports stand where they belong, for those of another call in the log are
    ///     of the same time.
    /// - Returns: the entry as JSON text.
    public static func logEntry(
        of facts: some Sequence<Fact>, call: CallID, observer: ObserverID, sessions: [CallID] = [],
        isMarked: Bool = false
    ) -> String {
        var entries: [JSONValue] = []
        var sessions = sessions[...]
        for fact in facts {
            let session = fact.isReport ? sessions.popFirst() : nil
            if case .report(let report) = fact, isPlain(report, observer: observer), session == nil,
                !(isMarked && entries.isEmpty)
            {
                entries.append(dictionary(of: report))
            } else {
                entries.append(.object(message(of: fact, observer: observer, session: session)))
            }
        }
        return JSONValue.array([.string(call.rawValue), .array(entries)]).canonicalText
    }

    /// Whether members are such a message.
    static func isOne(_ members: JSONObject) -> Bool {
        members["export"] == 1
    }

    /// A fact of a call that stands beside it.
    private static func message(of fact: Fact, observer: ObserverID, session: CallID?) -> JSONObject {
        var members = members(of: fact)
        if let session { members["sessionId"] = .string(session.rawValue) }
        members["export"] = 1
        members["observer"] = .string(observer.rawValue)
        members["time"] = .integer(fact.time.milliseconds)
        members["receivedAt"] = .integer(fact.receivedAt.milliseconds)
        return members
    }

    private static func members(of fact: Fact) -> JSONObject {
        switch fact {
        case .wire(let report):
            var members = report.members
            members["isContradicted"] = report.isContradicted ? true : nil
            return members
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

    /// Sessions of a record that none of its events names: messages with its reports did.
    public static func sessions(of links: RecordLinks, untoldBy facts: [Fact]) -> [CallID] {
        let told = Set(facts.flatMap(\.names).filter { $0.kind == .session }.map(\.text))
        return links.claims.map(\.session.call).filter { !told.contains($0.rawValue) }
    }

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
}
