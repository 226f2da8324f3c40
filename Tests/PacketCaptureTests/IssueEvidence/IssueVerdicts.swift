import CallModel
import TestSupport

/// Whether what observers found is what was done.
struct IssueVerdicts {
    /// One impairment and one observer of it.
    struct Hit {
        var scenario: String
        var end: RecordedCall.End
        var source: IssueScenario.Source
        var kind: IssueKind
        var isFound: Bool
        var detail: String
    }

    /// A finding of the network where nothing was done to it.
    struct FalseAlarm {
        var scenario: String
        var end: RecordedCall.End
        var source: IssueScenario.Source
        var issue: CallIssue
    }

    private(set) var hits: [Hit] = []
    private(set) var falseAlarms: [FalseAlarm] = []

    init(_ scenarios: [IssueScenario]) {
        for scenario in scenarios {
            for view in scenario.views {
                guard let done = scenario.impairments[view.end] else { continue }
                judge(view, done, scenario)
            }
        }
    }

    private mutating func judge(_ view: IssueScenario.View, _ done: Impairments, _ scenario: IssueScenario) {
        for expected in done.must where Self.canSee(expected, view) {
            let found = Self.isFound(expected, in: view)
            hits.append(
                Hit(
                    scenario: scenario.name, end: view.end, source: view.source, kind: expected.kind,
                    isFound: found.isFound, detail: found.detail))
        }
        for issue in view.issues where issue.isOfNetwork {
            if !isAllowed(issue, view, scenario) {
                falseAlarms.append(
                    FalseAlarm(scenario: scenario.name, end: view.end, source: view.source, issue: issue))
            }
        }
    }

    /// A probe sees neither ICE nor what happens behind it, and a round trip only where RTCP can be read.
    private static func canSee(_ expected: ExpectedIssue, _ view: IssueScenario.View) -> Bool {
        guard view.source == .wire else { return true }
        guard !view.isBeforeRouter, expected.isOnWire else { return false }
        return [.packetLoss, .lossBursts, .blackout, .jitter, .oneWayAudio].contains(expected.kind)
    }

    /// Whether issues of the kind have the span: what happens once, one of them; what lasts, all of them together.
    private static func isFound(
        _ expected: ExpectedIssue, in view: IssueScenario.View
    ) -> (isFound: Bool, detail: String) {
        let tolerance = view.source.toleranceSeconds
        let near = expected.span.widened(by: tolerance)
        let spans = view.issues.filter { $0.kind == expected.kind && $0.stream?.direction != .outbound }
            .map(\.seconds).filter { $0.overlaps(near) }
        let widest = expected.widest.widened(by: tolerance)
        let least = 0.8 * (expected.span.length - 2 * tolerance)
        let covered = spans.map { $0.clamped(to: expected.span).length }
        let isFound =
            expected.lasts
            ? !spans.isEmpty && covered.reduce(0, +) >= least && spans.allSatisfy { widest.contains($0) }
            : zip(spans, covered).contains { widest.contains($0) && $1 >= least }
        let text = spans.map {
            "\(Int($0.lowerBound - expected.span.lowerBound)) s…\(Int($0.upperBound - expected.span.upperBound)) s"
        }
        return (isFound, text.isEmpty ? "nothing" : text.joined(separator: ", "))
    }

    private func isAllowed(_ issue: CallIssue, _ view: IssueScenario.View, _ scenario: IssueScenario) -> Bool {
        guard let inbound = scenario.impairments[view.end],
            let outbound = scenario.impairments[view.end == .caller ? .callee : .caller]
        else { return false }
        if issue.isBehindProbe {
            // What the receiver's RTCP tells of the router, before which the probe stands.
            return view.isBeforeRouter && inbound.touched.contains { issue.seconds.overlaps($0) }
        }
        if issue.kind == .delay { return inbound.mayDelay || outbound.mayDelay }
        if view.isBeforeRouter {
            // Engines stop sending into a path that is dead.
            return (inbound.downtimes + outbound.downtimes).contains { issue.seconds.overlaps($0.widened(by: 5)) }
        }
        if inbound.must.contains(where: { $0.kind == issue.kind && issue.seconds.overlaps($0.widest) }) { return true }
        let done = issue.stream?.direction == .outbound ? outbound : inbound
        let tolerance = view.source.toleranceSeconds + 5
        return done.touched.contains {
            issue.seconds.overlaps($0.lowerBound - tolerance...$0.upperBound + tolerance)
        }
    }
}

extension CallIssue {
    /// The span in seconds since 1970; an open one reaches to the end of time.
    var seconds: ClosedRange<Double> {
        let start = Double(span.start.milliseconds) / 1000
        return start...max(start, span.end.map { Double($0.milliseconds) / 1000 } ?? 4e9)
    }
}

extension ClosedRange<Double> {
    var length: Double { upperBound - lowerBound }

    func widened(by seconds: Double) -> ClosedRange<Double> { lowerBound - seconds...upperBound + seconds }

    func contains(_ other: ClosedRange<Double>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
