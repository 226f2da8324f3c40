#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Moments as clients write them: ms since 1970.
enum Milliseconds {
    /// The device's clock.
    static var now: Int64 { since1970(Date()) }

    static func since1970(_ date: Date) -> Int64 {
        Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? 0
    }
}
