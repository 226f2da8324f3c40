import CallModel

/// Tells the round trips of old candidate pairs that can be believed.
///
/// `googRtt` of a pair begins at 3,000 ms and moves by a quarter of the way to each new measurement, so that for half a
/// minute it says more of that beginning than of the network. A value counts once the pair has stopped falling by about
/// a quarter, or is 30 s old. 3,000 itself stands for a pair that is not connected.
struct GoogRoundTrips {
    private var pairs: [Name: Course] = [:]

    private struct Name: Hashable {
        var connection: ConnectionID
        var pair: String
    }

    private struct Course {
        var firstSeen: Timestamp?
        var last: Double
        var isSettled = false
    }

    private static let initialMilliseconds = 3000.0
    private static let settlingMilliseconds: Int64 = 30_000
    /// A value below this share of the one before is still on its way down.
    private static let leastShare = 0.9

    /// Takes the next value of a pair.
    /// - Returns: the round trip in milliseconds; `nil` while it cannot be believed.
    mutating func take(_ value: Double, of pair: String, connection: ConnectionID, at time: Timestamp?) -> Double? {
        let name = Name(connection: connection, pair: pair)
        guard value >= 0, value < Self.initialMilliseconds else {
            pairs[name] = nil
            return nil
        }
        guard var course = pairs[name] else {
            pairs[name] = Course(firstSeen: time, last: value)
            return nil
        }
        let age = course.firstSeen.flatMap { first in time.map { $0.milliseconds(since: first) } }
        let isFalling = value < Self.leastShare * course.last
        course.isSettled = course.isSettled || !isFalling || (age ?? 0) >= Self.settlingMilliseconds
        course.last = value
        pairs[name] = course
        return course.isSettled ? value : nil
    }
}
