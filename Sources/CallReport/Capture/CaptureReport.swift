public import CallModel

/// What a capture file holds, and the calls in it, worst first.
///
/// The text keeps to the form of ``TextReport``, the JSON to the rules of ``JSONReport``.
public struct CaptureReport: Sendable {
    private let figures: CaptureFigures
    private let calls: WorstCalls
    private let now: Timestamp
    private let hint: String?

    /// - Parameters:
    ///   - figures: The file as a whole.
    ///   - calls: What is left of its calls' records.
    ///   - now: The moment that decides which calls are live; for a file, any that is long after it.
    ///   - hint: How to see one call in full, such as `statsreport FILE --call ID`; left out without one.
    public init(_ figures: CaptureFigures, calls: WorstCalls, at now: Timestamp, hint: String? = nil) {
        self.figures = figures
        self.calls = calls
        self.now = now
        self.hint = hint
    }

    /// For people.
    public func text(style: TextStyle = TextStyle()) -> String {
        let header = CaptureHeader(figures: figures, columns: style.columns).lines
        return (header + [Line()] + Self.list(calls, at: now, hint: hint, columns: style.columns))
            .map { $0.rendered(isColoured: style.isColoured) + "\n" }.joined()
    }

    /// `{"calls": […], "capture": {…}}`: members named as in ``CaptureFigures``, every call as in ``JSONSummary``.
    ///
    /// The calls were written before, as they ended: this is what closes the text.
    public func json() -> String {
        "\n],\n\"capture\": \(figures.value.indentedText)}\n"
    }

    /// What opens the text that ``json()`` closes.
    public static let jsonOpening = "{\"calls\": ["

    /// One call of the text, in order; `isFirst` says whether any went before.
    public static func json(_ summary: CallSummary, at now: Timestamp, isFirst: Bool) -> String {
        (isFirst ? "\n" : ",\n") + JSONSummary(summary, at: now, isDirty: false).value.canonicalText
    }

    /// The table of the worst calls, and what to say of it.
    static func list(_ calls: WorstCalls, at now: Timestamp, hint: String?, columns: Int) -> [Line] {
        guard calls.records > 0 else { return [Line("No calls.")] }
        let rows = calls.worst.map { CallRow($0, isLive: $0.isLive(at: now)) }
        return CallRow.table(of: rows, columns: columns) + [Line(), CallRow.bands]
            + footer(calls, hint: hint, columns: columns)
    }

    private static func footer(_ calls: WorstCalls, hint: String?, columns: Int) -> [Line] {
        let hidden = calls.records - calls.worst.count
        let rest = hidden > 0 ? "; the worst \(calls.worst.count) are listed, \(hidden) more are not" : ""
        let amount = "\(Words.counted(calls.records, "record")), worst first\(rest)"
        let doubt =
            calls.doubtful > 0
            ? "In \(Words.counted(calls.doubtful, "record")) the capture had faults; loss may be its own." : nil
        return [amount, doubt, hint.map { "One in full: \($0.printable)" }].compactMap { $0 }
            .flatMap { Wrap.lines($0, columns: columns, indent: 0) }
    }
}

/// The lines about the file.
private struct CaptureHeader {
    let figures: CaptureFigures
    let columns: Int

    var lines: [Line] {
        let title = Wrap.lines("Capture \(figures.name.printable)", columns: columns, indent: 0)
        return title
            + [frames, contents, list("other packets", figures.otherPackets), refusals].compactMap { $0 }
            .flatMap { Wrap.lines($0, columns: columns, hanging: 4) }
            + figures.notes.flatMap { Wrap.lines($0.printable, columns: columns, hanging: 4) }
    }

    private var frames: String {
        let link = figures.linkType.map { "\($0.printable), " } ?? ""
        let amount = "\(link)\(Words.counted(figures.frames, "frame"))"
        guard let first = figures.firstFrameAt, let last = figures.lastFrameAt else { return amount }
        let length = Words.duration(milliseconds: last.milliseconds(since: first))
        return "\(amount) from \(first.iso8601) to \(last.iso8601) (\(length))"
    }

    private var contents: String {
        let items = [
            "\(Words.counted(figures.rtpPackets, "RTP packet")) in \(Words.counted(figures.streams, "stream"))",
            Words.counted(figures.rtcpPackets, "RTCP packet"), Words.counted(figures.sipMessages, "SIP message"),
            Words.counted(figures.calls, "call"),
        ]
        return items.joined(separator: ", ")
    }

    private var refusals: String? { list("frames not read", figures.refusals) }

    /// Most first.
    private func list(_ title: String, _ counts: [String: Int]) -> String? {
        let shown = counts.filter { $0.value != 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard !shown.isEmpty else { return nil }
        return "\(title): " + shown.map { "\($0.key.printable) (\($0.value))" }.joined(separator: ", ")
    }
}

extension CaptureFigures {
    /// Members named as in Swift.
    fileprivate var value: JSONValue {
        [
            "name": .string(name), "linkType": JSONValue(linkType), "frames": JSONValue(frames),
            "firstFrameAt": JSONValue(firstFrameAt), "lastFrameAt": JSONValue(lastFrameAt),
            "rtpPackets": JSONValue(rtpPackets), "rtcpPackets": JSONValue(rtcpPackets),
            "sipMessages": JSONValue(sipMessages), "streams": JSONValue(streams), "calls": JSONValue(calls),
            "otherPackets": .object(JSONObject(otherPackets.mapValues { JSONValue($0) })),
            "refusals": .object(JSONObject(refusals.mapValues { JSONValue($0) })), "notes": JSONValue(notes),
        ]
    }
}
