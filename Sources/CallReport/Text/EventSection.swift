import CallModel

/// What the client said happened, in order of time.
struct EventSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        let events = context.record.events
        guard !events.isEmpty else { return [Line("Events", .heading) + Line(": none reported")] }
        let anchor = context.summary.isFromWire ? "INVITE" : "callCreate"
        let heading = Line("Events", .heading) + Line(" (UTC; since start; L0, ms since \(anchor); action and type)")
        let common = shared.map { "\($0.key)=\($0.value.text ?? $0.value.canonicalText)".printable.cutAtEnd(to: 100) }
        let top =
            [heading]
            + (common.isEmpty
                ? []
                : Wrap.lines("all with " + common.sorted().joined(separator: " "), columns: context.columns, hanging: 4))
        guard events.count > Self.first + Self.last + 1 else { return top + table(events[...]) }
        let hidden = events.count - Self.first - Self.last
        return top + table(events.prefix(Self.first)) + [Line("  … \(hidden) more")]
            + table(events.suffix(Self.last))
    }

    /// Members that all events have with one value: they are told once.
    private var shared: JSONObject {
        let events = context.record.events
        guard events.count > 1, let first = events.first else { return [:] }
        return first.members.filter { name, value in events.allSatisfy { $0.members[name] == value } }
    }

    private static let first = 20
    private static let last = 5

    private func table(_ events: ArraySlice<CallEvent>) -> [Line] {
        let rows = events.map { event in
            [
                UTCTime(event.time).millisecond, context.offset(of: event.time),
                Figures.count(context.delaySinceCreation(of: event.time)),
            ]
        }
        return zip(rows, events).flatMap { row, event in
            let cells = zip(row, Self.widths).map { $0.padded(to: $1, atStart: true) }
            let prefix = "  " + cells.joined(separator: "  ") + "  "
            return Wrap.lines(words(of: event), prefix: prefix, columns: context.columns)
        }
    }

    /// Of the time, the offset and L0; longer ones push the rest to the right.
    private static let widths = [12, 10, 7]

    private func words(of event: CallEvent) -> [String] {
        let isSIP = event.action == "sip"
        let told = event.members.filter { shared[$0.key] == nil && (!isSIP || !isToldElsewhere($0, of: event)) }
        let members = told.sorted { $0.key < $1.key }.prefix(6).map { name, value in
            "\(name)=\(value.text ?? value.canonicalText)".printable.cutAtEnd(to: 100)
        }
        let texts = [event.action.printable, event.type.printable] + members
        return texts.flatMap { $0.split(separator: " ").map(String.init) }
            + (event.isContradicted ? ["(contradicted)"] : [])
    }

    /// Other names of the call stand at its head, a status is the type itself.
    private func isToldElsewhere(_ member: (key: String, value: JSONValue), of event: CallEvent) -> Bool {
        switch member.key {
        case "aliases", "userToUser": true
        case "statusCode": (member.value.text ?? member.value.canonicalText) == event.type
        default: false
        }
    }
}
