import ArgumentParser
import CallModel

/// A moment on the command line: ISO 8601, in UTC when no zone is given, or so long ago (`90s`, `30m`, `2h`, `7d`).
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
        } else if let time = ISO8601Time(argument) {
            self = .moment(time.timestamp)
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
}
