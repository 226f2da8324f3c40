import CallModel

/// The `time` of an event: milliseconds since 1970 by contract, as a number or as text of one.
///
/// Only a `timeUnit` beside it makes it another unit. Nothing is guessed from its size: a count of milliseconds that
/// lost its upper bits on a 32-bit device looks just like seconds.
struct EventTime {
    var timestamp: Timestamp
    /// Whether it is the receipt that stands in, because the event's own time lies before 2000 or after 2100.
    var isImplausible: Bool

    init(_ members: JSONObject, receivedAt: Timestamp) throws(Problem) {
        guard let value = members["time"], value != .null, value != .string("") else { throw .missing("time") }
        guard let number = Self.number(value) else {
            throw .wrongType("time", value, expected: "milliseconds since 1970 as a number or text")
        }
        let perMillisecond = try Self.unit(in: members)
        let milliseconds = Int64(exactly: (number / perMillisecond).rounded()).map(Timestamp.init(milliseconds:))
        isImplausible = !(milliseconds.map(EpochTime.plausible.contains) ?? false)
        timestamp = isImplausible ? receivedAt : milliseconds ?? receivedAt
    }

    private static func number(_ value: JSONValue) -> Double? {
        guard let text = value.text else { return value.number }
        var trimmed = text.drop { $0.isWhitespace }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        return ValueTypes.number(spelledBy: String(trimmed))?.number
    }

    private static func unit(in members: JSONObject) throws(Problem) -> Double {
        switch members["timeUnit"] {
        case nil, .null, "ms": return 1
        case "s": return 1e-3
        case "us": return 1e3
        case "ns": return 1e6
        case .some(let value): throw .wrongType("timeUnit", value, expected: "\"s\", \"ms\", \"us\" or \"ns\"")
        }
    }
}
