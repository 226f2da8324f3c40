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
        let lines = CallRow.table(of: rows, columns: style.columns) + footer + damaged(columns: style.columns)
        return lines.map { $0.rendered(isColoured: style.isColoured) + "\n" }.joined()
    }

    /// `{"calls": […], "next": cursor}`, each call as in ``JSONSummary``; `next` is null on the last page.
    public var value: JSONValue {
        [
            "calls": .array(
                page.calls.map {
                    JSONSummary($0.summary, at: now, isDirty: $0.isDirty, damage: $0.damage).value
                }),
            "next": JSONValue(page.next?.description),
        ]
    }

    /// ``value`` as indented text with sorted members.
    public func json() -> String {
        value.indentedText
    }

    private var footer: [Line] {
        let more = page.next == nil ? "" : ", and there are more"
        return [Line(), CallRow.bands, Line(Words.counted(page.calls.count, "record") + more)]
    }

    /// Of what cannot be read whole a row has just what can.
    private func damaged(columns: Int) -> [Line] {
        page.calls.filter { !$0.damage.isEmpty }.flatMap { call in
            let key = call.summary.key
            let name = "\(key.identity.call.rawValue), \(key.observer.rawValue)".printable
            return Wrap.lines("\(name): \(JSONDamage.words(call.damage))", columns: columns, hanging: 4)
        }
    }
}
