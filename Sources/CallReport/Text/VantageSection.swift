import CallModel

/// What each observer saw of the same streams, and where on the way they were impaired.
struct VantageSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let paths = VantageJoin(context.record).paths.filter { $0.observers > 1 || !$0.findings.isEmpty }
        guard !paths.isEmpty else { return [] }
        let blocks = blocks(of: inOrder(paths))
        return [Line("Where it arose", .heading) + Line(" (over the time that all saw; docs/vantage-points.md)")]
            + blocks.prefix(Self.mostBlocks).flatMap(lines)
            + context.rest(blocks.count - Self.mostBlocks, "finding")
    }

    /// What is said of a path at a time: of one that others saw, too, all of it, else a sentence; the same of several streams
    /// once.
    private struct Block {
        var path: StreamPath
        var sentence: String?
        var streams = 1
    }

    private static let mostBlocks = 20

    private func blocks(of paths: [StreamPath]) -> [Block] {
        var blocks: [Block] = []
        var places: [String: Int] = [:]
        for path in paths {
            guard path.observers < 2, !context.summary.isFromWire else {
                blocks.append(Block(path: path))
                continue
            }
            for sentence in path.sentences {
                let place = places["\(title(of: path)) \(sentence)", default: blocks.count]
                if place == blocks.count {
                    blocks.append(Block(path: path, sentence: sentence))
                    places["\(title(of: path)) \(sentence)"] = place
                } else {
                    blocks[place].streams += 1
                }
            }
        }
        return blocks
    }

    /// Of too many those of the worst streams first.
    private func inOrder(_ paths: [StreamPath]) -> [StreamPath] {
        guard paths.count > Self.mostBlocks else { return paths }
        let places = Dictionary(context.worstStreams.enumerated().map { ($1.stream.source, $0) }) { first, _ in first }
        return paths.enumerated().sorted { left, right in
            let (place, other) = (places[left.element.source] ?? .max, places[right.element.source] ?? .max)
            return (place, left.offset) < (other, right.offset)
        }
        .map(\.element)
    }

    private func title(of path: StreamPath) -> String {
        "\(context.summary.isFromWire ? "" : path.isInbound ? "in " : "out ")\(path.kind.rawValue)"
    }

    private func lines(of block: Block) -> [Line] {
        guard let text = block.sentence else { return lines(of: block.path) }
        let title = title(of: block.path) + (block.streams > 1 ? ", \(block.streams) streams" : "")
        return sentence("\(title): \(text)")
    }

    private static let labelWidth = 30

    private func lines(of path: StreamPath) -> [Line] {
        let span = path.span.map { ", \(UTCTime($0.lowerBound).second) to \(UTCTime($0.upperBound).second)" } ?? ""
        let sentences = path.findings.isEmpty ? ["no difference that says anything"] : path.sentences
        return sentence("\(title(of: path)), ssrc \(path.source.printable)\(span)") + table(of: path)
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
