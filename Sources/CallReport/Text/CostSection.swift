import CallModel

/// Where the points went.
struct CostSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let shares = CostShares(context.summary)
        guard context.summary.score != nil else { return [] }
        guard !shares.rows.isEmpty else { return [Line("Points lost", .heading) + Line(": none")] }
        let scored = Words.duration(seconds: context.summary.scoredSeconds)
        return [Line("Points lost", .heading) + Line(" (over \(scored) scored; bad stretches weigh more)")]
            + table(shares) + leading
    }

    private func table(_ shares: CostShares) -> [Line] {
        let rows = shares.rows.map { [$0.cause.name, Self.points($0.tenths), Self.bar($0.tenths)] }
        let total = ["in all", Self.points(shares.totalTenths), ""]
        let columns: [TextTable.Column] = [.init(limit: 24), .init(isRightAligned: true, limit: 8), .init(limit: 40)]
        return TextTable(columns: columns, rows: rows + [total]).lines
    }

    private var leading: [Line] {
        guard let cause = context.summary.leadingCause else { return [] }
        return Wrap.lines(cause.sentence, columns: context.columns)
    }

    private static func points(_ tenths: Int) -> String {
        "\(tenths / 10).\(tenths % 10)"
    }

    /// A block for each 2.5 points.
    private static func bar(_ tenths: Int) -> String {
        String(repeating: "█", count: min(40, tenths / 25))
    }
}

/// The costs in tenths of a point, rounded so that they add up to the total shown (largest remainder).
struct CostShares {
    struct Row: Hashable {
        var cause: QualityCause
        var tenths: Int
    }

    let rows: [Row]
    let totalTenths: Int

    init(_ summary: CallSummary) {
        let causes = summary.causesByCost
        let exact = causes.map { min(summary.costs[$0] ?? 0, 1000) * 10 }
        totalTenths = Int(exact.reduce(0, +).rounded())
        var tenths = exact.map { Int($0) }
        let rest = totalTenths - tenths.reduce(0, +)
        let byRemainder = exact.indices.sorted {
            (exact[$1] - exact[$1].rounded(.down), $0) < (exact[$0] - exact[$0].rounded(.down), $1)
        }
        for index in byRemainder.prefix(max(0, rest)) { tenths[index] += 1 }
        rows = zip(causes, tenths).map { Row(cause: $0, tenths: $1) }.filter { $0.tenths > 0 }
    }

    /// What a cause took; 0 where it took nothing that is shown.
    func points(of cause: QualityCause) -> Double {
        Double(rows.first { $0.cause == cause }?.tenths ?? 0) / 10
    }
}
