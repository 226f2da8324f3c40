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

    /// 2000-01-01 up to 2100-01-01: moments in which a call may have been made.
    static let plausible = Timestamp(milliseconds: 946_684_800_000)..<Timestamp(milliseconds: 4_102_444_800_000)

    /// - Returns: `nil` when the value is no moment since 1970.
    init?(_ value: JSONValue) {
        if let number = value.number {
            self.init(number)
        } else if let text = value.text, let timestamp = Timestamp(iso8601: text) {
            self.init(timestamp: timestamp, unit: .text)
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

extension Timestamp {
    /// Reads `2026-11-21T06:24:02.123Z` and the same with an offset; a fraction finer than a millisecond is cut.
    init?(iso8601 text: String) {
        let pattern =
            /(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})/.ignoresCase()
        guard text.utf8.count <= 40, let parts = text.wholeMatch(of: pattern)?.output,
            let year = Int64(parts.1), let month = Int64(parts.2), let day = Int64(parts.3),
            let hour = Int64(parts.4), let minute = Int64(parts.5), let second = Int64(parts.6),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let fraction = parts.7.flatMap { Int64(($0 + "00").prefix(3)) } ?? 0
        let minutes = (Self.daysSinceEpoch(year: year, month: month, day: day) * 24 + hour) * 60 + minute
        let offset = Self.offsetMinutes(parts.8)
        self.init(milliseconds: ((minutes - offset) * 60 + second) * 1000 + fraction)
    }

    private static func offsetMinutes(_ text: Substring) -> Int64 {
        let digits = text.compactMap { $0.wholeNumberValue }.map(Int64.init)
        guard digits.count == 4 else { return 0 }
        let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
        return text.hasPrefix("-") ? -minutes : minutes
    }

    /// Days from 1970-01-01 in the Gregorian calendar. The year is taken to begin in March, so that the leap day is
    /// its last day.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
