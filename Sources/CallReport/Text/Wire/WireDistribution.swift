import CallModel

/// Counts by size, a row a stream.
struct WireDistribution {
    let title: String
    let headings: [String]
    let counts: @Sendable (WireStream) -> [Int]
    /// Columns of the widest count before it goes on below.
    let width: Int

    /// All distributions of which a stream has something to tell.
    static func all(of streams: [NumberedStream]) -> [Line] {
        [lossRuns, delayChanges].flatMap { $0.lines(of: streams) }
    }

    private static let lossRuns = WireDistribution(
        title: "losses in a row of", headings: (1...9).map(String.init) + ["10+"], counts: \.lossRuns, width: 4)

    private static let delayChanges = WireDistribution(
        title: "delay changed by ms", headings: ["≤50", "≤70", "≤90", "≤120", "≤150", "≤200", "≤300", ">300"],
        counts: \.delayBuckets, width: 6)

    private func lines(of streams: [NumberedStream]) -> [Line] {
        let rows = streams.compactMap { stream -> [String]? in
            let counts = self.counts(stream.wire).prefix(headings.count)
            return counts.contains { $0 != 0 } ? [stream.name] + counts.map { "\($0)" } : nil
        }
        guard !rows.isEmpty else { return [] }
        let columns =
            [TextTable.Column(limit: 20)] + headings.map { _ in .init(isRightAligned: true, limit: width) }
        return [Line()] + TextTable(columns: columns, rows: [[title] + headings] + rows, gap: 1).lines
    }
}
