import CallModel
import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// `docs/issues.md` has every detector with its levels and their source.
@Suite struct DetectorTableTests {
    private static let page = SharedData.packageRoot.appending(path: "docs/issues.md")

    /// The part of the page between the marks of a table; `RECORD_GOLDENS=1` writes it.
    private func table(_ name: String, is expected: [String]) throws {
        let (opening, closing) = ("<!-- table:\(name) -->\n", "<!-- /table -->")
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let start = try #require(page.range(of: opening))
        let end = try #require(page.range(of: closing, range: start.upperBound..<page.endIndex))
        let text = expected.map { $0 + "\n" }.joined()
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
            let written = page.replacingCharacters(in: start.upperBound..<end.lowerBound, with: text)
            try written.write(to: Self.page, atomically: true, encoding: .utf8)
            Issue.record("recorded the table of \(name)")
        } else {
            #expect(String(page[start.upperBound..<end.lowerBound]) == text)
        }
    }

    @Test func `the table of what lasts is that of the detectors`() throws {
        let rows = (IssueDetectors.levels + [IssueDetectors.delay]).map { detector in
            let streams = [detector.direction?.rawValue, detector.media?.rawValue].compactMap { $0 }
            let levels = [detector.raise, detector.clear].map(Self.number).joined(separator: " / ")
            let times = "\(Self.number(detector.evidenceSeconds)) of \(Self.number(detector.windowSeconds)) s"
            let severities = [detector.warning, detector.critical].map(Self.number).joined(separator: " / ")
            let cells = [
                "`\(detector.kind.rawValue)`", streams.joined(separator: " "), Self.members(detector.members),
                "\(levels) \(Self.unit(of: detector))", times, severities, detector.source,
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
        let head = [
            "| issue | stream | members | raise / clear | k of n | warning / critical from | source |",
            "|---|---|---|---|---|---|---|",
        ]
        try table("levels", is: head + rows)
    }

    @Test func `the table of what happens is that of the detectors`() throws {
        let rows = IssueDetectors.calls.map { detector in
            "| `\(detector.kind.rawValue)` | \(Self.members(detector.members)) | \(detector.source) |"
        }
        try table("calls", is: ["| issue | members and events | raised when, and source |", "|---|---|---|"] + rows)
    }

    @Test func `every kind has a detector, and every detector a source`() {
        let kinds = Set((IssueDetectors.levels + [IssueDetectors.delay]).map(\.kind) + IssueDetectors.calls.map(\.kind))
        #expect(kinds == Set(IssueKind.allCases))
        #expect(IssueDetectors.byID.count == IssueDetectors.levels.count + 1)
        for detector in IssueDetectors.levels + [IssueDetectors.delay] {
            #expect(detector.clear < detector.raise && detector.evidenceSeconds <= detector.windowSeconds)
            #expect(!detector.source.isEmpty && !detector.members.isEmpty)
        }
    }

    private static func members(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return "never" }
        return value == value.rounded() ? "\(Int(value))" : "\(value)"
    }

    /// Shares are percent whatever the worst value is told in, but for lengths.
    private static func unit(of detector: LevelDetector) -> String {
        switch detector.form {
        case .share(scale: 100): "%"
        case .share: "ms"
        case .level: detector.unit == .decibels ? "dB" : "ms"
        }
    }
}
