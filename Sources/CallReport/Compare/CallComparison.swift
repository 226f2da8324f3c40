public import CallModel

/// Two call records side by side: two calls, two ends of one, or two attempts.
///
/// Every figure stands with the difference and says which of the two is better; nothing is computed that is not stored.
public struct CallComparison: Sendable {
    private let first: CallSummary
    private let second: CallSummary
    private let now: Timestamp

    /// - Parameters:
    ///   - first: Shown as A.
    ///   - second: Shown as B.
    ///   - now: The moment that decides whether a call is live, on the collector's clock.
    public init(_ first: CallSummary, _ second: CallSummary, at now: Timestamp) {
        self.first = first
        self.second = second
        self.now = now
    }

    /// For people; no line is longer than ``TextStyle/columns``.
    public func text(style: TextStyle = TextStyle()) -> String {
        ComparisonText(calls: calls, now: now, columns: style.columns).blocks.filter { !$0.isEmpty }
            .map { lines in lines.map { $0.rendered(isColoured: style.isColoured) + "\n" }.joined() }
            .joined(separator: "\n")
    }

    /// `{"a", "b"}` with both summaries as in ``JSONSummary``, and under `comparison` every figure as
    /// `{"a", "b", "difference", "better"}`, by the groups of the text. `difference` is b − a; `better` is `"a"`, `"b"` or
    /// null where they are alike, one is not known, or neither is better.
    public var value: JSONValue {
        [
            "a": JSONSummary(first, at: now, isDirty: false).value,
            "b": JSONSummary(second, at: now, isDirty: false).value,
            "comparison": [
                "quality": Self.object(calls.quality), "isOnOneScale": .bool(calls.isOnOneScale),
                "costsPoints": Self.object(calls.costs), "setup": Self.object(calls.setup),
                "interruptions": Self.object(calls.interruptions), "streams": .array(calls.streams.map(Self.streams)),
            ],
        ]
    }

    /// ``value`` as indented text with sorted members.
    public func json() -> String { value.indentedText }

    private var calls: ComparedCalls { ComparedCalls(first: first, second: second) }

    private static func streams(_ pair: ComparedStreams) -> JSONValue {
        [
            "direction": .string(pair.direction.rawValue), "kind": .string(pair.kind.rawValue),
            "a": pair.first.map { .object($0.stream.jsonMembers) } ?? .null,
            "b": pair.second.map { .object($0.stream.jsonMembers) } ?? .null, "figures": object(pair.figures),
        ]
    }

    private static func object(_ figures: [ComparedFigure]) -> JSONValue {
        .object(JSONObject(figures.map { ($0.name, $0.value) }) { first, _ in first })
    }
}
