import CallModel

/// The comparison as blocks of lines: who is who, in short, then the figures by group.
struct ComparisonText {
    let calls: ComparedCalls
    let now: Timestamp
    let columns: Int

    var blocks: [[Line]] {
        [head, conclusion, table("Quality", qualityRows), table("Points lost", rows(calls.roundedCosts))]
            + [table("Setup", rows(calls.setup)), table("Interruptions", rows(calls.interruptions))]
            + calls.streams.map { table($0.title, StreamRows($0).texts + rows($0.figures)) }
            + [table("Path", pathRows)]
    }
}

// MARK: - Who is who

extension ComparisonText {
    private var head: [Line] {
        call("A", calls.first) + call("B", calls.second)
    }

    private func call(_ letter: String, _ summary: CallSummary) -> [Line] {
        let verdict = Verdict(summary, isLive: summary.isLive(at: now))
        let first = Line(letter + "  ", .heading)
        let headline = Line(
            verdict.text(columns: columns - 3).cutAtEnd(to: columns - 3), verdict.band.map { .band($0) })
        let key = summary.key
        let attempt = key.attempt > 1 ? ", attempt \(key.attempt)" : ""
        let length = (summary.endedAt ?? summary.lastActivity).milliseconds(since: summary.start)
        let who = "\(key.identity.call.rawValue.printable) (\(key.observer.rawValue.printable)\(attempt))"
        let when = "\(summary.start.iso8601), \(Words.duration(milliseconds: max(0, length)))"
        return [first + headline]
            + [who, when].flatMap { Wrap.lines($0, columns: columns, indent: 3, hanging: 3) }
    }
}

// MARK: - In short

extension ComparisonText {
    /// Causes below this many tenths of a point of difference are left to the table.
    private static let leastTenths = 10.0

    private var conclusion: [Line] {
        let sentences = [scores] + [gained(.b), gained(.a)].compactMap { $0 }
        return sentences.flatMap { Wrap.lines($0, columns: columns, indent: 0, hanging: 2) }
    }

    private var scores: String {
        guard let score = calls.quality.first, let difference = score.difference else {
            return "The scores cannot be compared: \(withoutScore) no score."
        }
        guard let better = score.better else { return "Both score the same, \(score.text(score.first))." }
        let points = Words.counted(Int(abs(difference)), "point")
        return "\(better == .a ? "A is better than B" : "B is better than A") by \(points): "
            + "A \(score.text(score.first)), B \(score.text(score.second))."
    }

    private var withoutScore: String {
        switch (calls.first.score, calls.second.score) {
        case (nil, nil): "both have"
        case (nil, _): "A has"
        default: "B has"
        }
    }

    /// What cost a side less than the other.
    private func gained(_ side: ComparedFigure.Side) -> String? {
        let causes = calls.roundedCosts.filter { figure in
            figure.better == side && (10 * abs(figure.difference ?? 0)).rounded() >= Self.leastTenths
        }
        guard !causes.isEmpty else { return nil }
        let items = causes.map { "\($0.label) (\($0.text(abs($0.difference ?? 0))))" }
        return "\(side.rawValue.uppercased()) lost fewer points to " + items.joined(separator: ", ") + "."
    }
}

// MARK: - Figures

extension ComparisonText {
    private var qualityRows: [[String]] {
        let rows = rows(calls.quality.filter { $0.isKnown || $0.name == "score" })
        return rows.map { row in
            // R without its scale would mislead.
            guard row[0] == "R" else { return row }
            let values = [calls.first.rating, calls.second.rating].map { RatingWords.rFactor($0) }
            return ["R"] + values + [calls.isOnOneScale ? row[3] : "other scales"]
        }
    }

    private var pathRows: [[String]] {
        let facts: [(String, (PathSummary) -> String?)] = [
            ("candidates", { path in path.localType.map { "\($0) to \(path.remoteType ?? Figures.unknown)" } }),
            ("transport", \.transportProtocol),
            ("relay", { path in path.isRelayed.map { $0 ? path.relayProtocol ?? "yes" : "no" } }),
            ("network", \.networkType),
        ]
        return facts.compactMap { label, fact in
            TextPair(label: label, first: fact(calls.first.path), second: fact(calls.second.path)).row
        }
    }

    private func rows(_ figures: [ComparedFigure]) -> [[String]] {
        figures.map { [$0.label, $0.text($0.first), $0.text($0.second), $0.judgement] }
    }

    private func table(_ title: String, _ rows: [[String]]) -> [Line] {
        guard !rows.isEmpty else { return [] }
        let width = (columns - 2 - 22 - 18 - 6) / 2
        let heading = ["", "A", "B", "better"]
        let table = TextTable(
            columns: [.init(limit: 22), .init(limit: width), .init(limit: width), .init(limit: 18)],
            rows: [heading] + rows.map { zip($0, [22, width, width, 18]).map { $0.padded(to: $1) } })
        guard let first = table.lines.first?.rendered(isColoured: false) else { return [] }
        let titled = Line(title.padded(to: min(24, columns)), .heading) + Line(String(first.dropFirst(24)))
        return [titled] + table.lines.dropFirst()
    }
}

/// What the streams of a pair are, in words.
private struct StreamRows {
    let pair: ComparedStreams

    init(_ pair: ComparedStreams) { self.pair = pair }

    var texts: [[String]] {
        [
            TextPair(label: "codec", first: codec(pair.first), second: codec(pair.second)),
            TextPair(label: "packets", first: packets(pair.first), second: packets(pair.second)),
            TextPair(label: "picture", first: picture(pair.first), second: picture(pair.second)),
        ].compactMap(\.row)
    }

    private func codec(_ stream: StreamSummary?) -> String? {
        stream?.codec.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    }

    private func packets(_ stream: StreamSummary?) -> String? {
        stream?.packets.map { "\($0)" }
    }

    private func picture(_ stream: StreamSummary?) -> String? {
        guard let width = stream?.frameWidth, let height = stream?.frameHeight else { return nil }
        return "\(width)×\(height)"
    }
}

/// A row of words, which has no better.
private struct TextPair {
    var label: String
    var first: String?
    var second: String?

    /// `nil` when neither is known.
    var row: [String]? {
        guard first != nil || second != nil else { return nil }
        return [label] + [first, second].map { $0?.printable ?? Figures.unknown } + [first == second ? "alike" : ""]
    }
}
