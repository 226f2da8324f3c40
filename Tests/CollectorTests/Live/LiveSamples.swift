import CallModel
import Foundation

@testable import Collector

extension Timestamp {
    /// So many seconds after an arbitrary moment.
    static func live(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_795_240_000_000 + seconds * 1000)
    }
}

extension CallKey {
    static func live(_ call: String = "c", tenant: TenantID = .default) -> CallKey {
        CallKey(
            identity: CallIdentity(tenant: tenant, call: CallID(rawValue: call)), observer: .client, attempt: 1)
    }
}

extension RecordChange {
    /// A commit of a call that brought a fact `at` seconds, and these scores that clients are told.
    static func live(
        _ key: CallKey = .live(), at seconds: Int64, scores: [Int] = [], issues: [CallIssue] = [], ended: Bool = false,
        isAnew: Bool = false
    ) -> RecordChange {
        var summary = CallSummary(
            key: key, rulesVersion: 1, start: .live(0), lastActivity: .live(seconds), lastReceivedAt: .live(seconds))
        summary.issues = CallIssues(issues)
        summary.endedAt = ended ? .live(seconds) : nil
        let rows = scores.map {
            ScoreInterval(series: .live, start: .live(seconds - 5), end: .live(seconds), score: $0, isEmitted: true)
        }
        let event = CallEvent(
            time: .live(seconds), receivedAt: .live(seconds), action: "callState", type: "x", members: [:])
        return RecordChange(
            key: key, facts: isAnew ? [] : [.event(event)], derived: isAnew ? .replace([], rows) : .append([], rows),
            session: [], summary: summary, isDirty: false)
    }
}

extension CallIssue {
    static func live(_ kind: IssueKind, _ severity: IssueSeverity = .warning, isOpen: Bool) -> CallIssue {
        CallIssue(kind: kind, severity: severity, span: TimeSpan(start: .live(0), end: .live(1)), isOpen: isOpen)
    }
}

extension LiveHub {
    func note(_ changes: [RecordChange], new: Set<CallKey> = []) {
        note(changes, new: new, now: changes.first?.summary.lastReceivedAt ?? .live(0))
    }
}
