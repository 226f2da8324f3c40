import ArgumentParser
import CallModel

/// A moment on the command line: ISO 8601, or so long ago (`90s`, `30m`, `2h`, `7d`).
enum TimeArgument: Hashable {
    case moment(Timestamp)
    case ago(milliseconds: Int64)

    /// The moment meant, at `now`.
    func timestamp(at now: Timestamp) -> Timestamp {
        switch self {
        case .moment(let time): time
        case .ago(let length): now.advanced(byMilliseconds: -length)
        }
    }
}

extension TimeArgument: ExpressibleByArgument {
    init?(argument: String) {
        if let length = Self.length(argument) {
            self = .ago(milliseconds: length)
        } else if let time = Self.moment(argument) {
            self = .moment(time)
        } else {
            return nil
        }
    }

    private static func length(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count >= 0 else {
            return nil
        }
        let (length, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? nil : length
    }

    /// `2026-11-21`, `2026-11-21T06:24Z`, `2026-11-21T06:24:03.5+01:00`; UTC when no zone is given.
    private static func moment(_ text: String) -> Timestamp? {
        let pattern =
            /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?(?:Z|([+-])(\d\d):?(\d\d))?)?/
        guard let match = text.wholeMatch(of: pattern)?.output else { return nil }
        let part = { (digits: Substring?) in digits.flatMap { Int64($0) } ?? 0 }
        let (month, day, hour, minute, second) =
            (part(match.2), part(match.3), part(match.4), part(match.5), part(match.6))
        guard (1...12).contains(month), (1...31).contains(day), hour < 25, minute < 60, second < 61 else { return nil }
        let days = daysSince1970(year: part(match.1), month: month, day: day)
        let fraction = match.7.map { $0 + String(repeating: "0", count: 3 - $0.count) }
        let zone = (part(match.9) * 60 + part(match.10)) * (match.8 == "-" ? -1 : 1)
        let seconds = days * 86_400 + hour * 3600 + (minute - zone) * 60 + second
        return Timestamp(milliseconds: seconds * 1000 + (fraction.flatMap { Int64($0) } ?? 0))
    }

    /// Days of the proleptic Gregorian calendar, counted in years that begin on March 1st.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
