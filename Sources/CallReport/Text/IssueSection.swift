import CallModel

/// What went wrong, a sentence for each kind: how bad, when, from what it is concluded, and what it likely comes from.
struct IssueSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let groups = self.groups
        guard !groups.isEmpty else {
            return context.summary.scoredSeconds > 0 ? [Line("Issues", .heading) + Line(": \(nothing)")] : []
        }
        let more = groups.count - Self.most + context.summary.issues.leftOut
        return [Line("Issues", .heading)]
            + groups.prefix(Self.most).flatMap { Wrap.lines(sentence($0), columns: context.columns, hanging: 4) }
            + (more > 0 ? [Line("  … \(more) more")] : [])
    }

    /// Of a call that is shorter than the evidence that most detectors need (k of docs/issues.md), little can be found.
    private var nothing: String {
        let seconds = context.summary.scoredSeconds
        guard seconds < Self.leastEvidenceSeconds else { return "none found" }
        return "none found, but \(Words.duration(seconds: seconds)) of media are too short for most detectors"
    }

    private static let leastEvidenceSeconds = 9.0
    private static let most = 12
    private static let mostEvidence = 4

    /// Issues of one kind and cause, the worst first.
    private var groups: [[CallIssue]] {
        var groups: [[CallIssue]] = []
        for issue in context.summary.issues.all {
            let place = groups.firstIndex { $0[0].words == issue.words && $0[0].cause == issue.cause }
            if let place { groups[place].append(issue) } else { groups.append([issue]) }
        }
        return groups.map { $0.sorted(by: isWorse) }
    }

    private func isWorse(_ left: CallIssue, _ right: CallIssue) -> Bool {
        (left.worst?.value ?? 0) > (right.worst?.value ?? 0)
    }

    private func sentence(_ group: [CallIssue]) -> String {
        let worst = group[0]
        let severity = group.map(\.severity).max() ?? worst.severity
        var text = "\(severity.sign) \(worst.words)"
        if let streams = streams(of: group) { text += " (\(streams))" }
        let value = worst.worst.map { measure in
            // A share is that of the worst seconds; the evidence is of the whole span.
            let isShare = measure.unit == .percent && measure.value < 99.95
            let words = [isShare ? "up to" : "", measure.words, worst.kind.worstWords]
            return words.filter { !$0.isEmpty }.joined(separator: " ")
        }
        text += ": " + [value, when(group)].compactMap { $0 }.joined(separator: ", ")
        // What is one value has been told with it.
        let told = [.jitter, .delay].contains(worst.kind) ? [] : worst.evidence
        let evidence = told.prefix(Self.mostEvidence).map(\.words).joined(separator: ", ")
        if !evidence.isEmpty { text += " (\(evidence))" }
        if let cause = worst.cause { text += "; likely \(cause.words)" }
        return text
    }

    /// `audio in, video out`; the worst first.
    private func streams(of group: [CallIssue]) -> String? {
        let names = group.compactMap(\.stream).map { "\($0.kind.rawValue) \($0.direction == .inbound ? "in" : "out")" }
        let unique = names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element)
        return unique.isEmpty ? nil : unique.joined(separator: ", ")
    }

    /// From the beginning of the first to the end of the last, and how many of them there were.
    private func when(_ group: [CallIssue]) -> String {
        let start = group.map(\.span.start).min() ?? context.summary.start
        let isOpen = group.contains(where: \.isOpen)
        let end = group.compactMap(\.span.end).max() ?? start
        let times = separateTimes(group)
        let count = times > 1 ? "\(times) times from " : isOpen || end > start ? "from " : "at "
        if isOpen { return "\(count)\(offset(start)) on" }
        return end > start ? "\(count)\(offset(start)) to \(offset(end))" : "\(count)\(offset(start))"
    }

    /// How many spans the issues make that do not overlap.
    private func separateTimes(_ group: [CallIssue]) -> Int {
        var count = 0
        var reached: Timestamp?
        for span in group.map(\.span).sorted(by: { $0.start < $1.start }) {
            if reached.map({ span.start > $0 }) ?? true { count += 1 }
            reached = max(reached ?? span.start, span.end ?? Timestamp(milliseconds: .max))
        }
        return count
    }

    private func offset(_ time: Timestamp) -> String {
        let seconds = time.seconds(since: context.summary.start)
        return (seconds < 0 ? "-" : "+") + Words.duration(seconds: abs(seconds))
    }
}
