import CallModel

/// What a probe saw of each stream: who and what it is, the figures side by side, the distributions.
struct WireSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let all = context.wireStreams
        let streams = shown(of: all)
        let secondaries = context.summary.secondaryStreams
        let others =
            secondaries.prefix(ReportContext.mostStreams).flatMap(secondary)
            + context.rest(secondaries.count - ReportContext.mostStreams, "such stream")
        guard !streams.isEmpty || !others.isEmpty else { return [] }
        return [Line("Wire", .heading) + Line(" (as seen by the probe; – not known; docs/report.md)")]
            + streams.flatMap(identity) + context.rest(all.count - streams.count, "stream") + others
            + (streams.isEmpty ? [] : [Line()]) + tables(of: streams) + WireDistribution.all(of: streams)
    }

    /// In the order of ``ReportContext/shownStreams``, under the numbers that they have among all.
    private func shown(of all: [NumberedStream]) -> [NumberedStream] {
        guard all.count > ReportContext.mostStreams else { return all }
        let places = Dictionary(all.map { ($0.stream, $0) }) { first, _ in first }
        return context.shownStreams.compactMap { places[$0.stream] }
    }

    private static let streamsAcross = 3
    private static let labelWidth = 21

    private func identity(_ stream: NumberedStream) -> [Line] {
        let wire = stream.wire
        let span = "\(UTCTime(wire.firstPacketAt).millisecond) to \(UTCTime(wire.lastPacketAt).millisecond)"
        let items = [
            "\(stream.name): \(wire.addressWords ?? "addresses not known")", "ssrc \(wire.ssrcWords)",
            wire.payloadWords, wire.clockWords, wire.packetLengthWords, wire.encryptionWords, span,
        ]
        return Wrap.list(items.compactMap { $0 }, columns: context.columns, hanging: 5)
    }

    /// A line is enough for what only serves another stream.
    private func secondary(_ stream: WireStream) -> [Line] {
        let counts = [
            stream.count(.packetsReceived).map { "\($0) packets" }, stream.count(.packetsLost).map { "\($0) lost" },
        ]
        let items =
            ["\(stream.role.word): ssrc \(stream.ssrcWords)"] + counts.compactMap { $0 }
            + [stream.payloadWords, stream.addressWords].compactMap { $0 }
        return Wrap.list(items, columns: context.columns, hanging: 5)
    }

    private func tables(of streams: [NumberedStream]) -> [Line] {
        let tables = stride(from: 0, to: streams.count, by: Self.streamsAcross).map { start in
            table(of: Array(streams[start..<min(start + Self.streamsAcross, streams.count)]))
        }
        return Array(tables.joined(separator: [Line()]))
    }

    private static func absence(ofControlIn wires: [WireStream]) -> Line {
        let passedBy = wires.contains { $0.lastControlAt != nil }
        return Line(passedBy ? "  RTCP passed by of which nothing can be read: it is encrypted" : "  no RTCP passed by")
    }

    private func table(of streams: [NumberedStream]) -> [Line] {
        let wires = streams.map(\.wire)
        func rows(_ rows: [WireRow]) -> [[String]] { rows.compactMap { $0.cells(of: wires) } }
        let control = rows(WireRow.control)
        let all =
            [[""] + streams.map(\.name)] + rows(WireRow.packets) + rows(WireRow.arrival) + rows(WireRow.loss)
            + rows(WireRow.content) + (control.isEmpty ? [] : [["RTCP that passed by"]]) + control
        let width = (context.columns - 2 - Self.labelWidth) / Self.streamsAcross - 2
        let columns = [TextTable.Column(limit: Self.labelWidth)] + streams.map { _ in .init(limit: width) }
        return TextTable(columns: columns, rows: all).lines
            + (control.isEmpty ? [Self.absence(ofControlIn: wires)] : [])
    }
}
