public import CallModel
import Foundation

extension Timestamp {
    /// Reads ISO 8601 with a time zone, a date alone, or milliseconds since 1970.
    ///
    /// A whole number of a moment before 2000 is refused: it is hardly milliseconds, but a year, or seconds.
    public init?(parsing text: String) {
        if let milliseconds = Int64(text) {
            guard milliseconds >= Self.leastMilliseconds else { return nil }
            self.init(milliseconds: milliseconds)
        } else if let time = ISO8601Time(text), time.hasZone || !time.hasTime {
            self = time.timestamp
        } else {
            return nil
        }
    }

    /// 2000-01-01T00:00:00Z.
    private static let leastMilliseconds: Int64 = 946_684_800_000

    /// The moment in UTC, such as `2027-01-31T12:00:00Z`.
    public var iso8601: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }
}
