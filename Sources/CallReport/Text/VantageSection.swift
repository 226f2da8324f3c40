import CallModel

/// What each observer saw of the same streams, and where on the way they were impaired.
struct VantageSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let paths = VantageJoin(context.record).paths.filter { $0.observers > 1 || !$0.findings.isEmpty }
        guard !paths.isEmpty else { return [] }
        return [Line("Where it arose", .heading) + Line(" (over the time that all saw; docs/vantage-points.md)")]
            + paths.flatMap(lines)
    }

    private static let labelWidth = 30

    private func lines(of path: StreamPath) -> [Line] {
        let title = "\(context.summary.isFromWire ? "" : path.isInbound ? "in " : "out ")\(path.kind.rawValue)"
        guard path.observers > 1 || context.summary.isFromWire else {
            return path.sentences.flatMap { sentence("\(title): \($0)") }
        }
        let span = path.span.map { ", \(UTCTime($0.lowerBound).second) to \(UTCTime($0.upperBound).second)" } ?? ""
        let sentences = path.findings.isEmpty ? ["no difference that says anything"] : path.sentences
        return sentence("\(title), ssrc \(path.source.printable)\(span)") + table(of: path)
            + sentences.flatMap { sentence("→ \($0)") }
    }

    private func sentence(_ text: String) -> [Line] {
        Wrap.lines(text, columns: context.columns, hanging: 4)
    }

    /// The last report of a sender is up to 5 s older than the last packet.
    private func packets(_ point: PathPoint) -> String {
        guard let packets = point.packets else { return Figures.unknown }
        return (point.observer == nil ? "≥ " : "") + Figures.whole(packets)
    }

    private func table(of path: StreamPath) -> [Line] {
        let rows = path.points.map { point in
            [
                point.label, packets(point),
                point.place == .sender ? "" : Figures.percent(point.lossPercent),
                point.place == .sender ? "" : Figures.number(point.jitterMilliseconds, "ms"),
                point.discarded.map(Figures.whole) ?? "", point.concealedPercent.map { Figures.percent($0) } ?? "",
            ]
        }
        let width = (context.columns - 4 - Self.labelWidth) / 5 - 2
        let figure = TextTable.Column(isRightAligned: true, limit: max(8, width))
        return TextTable(
            columns: [.init(limit: Self.labelWidth)] + Array(repeating: figure, count: 4) + [
                .init(isRightAligned: true, limit: 9)
            ],
            rows: [["", "packets", "lost", "jitter", "late", "made up"]] + rows, indent: 4, gap: 1
        ).lines
    }
}
