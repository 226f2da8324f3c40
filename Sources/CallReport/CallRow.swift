import CallModel

/// One line of the list.
struct CallRow {
    let summary: CallSummary
    let isLive: Bool

    init(_ summary: CallSummary, isLive: Bool) {
        self.summary = summary
        self.isLive = isLive
    }

    private static func heading(observerWidth: Int, idWidth: Int?) -> Line {
        let cells = [
            "score worst".padded(to: 11), "start (UTC)".padded(to: 16), "length".padded(to: 7, atStart: true),
            "side".padded(to: observerWidth),
        ]
        let last = idWidth.map { ["call".padded(to: $0), "why"] } ?? ["call"]
        return Line((cells + last).joined(separator: " "), .heading)
    }

    /// The heading, and a line a record; ids too long for it are cut in the middle. What there is to complain of stands
    /// behind the ids where there is room for it in all lines, else below the record.
    static func table(of rows: [CallRow], columns: Int) -> [Line] {
        let observerWidth = self.observerWidth(rows, columns: columns)
        let ids = rows.map { $0.callName.columnWidth }.max() ?? 0
        let hasRoom = columns - frontWidth - observerWidth - 1 - ids >= leastRoomForReasons
        return [heading(observerWidth: observerWidth, idWidth: hasRoom ? max(4, ids) : nil)]
            + rows.flatMap { $0.lines(columns: columns, observerWidth: observerWidth, idWidth: hasRoom ? ids : nil) }
    }

    /// The signs of the bands and where each begins.
    static var bands: Line {
        let bands = QualityBand.allCases.map { band in
            band == .bad ? "\(band.sign) bad" : "\(band.sign) \(band.rawValue) ≥ \(band.lowestScore)"
        }
        return Line(bands.joined(separator: "  "))
    }

    /// Ids are there to be copied: a UUID stays whole before the side gets room.
    private static func observerWidth(_ rows: [CallRow], columns: Int) -> Int {
        let ids = rows.map { $0.callName.columnWidth }.max() ?? 0
        let room = max(6, columns - frontWidth - min(36, ids))
        return min(room, 24, max(4, rows.map { $0.observerName.columnWidth }.max() ?? 0))
    }

    private func lines(columns: Int, observerWidth: Int, idWidth: Int?) -> [Line] {
        let line = line(columns: columns, observerWidth: observerWidth)
        guard let reasons else { return [line] }
        guard let idWidth else { return [line, Line("            " + reasons.cutAtEnd(to: columns - 12))] }
        let room = columns - Self.frontWidth - observerWidth - 1 - max(4, idWidth)
        let gap = String(repeating: " ", count: max(0, max(4, idWidth) - callName.columnWidth))
        return [line + Line(gap + " " + reasons.cutAtEnd(to: room))]
    }

    /// Why the call was poor, or how it failed.
    private var reasons: String? {
        let complaints = Verdict(summary, isLive: isLive).complaints
        return complaints.isEmpty ? nil : complaints.joined(separator: "; ")
    }

    /// A cause and its figure.
    private static let leastRoomForReasons = 36

    private func line(columns: Int, observerWidth: Int) -> Line {
        let start = UTCTime(summary.start)
        let cells = [
            "\(start.date) \(start.minute)".cutAtEnd(to: 16).padded(to: 16),
            length.cutAtEnd(to: 7).padded(to: 7, atStart: true),
            observer(width: observerWidth),
        ]
        let front = verdict + Line(" " + cells.joined(separator: " ") + " ")
        return front + Line(callName.cutInMiddle(to: columns - front.width))
    }

    /// Columns before the observer, and the space behind it.
    private static let frontWidth = 11 + 1 + 16 + 1 + 7 + 1 + 1

    private var callName: String { summary.key.identity.call.rawValue.printable }

    private var observerName: String { summary.key.observer.rawValue.printable + attempt }

    private var attempt: String {
        summary.key.attempt > 1 ? "#\(summary.key.attempt)" : ""
    }

    private func observer(width: Int) -> String {
        let room = max(2, width - attempt.count)
        let whole = summary.key.observer.rawValue.printable
        // The end is what tells the records of a probe apart.
        let name = summary.isFromWire ? whole.cutInMiddle(to: room) : whole.cutAtEnd(to: room)
        return (name + attempt).cutAtEnd(to: width).padded(to: width)
    }

    private var verdict: Line {
        guard let score = summary.score, summary.outcome(isLive: isLive) != .notAnswered else {
            return Line(outcome.padded(to: 11))
        }
        let band = QualityBand(score: score)
        let worst = Figures.count(summary.worstScore).padded(to: 6, atStart: true)
        return Line("\(band.sign) \("\(score)".padded(to: 3, atStart: true))\(worst)", .band(band))
    }

    private var outcome: String {
        switch summary.outcome(isLive: isLive) {
        case .notAnswered: "unanswered"
        case .notConnected: "no media"
        case .connected, .unknown: "no score"
        }
    }

    /// `0:59`, `3:02:11`, or that it is going on.
    private var length: String {
        if isLive { return "live" }
        let seconds = max(0, (summary.endedAt ?? summary.lastActivity).milliseconds(since: summary.start)) / 1000
        let tail = Words.twoDigits(seconds % 60)
        guard seconds >= 3600 else { return "\(seconds / 60):\(tail)" }
        return "\(seconds / 3600):\(Words.twoDigits(seconds / 60 % 60)):\(tail)"
    }
}
