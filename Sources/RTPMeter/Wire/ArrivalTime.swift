/// When a packet reached the observer, to the nanosecond.
///
/// A capture's clock may be wrong or step backwards, and the time in a file may be anything at all. Differences
/// therefore saturate instead of trapping.
public struct ArrivalTime: Hashable, Sendable {
    /// Nanoseconds since 1970-01-01 00:00 UTC, leap seconds left out, as captures have it.
    public var nanoseconds: Int64

    /// A time so many nanoseconds after 1970-01-01 00:00 UTC.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// A time in the two parts that capture files and kernels give; beyond the range (year 2262) it saturates.
    ///
    /// - Parameters:
    ///   - seconds: Whole seconds since 1970-01-01 00:00 UTC.
    ///   - nanoseconds: What is to be added to them; need not be below a second.
    @inlinable
    public init(seconds: Int64, nanoseconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let whole = overflow ? (seconds < 0 ? Int64.min : Int64.max) : product
        self.init(nanoseconds: Self.sum(whole, nanoseconds))
    }

    /// Nanoseconds from `earlier` to this time; negative when `earlier` is the later one. Saturates.
    @inlinable
    public func nanoseconds(since earlier: ArrivalTime) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        guard overflow else { return difference }
        return nanoseconds < earlier.nanoseconds ? Int64.min : Int64.max
    }

    /// Seconds from `earlier` to this time; negative when `earlier` is the later one.
    ///
    /// The difference is taken in nanoseconds before it becomes a `Double`, so that an hour apart is still exact to a
    /// fraction of a microsecond.
    @inlinable
    public func seconds(since earlier: ArrivalTime) -> Double {
        Double(nanoseconds(since: earlier)) * 1e-9
    }

    /// The time so many nanoseconds later, or earlier when the number is negative. Saturates.
    @inlinable
    public func advanced(byNanoseconds step: Int64) -> ArrivalTime {
        ArrivalTime(nanoseconds: Self.sum(nanoseconds, step))
    }

    @usableFromInline
    static func sum(_ a: Int64, _ b: Int64) -> Int64 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        guard overflow else { return sum }
        return b < 0 ? Int64.min : Int64.max
    }
}

extension ArrivalTime: Comparable {
    /// Whether `a` comes before `b`.
    @inlinable
    public static func < (a: ArrivalTime, b: ArrivalTime) -> Bool {
        a.nanoseconds < b.nanoseconds
    }
}
