public import CallModel

/// A moment on the calendar (proleptic Gregorian, UTC).
struct UTCTime {
    let year: Int64
    let month: Int64
    let day: Int64
    let millisecondOfDay: Int64

    init(_ time: Timestamp) {
        let length: Int64 = 86_400_000
        let days = time.milliseconds / length - (time.milliseconds % length < 0 ? 1 : 0)
        millisecondOfDay = Self.remainder(time.milliseconds, length)
        // Count years from March 1st of year 0, so that the leap day is the last of its year.
        let shifted = days + 719_468
        let era = (shifted - Self.remainder(shifted, 146_097)) / 146_097
        let dayOfEra = Self.remainder(shifted, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// `2026-11-21`.
    var date: String {
        let digits = String(year.magnitude)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let sign = year < 0 ? "-" : digits.count > 4 ? "+" : ""
        return "\(sign)\(padded)-\(Words.twoDigits(month))-\(Words.twoDigits(day))"
    }

    /// `12:34`.
    var minute: String {
        "\(Words.twoDigits(millisecondOfDay / 3_600_000)):\(Words.twoDigits(millisecondOfDay / 60_000 % 60))"
    }

    /// `12:34:56`.
    var second: String {
        "\(minute):\(Words.twoDigits(millisecondOfDay / 1000 % 60))"
    }

    /// `12:34:56.789`.
    var millisecond: String {
        let digits = String(millisecondOfDay % 1000)
        return "\(second).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }

    private static func remainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension Timestamp {
    /// The moment as ISO 8601 in UTC with milliseconds, `2026-11-21T06:24:03.000Z`; loses nothing.
    public var iso8601: String {
        let time = UTCTime(self)
        return "\(time.date)T\(time.millisecond)Z"
    }
}
