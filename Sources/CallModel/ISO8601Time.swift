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
        guard text.utf8.count <= Self.longest else { return nil }
        var form = TimeForm(Array(text.utf8))
        guard let year = form.number(digits: 4), form.take("-"), let month = form.number(digits: 2), form.take("-"),
            let day = form.number(digits: 2), let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        else { return nil }
        hasTime = !form.isAtEnd
        guard let time = hasTime ? form.timeOfDay() : 0 else { return nil }
        hasZone = !form.isAtEnd
        guard let offset = hasZone ? form.offsetMinutes() : 0, form.isAtEnd else { return nil }
        timestamp = Timestamp(milliseconds: (days * 24 * 60 - offset) * 60_000 + time)
    }

    /// A day, a time of nine decimals and an offset have 35 bytes.
    private static let longest = 35

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

/// The bytes of a moment as text that are still to be read.
private struct TimeForm {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
    }

    var isAtEnd: Bool { bytes.isEmpty }

    /// Takes the next byte if it is one of these.
    mutating func take(_ marks: String) -> Bool {
        guard let byte = bytes.first, marks.utf8.contains(byte) else { return false }
        bytes.removeFirst()
        return true
    }

    /// Takes a digit; `nil` when none comes next.
    private mutating func digit() -> Int64? {
        guard let byte = bytes.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        bytes.removeFirst()
        return Int64(byte - UInt8(ascii: "0"))
    }

    /// Takes a number of so many digits; `nil` when fewer come next.
    mutating func number(digits: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Takes `T06:24:03.123`: milliseconds since midnight, or `nil`.
    mutating func timeOfDay() -> Int64? {
        guard take("Tt "), let hour = number(digits: 2), take(":"), let minute = number(digits: 2), hour < 24,
            minute < 60
        else { return nil }
        let minutes = (hour * 60 + minute) * 60_000
        guard take(":") else { return minutes }
        guard let second = number(digits: 2), second <= 60 else { return nil }
        guard take(".") else { return minutes + second * 1000 }
        return fraction().map { minutes + second * 1000 + $0 }
    }

    /// Takes one to nine decimals: whole milliseconds, or `nil`.
    private mutating func fraction() -> Int64? {
        guard var milliseconds = digit().map({ $0 * 100 }) else { return nil }
        var worth: Int64 = 10
        for _ in 1..<9 {
            guard let digit = digit() else { break }
            milliseconds += digit * worth
            worth /= 10
        }
        return milliseconds
    }

    /// Takes `Z`, `+01:00` or `+0100`: minutes east of Greenwich, or `nil`; no place is a day from it.
    mutating func offsetMinutes() -> Int64? {
        guard !take("Zz") else { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = number(digits: 2), hours < 24 else { return nil }
        _ = take(":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
}
