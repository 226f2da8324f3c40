public import CallModel

/// What a file of statistics holds, and the calls in it, worst first: as ``CaptureReport`` for captures.
public struct ImportReport: Sendable {
    private let figures: ImportFigures
    private let calls: WorstCalls
    private let now: Timestamp
    private let hint: String?

    /// - Parameters:
    ///   - figures: The file as a whole.
    ///   - calls: Its calls' records.
    ///   - now: The moment that decides which calls are live; for a file, any that is long after it.
    ///   - hint: How to see one call in full; left out without one.
    public init(_ figures: ImportFigures, calls: WorstCalls, at now: Timestamp, hint: String? = nil) {
        self.figures = figures
        self.calls = calls
        self.now = now
        self.hint = hint
    }

    /// For people; the list of calls is left out where they are shown in full.
    public func text(withList isListed: Bool = true, style: TextStyle = TextStyle()) -> String {
        let list = isListed ? [Line()] + CaptureReport.list(calls, at: now, hint: hint, columns: style.columns) : []
        return (header(columns: style.columns) + list)
            .map { $0.rendered(isColoured: style.isColoured) + "\n" }.joined()
    }

    /// Closes the text that ``CaptureReport/jsonOpening`` opened and the calls went into.
    public func json() -> String {
        "\n],\n\"file\": \(value.indentedText)}\n"
    }

    private func header(columns: Int) -> [Line] {
        let contents = [
            Words.counted(figures.reports, "report"), Words.counted(figures.events, "event"),
            Words.counted(figures.calls, "call"),
        ].joined(separator: ", ")
        let title = Wrap.lines("File \(figures.name.printable)", columns: columns, indent: 0)
        let rest = ["\(figures.format): \(contents)"] + [refusals].compactMap { $0 } + figures.firstRefusals
        return title + (rest + figures.notes).flatMap { Wrap.lines($0.printable, columns: columns, hanging: 4) }
    }

    private var refusals: String? {
        guard !figures.refusals.isEmpty else { return nil }
        let counted = figures.refusals.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        return "not read: " + counted.map { "\($0.key.rawValue) (\($0.value))" }.joined(separator: ", ")
    }

    private var value: JSONValue {
        let refusals = figures.refusals.map { ($0.key.rawValue, JSONValue($0.value)) }
        return [
            "name": .string(figures.name), "format": .string(figures.format), "reports": JSONValue(figures.reports),
            "events": JSONValue(figures.events), "calls": JSONValue(figures.calls),
            "refusals": .object(JSONObject(refusals) { first, _ in first }),
            "firstRefusals": JSONValue(figures.firstRefusals),
            "notes": JSONValue(figures.notes),
        ]
    }
}
