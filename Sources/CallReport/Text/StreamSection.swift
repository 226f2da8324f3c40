import CallModel

/// The figures of each stream, a column a stream, inbound first.
struct StreamSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let streams = context.shownStreams
        let empty = context.streams.filter { $0.packets == 0 }
        guard !context.streams.isEmpty else {
            return [Line("Streams", .heading) + Line(context.summary.isFromWire ? ": none seen" : ": none reported")]
        }
        let intervals = Dictionary(grouping: context.record.intervals, by: \.stream)
        let names = Dictionary(context.wireStreams.map { ($0.stream, $0.name) }) { first, _ in first }
        let figures = streams.map { stream in
            StreamFigures(stream: stream, intervals: intervals[stream.stream] ?? [], name: names[stream.stream])
        }
        let tables = stride(from: 0, to: figures.count, by: Self.streamsAcross).map { start in
            table(of: figures[start..<min(start + Self.streamsAcross, figures.count)])
        }
        let below =
            context.rest(context.streams.count - empty.count - streams.count, "stream") + streams.flatMap(pictures)
            + formats(of: streams) + empty.prefix(ReportContext.mostStreams).flatMap(withoutPackets)
            + context.rest(empty.count - ReportContext.mostStreams, "stream")
        guard !streams.isEmpty, tables.allSatisfy(\.isEmpty) else {
            return [heading] + tables.joined(separator: [Line()]) + below
        }
        return [Line("Streams", .heading) + Line(": see Wire")] + below
    }

    private func withoutPackets(_ stream: StreamSummary) -> [Line] {
        let direction = stream.stream.direction == .inbound ? "in" : "out"
        let text = "\(direction) \(stream.stream.kind.rawValue), ssrc \(stream.stream.source.printable): no packets"
        return Wrap.lines(text, columns: context.columns, hanging: 4)
    }

    /// Engines lower the size and rate of a picture without telling the app.
    private func pictures(of stream: StreamSummary) -> [Line] {
        let shown = stream.pictureChanges.prefix(Self.mostPictures).map { change in
            let limit = change.limit.map { $0 == .cpu ? ", limited by the processor" : ", limited by bandwidth" } ?? ""
            return "\(context.offset(of: change.time)) picture sent: \(words(of: change.from)) to "
                + "\(words(of: change.to))\(limit)"
        }
        let rest = stream.pictureChanges.count - shown.count
        return (shown + (rest > 0 ? ["… \(rest) more changes of the picture"] : []))
            .flatMap { Wrap.lines($0, columns: context.columns, hanging: 4) }
    }

    private func words(of picture: PictureChange.Picture) -> String {
        let rate = picture.framesPerSecond.map { " at \(Figures.number($0))" } ?? ""
        return "\(picture.width)×\(picture.height)\(rate)"
    }

    private static let mostPictures = 10
    private static let streamsAcross = 4
    private static let labelWidth = 18

    /// What lies between two reports is not seen, so the cadence belongs beside every maximum.
    private var heading: Line {
        let median = context.summary.dataQuality.medianIntervalMilliseconds
        let cadence = median.map { " of \(Words.duration(milliseconds: $0))" } ?? ""
        let legend =
            context.wireStreams.isEmpty
            ? "p95, maxima over intervals\(cadence); – not reported"
            : "p95 over intervals\(cadence); more under Wire"
        return Line("Streams", .heading) + Line(" (\(legend))")
    }

    private func table(of figures: ArraySlice<StreamFigures>) -> [Line] {
        let isOnWire = figures.allSatisfy { $0.name != nil }
        let rows = StreamFigures.rows.compactMap { row -> [String]? in
            let cells = figures.map { row.value($0) }
            let said = cells.contains { $0 != nil && !((row.isOptional || isOnWire) && $0 == Figures.unknown) }
            guard said else { return nil }
            return [row.label] + cells.map { $0 ?? "" }
        }
        guard rows.count > 1 || !isOnWire else { return [] }
        let width = (context.columns - 2 - Self.labelWidth) / Self.streamsAcross - 2
        let columns = [TextTable.Column(limit: Self.labelWidth)] + figures.map { _ in .init(limit: width) }
        return TextTable(columns: columns, rows: rows).lines
    }

    /// Codec parameters are long and alike: each once, below the table.
    private func formats(of streams: [StreamSummary]) -> [Line] {
        let texts = streams.compactMap { stream -> String? in
            guard let parameters = stream.formatParameters, !parameters.isEmpty else { return nil }
            return "\((stream.codec ?? Figures.unknown).printable): \(parameters.printable)"
        }
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
            .flatMap { Wrap.lines($0, columns: context.columns, hanging: 4) }
    }
}
