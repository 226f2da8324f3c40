import CallModel

/// What was told of the issues of one call, by kind.
struct IssueWatch {
    private struct Told {
        var kind: IssueKind
        /// How many there were of the kind.
        var count: Int
        /// The worst of those that go on; `nil` when none does.
        var open: IssueSeverity?
    }

    /// A handful at most.
    private var told: [Told] = []

    /// Takes in the issues as they stand now, without telling of them.
    mutating func learn(_ issues: [CallIssue]) {
        _ = changes(to: issues)
    }

    /// What is to be told now that the issues stand like this.
    mutating func changes(to issues: [CallIssue]) -> [LiveEvent.Kind] {
        guard !issues.isEmpty || !told.isEmpty else { return [] }
        var now = Self.byKind(issues)
        var changes: [LiveEvent.Kind] = []
        for (index, issue) in now.enumerated() {
            let before = told.first { $0.kind == issue.kind }
            changes += Self.changes(from: before, to: issue, worst: Self.worst(of: issue.kind, in: issues))
            // What was told of it stays told while it goes on.
            if let open = issue.open, let earlier = before?.open { now[index].open = max(open, earlier) }
        }
        for gone in told where !now.contains(where: { $0.kind == gone.kind }) {
            if let severity = gone.open { changes.append(.issueCleared(gone.kind, severity)) }
        }
        told = now
        return changes
    }

    private static func changes(from before: Told?, to now: Told, worst: IssueSeverity) -> [LiveEvent.Kind] {
        switch (before?.open, now.open) {
        case (nil, let severity?): [.issueRaised(now.kind, severity)]
        case (let earlier?, let severity?): severity > earlier ? [.issueRaised(now.kind, severity)] : []
        case (let earlier?, nil): [.issueCleared(now.kind, earlier)]
        // Over before it was told: what happens in a moment, or between two reports.
        case (nil, nil):
            now.count > (before?.count ?? 0) ? [.issueRaised(now.kind, worst), .issueCleared(now.kind, worst)] : []
        }
    }

    private static func byKind(_ issues: [CallIssue]) -> [Told] {
        var found: [Told] = []
        for issue in issues {
            let open = issue.isOpen ? issue.severity : nil
            if let index = found.firstIndex(where: { $0.kind == issue.kind }) {
                found[index].count += 1
                found[index].open = [found[index].open, open].compactMap(\.self).max()
            } else {
                found.append(Told(kind: issue.kind, count: 1, open: open))
            }
        }
        return found
    }

    private static func worst(of kind: IssueKind, in issues: [CallIssue]) -> IssueSeverity {
        issues.filter { $0.kind == kind }.map(\.severity).max() ?? .notice
    }
}
