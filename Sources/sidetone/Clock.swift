import CallModel
import Dispatch
import Foundation
import RTPMeter

/// The wall clock: the only place where this program reads it, but for the stamps of its log.
enum Clock {
    /// Now, as facts and the retention have it.
    @Sendable static func now() -> Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }

    /// Nanoseconds since some moment in the past; only moves forward.
    @Sendable static func uptimeNanoseconds() -> Int64 {
        Int64(clamping: DispatchTime.now().uptimeNanoseconds)
    }

    /// Now, as packets have it.
    static func packetTime() -> ArrivalTime {
        ArrivalTime(nanoseconds: Int64(Date().timeIntervalSince1970 * 1_000_000_000))
    }
}
