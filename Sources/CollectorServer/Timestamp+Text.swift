public import CallModel
import Foundation

extension Timestamp {
    /// Reads ISO 8601 with a time zone, a date alone, or milliseconds since 1970.
    public init?(parsing text: String) {
        if let milliseconds = Int64(text) {
            self.init(milliseconds: milliseconds)
        } else if let time = ISO8601Time(text), time.hasZone || !time.hasTime {
            self = time.timestamp
        } else {
            return nil
        }
    }

    /// The moment in UTC, such as `2027-01-31T12:00:00Z`.
    public var iso8601: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }
}
