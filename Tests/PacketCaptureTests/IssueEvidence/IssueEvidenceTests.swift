import CallModel
import Foundation
import TestSupport
import Testing

/// What the detectors are worth on recordings whose impairment is known. `Scripts/issue-evidence` prints the tables.
@Suite(SharedData.required) struct IssueEvidenceTests {
    /// What was reached; none of it may get worse.
    private struct Figures {
        var half: Int
        var leastFound: Int
        var mostMissed: Int
        var mostFalseAlarms: Int
    }

    private static let reached = [
        Figures(half: 1, leastFound: 62, mostMissed: 0, mostFalseAlarms: 0),
        Figures(half: 2, leastFound: 77, mostMissed: 0, mostFalseAlarms: 0),
    ]

    @Test(arguments: [1, 2])
    func `impairments that can be heard are named, and clean calls have no issue of the network`(half: Int) async throws
    {
        let scenarios = try await IssueScenario.all(half: half)
        let verdicts = IssueVerdicts(scenarios)
        print(verdicts.table(title: half == 1 ? "first half (levels adjusted here)" : "second half (left out)"))
        if ProcessInfo.processInfo.environment["ISSUE_DETAILS"] != nil {
            for scenario in scenarios { print(scenario.listing) }
        }
        let figures = try #require(Self.reached.first { $0.half == half })
        #expect(verdicts.hits.count(where: \.isFound) >= figures.leastFound)
        #expect(verdicts.hits.count { !$0.isFound } <= figures.mostMissed)
        #expect(verdicts.falseAlarms.count <= figures.mostFalseAlarms)
    }
}

extension IssueVerdicts {
    /// Hits by kind and observer, then every miss and every false alarm.
    func table(title: String) -> String {
        let sources = IssueScenario.Source.allCases
        let head = ["", "issue"] + sources.map(\.rawValue)
        var rows = [head]
        for kind in Set(hits.map(\.kind)).sorted(by: { $0.rawValue < $1.rawValue }) {
            let cells = sources.map { source in
                let seen = hits.filter { $0.kind == kind && $0.source == source }
                return seen.isEmpty ? "–" : "\(seen.count(where: \.isFound)) of \(seen.count)"
            }
            rows.append(["", kind.rawValue] + cells)
        }
        let widths = [2, 16, 13, 13, 8]
        let table = rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined()
        }
        let found = hits.count(where: \.isFound)
        return
            (["issues, \(title): found of what can be heard, with the right span"] + table
            + ["  in all \(found) of \(hits.count); false alarms of the network: \(falseAlarms.count)"] + misses
            + alarms)
            .joined(separator: "\n")
    }

    private var misses: [String] {
        hits.filter { !$0.isFound }.map {
            "  missed: \($0.kind.rawValue), \($0.scenario), \($0.end), \($0.source.rawValue) (\($0.detail))"
        }
    }

    private var alarms: [String] {
        falseAlarms.map { "  false alarm: \($0.issue.short), \($0.scenario), \($0.end), \($0.source.rawValue)" }
    }
}

extension IssueScenario {
    /// Everything found, for reading; times in seconds since the first packet.
    var listing: String {
        let origin = script.media?.lowerBound ?? 0
        let lines = views.map { view in
            let place = view.isBeforeRouter ? ", before the router" : ""
            let issues = view.issues.map {
                "\($0.short) \(Int($0.seconds.lowerBound - origin))…\(Int($0.seconds.upperBound - origin)) s"
            }
            return "  \(view.end), \(view.source.rawValue)\(place): \(issues.joined(separator: "; "))"
        }
        return (["\(name) (half \(half))"] + lines).joined(separator: "\n")
    }
}

extension CallIssue {
    /// In a few words.
    fileprivate var short: String {
        let place = stream.map { " \($0.direction.rawValue) \($0.kind.rawValue)" } ?? ""
        let value = worst.map { String(format: " %.3g %@", $0.value, $0.unit.rawValue) } ?? ""
        return "\(kind.rawValue)\(place)\(value) \(severity.rawValue)" + (cause.map { " (\($0.rawValue))" } ?? "")
    }
}
