public import CallModel
import Foundation

extension Timestamp {
    /// Reads ISO 8601 with a time zone, a date alone, or milliseconds since 1970.
    public init?(parsing text: String) {
        if let milliseconds = Int64(text) {
            self.init(milliseconds: milliseconds)
            return
        }
        guard Self.isDay(text.prefix(10)) else { return nil }
        let plain = Date.ISO8601FormatStyle()
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for style in [plain, fractional, Self.day] {
            guard let date = try? style.parse(text) else { continue }
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
            guard let whole = Int64(exactly: milliseconds) else { return nil }
            self.init(milliseconds: whole)
            return
        }
        return nil
    }

    private static let day = Date.ISO8601FormatStyle().year().month().day()

    /// Foundation takes the 30th of February for the 2nd of March.
    private static func isDay(_ text: Substring) -> Bool {
        (try? day.parse(String(text))).map { $0.formatted(day) == text } ?? false
    }

    /// The moment in UTC, such as `2027-01-31T12:00:00Z`.
    public var iso8601: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }
}
