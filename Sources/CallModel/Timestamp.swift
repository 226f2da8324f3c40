/// A moment in whole milliseconds since 1970-01-01T00:00:00Z, on the clock of whoever stamped it.
public struct Timestamp: Hashable, Sendable {
    /// Milliseconds since the Unix epoch; negative before 1970.
    public var milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The length from `earlier` to this moment, in milliseconds; negative when `earlier` is the later one.
    ///
    /// Saturates at ±2⁶², so that what is added to a length of hostile times cannot overflow.
    public func milliseconds(since earlier: Timestamp) -> Int64 {
        let limit: Int64 = 1 << 62
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        guard !overflow else { return milliseconds > earlier.milliseconds ? limit : -limit }
        return min(limit, max(-limit, difference))
    }

    /// The length from `earlier` to this moment, in seconds.
    public func seconds(since earlier: Timestamp) -> Double {
        Double(milliseconds(since: earlier)) / 1000
    }

    /// The moment `length` milliseconds later; saturates at the ends of the range.
    public func advanced(byMilliseconds length: Int64) -> Timestamp {
        let (sum, overflow) = milliseconds.addingReportingOverflow(length)
        return Timestamp(milliseconds: overflow ? (length > 0 ? .max : .min) : sum)
    }
}

extension Timestamp: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

/// A length of time with a start and an end on one clock.
public struct TimeSpan: Hashable, Sendable, Codable {
    /// When it began.
    public var start: Timestamp
    /// `nil` while it has not ended, as far as the facts tell.
    public var end: Timestamp?

    /// A record keeps no more of one condition, which is more than a report can show.
    public static let mostKept = 200

    public init(start: Timestamp, end: Timestamp?) {
        self.start = start
        self.end = end
    }

    /// Length in milliseconds; `nil` while open.
    public var milliseconds: Int64? {
        end.map { $0.milliseconds(since: start) }
    }
}
