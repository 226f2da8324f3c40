import CallModel
import CallReport

extension StoredSummary {
    /// A record as a list shows it: the members of ``JSONSummary`` that fit a line, and what lists go by.
    func head(at now: Timestamp, ribbon: PartlyRead<ScoreRibbon>?) -> JSONValue {
        let outline = CallOutline(summary)
        let damage = damage + (ribbon?.damage ?? [])
        var members = JSONSummary(summary, at: now, isDirty: isDirty, damage: damage).value.members ?? [:]
        members = members.filter { Self.headMembers.contains($0.key) }
        members["setupMilliseconds"] = outline.setupMilliseconds.map { .integer($0) } ?? .null
        members["durationMilliseconds"] = .integer(outline.durationMilliseconds)
        members["isRelayed"] = outline.isRelayed.map { .bool($0) } ?? .null
        members["codecs"] = .array(outline.codecs.map { .string($0) })
        members["ribbon"] = .array((ribbon?.value.scores ?? []).map { $0.map { .integer(Int64($0)) } ?? .null })
        return .object(members)
    }

    private static let headMembers: Set<String> = [
        "callId", "observer", "client", "attempt", "state", "isDirty", "damage", "outcome", "endReason", "endCause",
        "ending", "verdict", "start", "endedAt", "lastActivity", "score", "band", "worstScore", "leadingCause",
        "scoredSeconds",
    ]

    /// The most parts of a ribbon: as many as a line has room for.
    static let ribbonParts = 60
}
