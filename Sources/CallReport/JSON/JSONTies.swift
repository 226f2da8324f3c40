import CallModel

/// What else a call is called, and which other calls are the same one.
struct JSONTies {
    /// The other names.
    let names: JSONValue
    /// The other calls, and what says so.
    let relatedCalls: JSONValue

    init(_ ties: CallTies) {
        names = .array(ties.names.filter(\.isCertain).map(Self.name))
        relatedCalls = .array(
            ties.related.map { related in
                [
                    "callId": .string(related.identity.call.rawValue), "attempt": JSONValue(related.attempt),
                    "knownBy": Self.names(related.links), "isGuess": .bool(related.isGuess),
                ]
            })
    }

    static func names(_ names: [CallName]) -> JSONValue { .array(names.map(name)) }

    private static func name(_ name: CallName) -> JSONValue {
        ["kind": .string(name.kind.rawValue), "name": .string(name.text), "source": .string(name.source)]
    }
}
