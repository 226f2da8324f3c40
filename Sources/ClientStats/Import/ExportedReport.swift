import CallModel

/// A report as ``ExportedFact`` writes it: taken as it stands, for it is normal already.
struct ExportedReport {
    let report: StatsReport
    let observer: ObserverID?
    /// The session that the message names beside it.
    let names: [CallName]

    private static let mostNotes = 50
    private static let longestNote = 512

    /// Whether members are such a message.
    static func isOne(_ members: JSONObject) -> Bool {
        ExportedFact.isOne(members) && members["statistics"] != nil
    }

    init(_ members: JSONObject, in context: ParsingContext) throws(Problem) {
        let limits = context.limits
        guard let time = Self.moment("time", in: members) else { throw .missing("time") }
        observer = try Envelope.observer(in: members, limits: limits)
        let session = try identifier("sessionId", in: members, limits: limits)
        names = session.map { [CallName(.session, $0, source: "sessionId")] } ?? []
        let raw = try RawReport(members["statistics"] ?? .null, limits: limits)
        if let problem = raw.problems.first { throw problem }
        var objects: [StatsObject] = []
        for object in raw.objects { objects.append(try Self.object(object.members, in: context)) }
        report = StatsReport(
            stored: objects, conflicts: Self.conflicts(in: members), notes: Self.notes(in: members),
            connection: try Envelope.connection(in: members, limits: limits), time: time,
            receivedAt: Self.moment("receivedAt", in: members) ?? time)
    }

    static func moment(_ name: String, in members: JSONObject) -> Timestamp? {
        members[name].flatMap { EpochTime($0)?.timestamp }
    }

    private static func object(
        _ sent: JSONObject, in context: ParsingContext
    ) throws(Problem) -> StatsObject {
        let limits = context.limits
        guard let id = try identifier("id", in: sent, limits: limits) else { throw .missing("id") }
        guard let type = try identifier("type", in: sent, limits: limits) else { throw .missing("type") }
        var members = sent.filter { !["id", "type", "timestamp"].contains($0.key) && $0.value != .null }
        for (name, value) in members {
            guard let longest = value.longestText, longest > limits.stringBytes else { continue }
            throw .tooLong("`\(name.prefix(64))`", bytes: longest, limit: limits.stringBytes)
        }
        // Whoever made the file, what identifies does not get in.
        Redaction(policy: context.addresses).apply(to: &members)
        return StatsObject(
            id: id, type: StatsType(rawValue: type), timestamp: moment("timestamp", in: sent), members: members)
    }

    private static func conflicts(in members: JSONObject) -> [StatsObject.Key] {
        guard case .array(let pairs) = members["conflicts"] else { return [] }
        return pairs.compactMap { pair in
            guard case .array(let parts) = pair, parts.count == 2, let type = parts[0].text, let id = parts[1].text
            else { return nil }
            return StatsObject.Key(type: StatsType(rawValue: type), id: id)
        }
    }

    private static func notes(in members: JSONObject) -> [String] {
        guard case .array(let notes) = members["notes"] else { return [] }
        return notes.prefix(mostNotes).compactMap(\.text).filter { $0.utf8.count <= longestNote }
    }
}
