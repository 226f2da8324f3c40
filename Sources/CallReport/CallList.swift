public import CallModel

/// A page of call records: a table for people, or JSON.
public struct CallList: Sendable {
    private let page: CallPage
    private let now: Timestamp

    /// - Parameters:
    ///   - page: What the store gave.
    ///   - now: The moment that decides which calls are live, on the collector's clock.
    public init(_ page: CallPage, at now: Timestamp) {
        self.page = page
        self.now = now
    }

    /// A line a record; ids too long for it are cut in the middle.
    public func text(style: TextStyle = TextStyle()) -> String {
        guard !page.calls.isEmpty else { return "No calls.\n" }
        let rows = page.calls.map { CallRow($0.summary, isLive: $0.summary.isLive(at: now)) }
        let observerWidth = Self.observerWidth(rows, columns: style.columns)
        let lines =
            [CallRow.heading(observerWidth: observerWidth)]
            + rows.map { $0.line(columns: style.columns, observerWidth: observerWidth) } + footer
        return lines.map { $0.rendered(isColoured: style.isColoured) + "\n" }.joined()
    }

    /// Ids are there to be copied: a UUID stays whole before the side gets room.
    private static func observerWidth(_ rows: [CallRow], columns: Int) -> Int {
        let ids = rows.map { $0.callName.columnWidth }.max() ?? 0
        let room = max(6, columns - CallRow.frontWidth - min(36, ids))
        return min(room, 24, max(4, rows.map { $0.observerName.columnWidth }.max() ?? 0))
    }

    /// `{"calls": […], "next": cursor}`, each call as in ``JSONSummary``; `next` is null on the last page.
    public var value: JSONValue {
        [
            "calls": .array(
                page.calls.map { JSONSummary($0.summary, at: now, isDirty: $0.isDirty).value }),
            "next": JSONValue(page.next?.description),
        ]
    }

    /// ``value`` as indented text with sorted members.
    public func json() -> String {
        value.indentedText
    }

    private var footer: [Line] {
        let bands = QualityBand.allCases.map { band in
            band == .bad ? "\(band.sign) bad" : "\(band.sign) \(band.rawValue) ≥ \(band.lowestScore)"
        }
        let more = page.next == nil ? "" : ", and there are more"
        return [Line(), Line(bands.joined(separator: "  ")), Line(Words.counted(page.calls.count, "record") + more)]
    }
}

/// One line of the list.
private struct CallRow {
    let summary: CallSummary
    let isLive: Bool

    init(_ summary: CallSummary, isLive: Bool) {
        self.summary = summary
        self.isLive = isLive
    }

    static func heading(observerWidth: Int) -> Line {
        let cells = [
            "score worst".padded(to: 11), "start (UTC)".padded(to: 16), "length".padded(to: 7, atStart: true),
            "side".padded(to: observerWidth), "call",
        ]
        return Line(cells.joined(separator: " "), .heading)
    }

    func line(columns: Int, observerWidth: Int) -> Line {
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
    static let frontWidth = 11 + 1 + 16 + 1 + 7 + 1 + 1

    var callName: String { summary.key.identity.call.rawValue.printable }

    var observerName: String { summary.key.observer.rawValue.printable + attempt }

    private var attempt: String {
        summary.key.attempt > 1 ? "#\(summary.key.attempt)" : ""
    }

    private func observer(width: Int) -> String {
        let name = summary.key.observer.rawValue.printable.cutAtEnd(to: max(2, width - attempt.count))
        return (name + attempt).cutAtEnd(to: width).padded(to: width)
    }

    private var verdict: Line {
        guard let score = summary.score else { return Line(outcome.padded(to: 11)) }
        let band = QualityBand(score: score)
        let worst = Figures.count(summary.worstScore).padded(to: 6, atStart: true)
        return Line("\(band.sign) \("\(score)".padded(to: 3, atStart: true))\(worst)", .band(band))
    }

    private var outcome: String {
        switch summary.outcome {
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
