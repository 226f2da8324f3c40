import CallModel
import Foundation

/// The clock of this machine. Only programs read one.
enum Clock {
    static func now() -> Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }

    /// After everything that a file tells: nothing of one that was read to its end is live.
    static let afterAll = Timestamp(milliseconds: .max)
}
