/// A moment as text in the form of [RFC 3339, section 5.6](https://www.rfc-editor.org/rfc/rfc3339#section-5.6), a profile
/// of ISO 8601: `2026-11-21T06:24:03.123Z`. Seconds, the zone, and the time of day as a whole may be missing.
public struct ISO8601Time: Hashable, Sendable {
    /// The moment, cut to whole milliseconds: in UTC where no zone is named, the first one of a day alone.
    public let timestamp: Timestamp
    /// Whether a time of day is named, and not a day alone.
    public let hasTime: Bool
    /// Whether `Z` or an offset from UTC is named.
    public let hasZone: Bool

    /// Fails when the text has another form, or names a day that no calendar has or a time that no clock shows. Second 60 is
    /// a leap second, and the first one of the next minute.
    ///
    /// - Parameter text: `2026-11-21`, `2026-11-21T06:24Z`, `2026-11-21 06:24:03.5+01:00`.
    public init?(_ text: some StringProtocol) {
        let pattern =
            /(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?([Zz]|[+-]\d\d:?\d\d)?)?/
        guard text.utf8.count <= 40, let parts = String(text).wholeMatch(of: pattern)?.output,
            let days = Self.daysSinceEpoch(
                year: Self.number(parts.1), month: Self.number(parts.2), day: Self.number(parts.3))
        else { return nil }
        let (hour, minute, second) = (Self.number(parts.4), Self.number(parts.5), Self.number(parts.6))
        let offset = Self.offsetMinutes(parts.8)
        guard hour < 24, minute < 60, second <= 60, let offset else { return nil }
        let fraction = Self.number(parts.7.map { ($0 + "00").prefix(3) })
        let minutes = (days * 24 + hour) * 60 + minute - offset
        timestamp = Timestamp(milliseconds: (minutes * 60 + second) * 1000 + fraction)
        (hasTime, hasZone) = (parts.4 != nil, parts.8 != nil)
    }

    private static func number(_ digits: Substring?) -> Int64 {
        digits.flatMap { Int64($0) } ?? 0
    }

    /// East of Greenwich; `nil` where no place is so far from it.
    private static func offsetMinutes(_ text: Substring?) -> Int64? {
        guard let text, text.uppercased() != "Z" else { return 0 }
        let (hours, minutes) = (number(text.dropFirst().prefix(2)), number(text.suffix(2)))
        guard hours < 24, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (text.first == "-" ? -1 : 1)
    }

    /// Days from 1970-01-01 in the Gregorian calendar; `nil` for a day that its month has not. The year is taken to begin in
    /// March, so that the leap day is its last one.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64? {
        guard year > 0, (1...12).contains(month), day > 0 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[Int(month) - 1] else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return 365 * shifted + leapDays + dayOfYear - 719_468
    }
}
