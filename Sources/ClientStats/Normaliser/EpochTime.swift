import CallModel

/// A moment read from a number or text whose unit is not stated.
///
/// The units differ by powers of a thousand, so the size of the number tells which it is: 10¹⁷ and more are
/// nanoseconds, 10¹⁴ microseconds, 10¹¹ milliseconds, 10⁸ seconds. Below that it counts from something else than 1970.
struct EpochTime: Hashable {
    enum Unit: String {
        case nanoseconds, microseconds, milliseconds, seconds
        case text = "ISO 8601 text"
    }

    var timestamp: Timestamp
    var unit: Unit

    /// The names under which a statistics object says when it was sampled.
    static let objectNames = ["timestamp", "timestamp_us", "timestampUs"]

    /// What a statistics object says of when it was sampled; `nil` when it says nothing.
    static func value(in object: JSONObject) -> JSONValue? {
        object.firstMember(of: objectNames)?.value
    }

    /// 2000-01-01 up to 2100-01-01: moments in which a call may have been made.
    static let plausible = Timestamp(milliseconds: 946_684_800_000)..<Timestamp(milliseconds: 4_102_444_800_000)

    /// The year 2000, in which times of files are shown that count from something else than 1970: nothing can be told by
    /// being near one of these.
    static let madeUp = Timestamp(milliseconds: 946_684_800_000)..<Timestamp(milliseconds: 978_307_200_000)

    /// - Returns: `nil` when the value is no moment since 1970.
    init?(_ value: JSONValue) {
        if let number = value.number {
            self.init(number)
        } else if let time = value.text.flatMap({ ISO8601Time($0) }), time.hasZone {
            self.init(timestamp: time.timestamp, unit: .text)
        } else {
            return nil
        }
        guard Self.plausible.contains(timestamp) else { return nil }
    }

    /// The same of what came at a moment; `nil` also when it lies a year and more after that.
    ///
    /// Microseconds since the start of a machine look like seconds of 2000 to 2100 when it has run for half an hour, and
    /// like milliseconds when it has run for a month. A clock that is set wrong is rarely ahead by as much.
    init?(_ value: JSONValue, receivedAt: Timestamp) {
        self.init(value)
        guard Self.isPossible(timestamp, receivedAt: receivedAt) else { return nil }
    }

    /// Whether something that was received then may have been told of a moment. A receipt before 2000 tells nothing.
    static func isPossible(_ time: Timestamp, receivedAt: Timestamp) -> Bool {
        time.milliseconds(since: receivedAt) < yearMilliseconds || receivedAt < plausible.lowerBound
    }

    private static let yearMilliseconds: Int64 = 365 * 86_400_000

    private init(timestamp: Timestamp, unit: Unit) {
        self.timestamp = timestamp
        self.unit = unit
    }

    private init(_ number: Double) {
        unit =
            switch number {
            case 1e17...: .nanoseconds
            case 1e14...: .microseconds
            case 1e11...: .milliseconds
            default: .seconds
            }
        let milliseconds = (number / unit.perMillisecond).rounded()
        timestamp = Timestamp(milliseconds: Int64(exactly: milliseconds) ?? .max)
    }
}

extension EpochTime.Unit {
    /// How many of the unit a millisecond has.
    var perMillisecond: Double {
        switch self {
        case .nanoseconds: 1e6
        case .microseconds: 1e3
        case .milliseconds, .text: 1
        case .seconds: 1e-3
        }
    }
}
