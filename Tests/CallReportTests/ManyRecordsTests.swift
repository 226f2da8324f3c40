import CallModel
import Testing

@testable import CallReport

/// A conference: one call with more records than anybody reads.
@Suite struct ManyRecordsTests {
    /// Records with the scores 7, 14, … modulo 101, which are all different.
    private static func conference(of count: Int) -> [CallRecord] {
        (1...count).map { number in
            var summary = Records.summary(Records.key("conference", observer: "user-\(number)"), lasting: 60_000)
            (summary.outcome, summary.score, summary.worstScore) = (.connected, number * 7 % 101, number * 7 % 101)
            return Records.record(summary)
        }
    }

    private static let rule = "\n" + String(repeating: "─", count: 80) + "\n\n"

    @Test func `ten records are shown in full, in their order`() {
        let records = Self.conference(of: 10)
        #expect(
            TextReport.render(records, at: Records.nowLongAfter)
                == records.map { TextReport($0, at: Records.nowLongAfter).render() }.joined(separator: Self.rule))
    }

    @Test func `of more records the worst ten are shown in full, behind a list of all`() throws {
        let records = Self.conference(of: 60)
        let parts = TextReport.render(records, at: Records.nowLongAfter).components(between: Self.rule)
        let worst = records.sorted { ($0.summary.score ?? 0) < ($1.summary.score ?? 0) }
        #expect(parts.dropFirst() == worst.prefix(10).map { TextReport($0, at: Records.nowLongAfter).render() }[...])
        let lines = try #require(parts.first).split(separator: "\n").map(String.init)
        let listed = worst.prefix(50).map(\.summary.key.observer.rawValue)
        #expect(
            lines.filter { $0.contains("user-") }.map {
                String($0.split(separator: " ").first { $0.hasPrefix("user-") } ?? "")
            } == listed)
        #expect(
            lines.suffix(2) == [
                "60 records, worst first; the worst 50 are listed, 10 more are not",
                "In full: the worst 10, below; any other when its observer is asked for.",
            ])
    }

    @Test func `of many other ends the worst are told, and how many there are more`() {
        let records = Self.conference(of: 31)
        var record = records[0]
        record.others = records.dropFirst().map(\.summary)
        let lines = ObserverSection(context: ReportContext(record: record, now: Records.nowLongAfter, columns: 80))
            .lines.map { $0.rendered(isColoured: false) }
        let worst = record.others.sorted { ($0.score ?? 0) < ($1.score ?? 0) }.prefix(20)
        #expect(
            lines.map { String($0.prefix { $0 != ":" }) }
                == ["Other ends (worst first)"] + worst.map { "  \($0.key.observer.rawValue)" } + ["  … 10 more"])
    }
}

extension String {
    /// What stands between the places where `separator` does.
    fileprivate func components(between separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
