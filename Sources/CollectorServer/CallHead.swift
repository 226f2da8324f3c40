import CallModel
import CallReport

extension StoredSummary {
    /// A record as a list shows it: the members of ``JSONSummary`` that fit a line.
    func head(at now: Timestamp) -> JSONValue {
        let members = JSONSummary(summary, at: now, isDirty: isDirty).value.members ?? [:]
        return .object(members.filter { Self.headMembers.contains($0.key) })
    }

    private static let headMembers: Set<String> = [
        "callId", "observer", "attempt", "state", "isDirty", "outcome", "endReason", "endCause", "verdict", "start",
        "endedAt",
        "lastActivity", "score", "band", "worstScore", "leadingCause", "scoredSeconds",
    ]
}
