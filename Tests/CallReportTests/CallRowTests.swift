import CallModel
import CallReport
import Testing

/// The lists of calls say why a call was poor, and how one failed.
@Suite struct CallRowTests {
    private static func list(_ records: [CallRecord], columns: Int) -> [String] {
        let calls = records.map { StoredSummary(summary: $0.summary, isDirty: false) }
        let list = CallList(CallPage(calls: calls, next: nil), at: Records.nowLongAfter)
        return list.text(style: TextStyle(columns: columns)).split(separator: "\n").map(String.init)
    }

    private static func record(_ id: String, _ change: (inout CallSummary) -> Void) -> CallRecord {
        var record = Records.notAnswered
        record.summary.key = Records.key(id, observer: "wire:callee")
        change(&record.summary)
        return record
    }

    private static let records = [
        record("lossy@pbx") { summary in
            (summary.outcome, summary.endReason) = (.connected, nil)
            (summary.score, summary.worstScore, summary.costs) = (53, 40, [.delay: 40])
        },
        record("busy@pbx") { summary in
            (summary.course.endCause, summary.endReason) = (.busy, "Busy Here, 486")
        },
        record("fine@pbx") { summary in
            (summary.outcome, summary.endReason) = (.connected, nil)
            (summary.score, summary.worstScore, summary.costs) = (97, 95, [.delay: 3])
        },
    ]

    @Test func `what there is to complain of stands below a record`() {
        #expect(
            Self.list(Self.records, columns: 80)[1...5] == [
                "✕  53    40 2026-01-02 12:34    0:30 wire:callee lossy@pbx",
                "            path delay",
                "unanswered  2026-01-02 12:34    0:30 wire:callee busy@pbx",
                "            the callee was busy (Busy Here, 486)",
                "●  97    95 2026-01-02 12:34    0:30 wire:callee fine@pbx",
            ])
    }

    @Test func `and behind it where there is room`() {
        let lines = Self.list(Self.records, columns: 110)
        #expect(
            lines[...3] == [
                "score worst start (UTC)       length side        call      why",
                "✕  53    40 2026-01-02 12:34    0:30 wire:callee lossy@pbx path delay",
                "unanswered  2026-01-02 12:34    0:30 wire:callee busy@pbx  the callee was busy (Busy Here, 486)",
                "●  97    95 2026-01-02 12:34    0:30 wire:callee fine@pbx",
            ])
    }

    @Test func `a reason that is too long is cut`() {
        let record = Self.record("x") { $0.endReason = String(repeating: "word ", count: 40) }
        for columns in [80, 90, 110] {
            #expect(Self.list([record], columns: columns).allSatisfy { $0.count <= columns })
        }
    }
}
