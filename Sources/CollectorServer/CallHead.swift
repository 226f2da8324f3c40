import CallModel
import CallReport

extension StoredSummary {
    /// A record as a list shows it: the members of ``JSONSummary`` that fit a line, and what lists go by.
    func head(at now: Timestamp, ribbon: ScoreRibbon?) -> JSONValue {
        let outline = CallOutline(summary)
        var members = JSONSummary(summary, at: now, isDirty: isDirty).value.members ?? [:]
        members = members.filter { Self.headMembers.contains($0.key) }
        members["setupMilliseconds"] = outline.setupMilliseconds.map { .integer($0) } ?? .null
        members["durationMilliseconds"] = .integer(outline.durationMilliseconds)
        members["isRelayed"] = outline.isRelayed.map { .bool($0) } ?? .null
        members["codecs"] = .array(outline.codecs.map { .string($0) })
        members["ribbon"] = .array((ribbon?.scores ?? []).map { $0.map { .integer(Int64($0)) } ?? .null })
        return .object(members)
    }

    private static let headMembers: Set<String> = [
        "callId", "observer", "client", "attempt", "state", "isDirty", "outcome", "endReason", "endCause", "verdict",
        "start",
        "endedAt",
        "lastActivity", "score", "band", "worstScore", "leadingCause", "scoredSeconds",
    ]

    /// The most parts of a ribbon: as many as a line has room for.
    static let ribbonParts = 60
}

extension CallStore {
    /// Records as a list shows them.
    func heads(of calls: [StoredSummary], at now: Timestamp) async throws -> JSONValue {
        let ribbons = try await ribbons(of: calls.map(\.summary.key), parts: StoredSummary.ribbonParts)
        return .array(calls.map { $0.head(at: now, ribbon: ribbons[$0.summary.key]) })
    }
}
