/// When the last eight numbers arrived, roughly: tells packets that were recorded twice from those that were sent twice.
struct RecentArrivals: Sendable {
    // Units of 65.5 µs, wrapping every 4.3 s.
    private var times: SIMD8<UInt16> = .zero
    // Not stored: what is stored is looked after by a lock, for each packet.
    private static var lanes: SIMD8<UInt16> { SIMD8(0, 1, 2, 3, 4, 5, 6, 7) }
    /// Almost 5 ms.
    private static let close: UInt16 = 76

    /// The first copy of a number arrived.
    @inline(__always)
    mutating func note(_ packet: MeteredPacket) {
        let lane = SIMD8<UInt16>(repeating: packet.sequenceNumber & 7)
        times.replace(with: Self.coarse(packet.arrival), where: Self.lanes .== lane)
    }

    /// Whether a copy of one of the last eight numbers arrived within 5 ms of the first.
    func isClose(_ packet: MeteredPacket) -> Bool {
        Self.coarse(packet.arrival) &- times[Int(packet.sequenceNumber & 7)] <= Self.close
    }

    @inline(__always)
    private static func coarse(_ arrival: Int64) -> UInt16 {
        UInt16(truncatingIfNeeded: arrival >> 16)
    }
}

/// The numbers that came late of those whose arrival ``RecentArrivals`` has: of each of its eight places the latest. Where one
/// of them comes again, that arrival is its own, however far back it is.
struct LateNumbers: Sendable {
    // Numbers, divided by eight: what is left over is the place. They wrap far beyond the window.
    private var eighths: SIMD8<UInt8> = .zero

    /// A number came late.
    mutating func note(_ number: UInt16) {
        eighths[Int(number & 7)] = UInt8(truncatingIfNeeded: number >> 3)
    }

    /// Whether a number is the latest of its place that came late.
    func contains(_ number: UInt16) -> Bool {
        eighths[Int(number & 7)] == UInt8(truncatingIfNeeded: number >> 3)
    }
}
