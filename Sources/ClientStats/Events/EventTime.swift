import CallModel

/// The `time` of an event: milliseconds since 1970 by contract, as a number or as text of one; or a moment of ISO 8601 with its
/// zone, as statistics may have.
///
/// A `timeUnit` beside it makes it another unit. Without one it is in seconds, µs or ns only where that makes it a moment within
/// a day of the receipt, and nothing else does: a count of milliseconds that lost its upper bits on a 32-bit device looks just
/// like seconds.
struct EventTime {
    var timestamp: Timestamp
    /// Whether the event's own time lies before 2000 or after 2100.
    var isImplausible: Bool
    /// The event's own time where the receipt stands in for it, and it is a number of 64 bits: tells such events apart.
    var replaced: Int64?
    /// The event's own time in milliseconds where the receipt stands in for it, and it fits 32 bits: what a device of 32
    /// bits left of it, or what it counts from something else than 1970.
    var counted: Int64?
    /// Whether the receipt stands in.
    var isReceipt: Bool

    init(_ members: JSONObject, receivedAt: Timestamp) throws(Problem) {
        guard let value = members["time"], value != .null, value != .string("") else { throw .missing("time") }
        let moment = value.text.flatMap { ISO8601Time(Self.trimmed($0)) }.flatMap { $0.hasZone ? $0.timestamp : nil }
        guard let number = moment.map({ Double($0.milliseconds) }) ?? Self.number(value) else {
            throw .wrongType("time", value, expected: "milliseconds since 1970 as a number or text")
        }
        let perMillisecond = moment == nil ? try Self.unit(in: members) : 1
        let milliseconds = Int64(exactly: (number / perMillisecond).rounded()).map(Timestamp.init(milliseconds:))
        let plausible = milliseconds.flatMap { EpochTime.plausible.contains($0) ? $0 : nil }
        let whole = perMillisecond == 1 ? milliseconds.flatMap { Self.unwrapped($0, near: receivedAt) } : nil
        let isUnitKnown = members["timeUnit"].map { $0 != .null } ?? false
        let scaled = plausible ?? whole == nil && !isUnitKnown ? Self.inOtherUnit(number, near: receivedAt) : nil
        isImplausible = plausible == nil && scaled == nil
        isReceipt = isImplausible && whole == nil
        counted = isReceipt ? milliseconds.map(\.milliseconds).flatMap { Int32(exactly: $0).map(Int64.init) } : nil
        replaced = isReceipt ? Int64(exactly: number.rounded()) : nil
        timestamp = plausible ?? whole ?? scaled ?? receivedAt
    }

    /// The time on a device that keeps milliseconds since 1970 in 32 bits (a `long` of iOS before 64 bits): of the moments
    /// that it may mean the nearest to the receipt, the same for every retry.
    /// - Returns: `nil` when that is more than a day away, or the time is 0 or near it, as that of a clock which was never
    ///   set or counts from its start: then it is hardly one of these. So it is where the receipt is made up: seconds since
    ///   1970 would be taken for milliseconds of the turn of 2000.
    private static func unwrapped(_ time: Timestamp, near receipt: Timestamp) -> Timestamp? {
        guard Int32(exactly: time.milliseconds) != nil, abs(time.milliseconds) > 6 * 3_600_000,
            !EpochTime.madeUp.contains(receipt)
        else { return nil }
        let distance = Int64(Int32(truncatingIfNeeded: time.milliseconds &- receipt.milliseconds))
        return abs(distance) <= dayMilliseconds ? receipt.advanced(byMilliseconds: distance) : nil
    }

    /// The time in the unit that its size makes likely; `nil` where that is more than a day away from the receipt.
    private static func inOtherUnit(_ number: Double, near receipt: Timestamp) -> Timestamp? {
        let time = EpochTime(JSONValue(fraction: number))?.timestamp
        return time.flatMap { abs($0.milliseconds(since: receipt)) <= dayMilliseconds ? $0 : nil }
    }

    private static let dayMilliseconds: Int64 = 86_400_000

    private static func number(_ value: JSONValue) -> Double? {
        guard let text = value.text else { return value.number }
        return ValueTypes.number(spelledBy: String(trimmed(text)))?.number
    }

    private static func trimmed(_ text: String) -> Substring {
        var trimmed = text.drop { $0.isWhitespace }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        return trimmed
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
