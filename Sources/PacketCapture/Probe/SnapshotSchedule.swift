import RTPMeter

/// When which call is due for a snapshot: every call every so many seconds, spread by when it began.
struct SnapshotSchedule {
    private var rings: [Set<Int>]
    private var ringOfCall: [Int: Int] = [:]

    init(seconds: Int) {
        rings = Array(repeating: [], count: max(1, seconds))
    }

    /// Enters a call that began at `time`; its first snapshot is due a round later.
    mutating func add(_ call: Int, at time: ArrivalTime) {
        let ring = ring(of: time)
        rings[ring].insert(call)
        ringOfCall[call] = ring
    }

    mutating func remove(_ call: Int) {
        guard let ring = ringOfCall.removeValue(forKey: call) else { return }
        rings[ring].remove(call)
    }

    /// The calls that are due at a whole second, in a fixed order.
    func due(at time: ArrivalTime) -> [Int] {
        rings[ring(of: time)].sorted()
    }

    private func ring(of time: ArrivalTime) -> Int {
        let second = time.nanoseconds / 1_000_000_000
        return Int((second % Int64(rings.count) + Int64(rings.count)) % Int64(rings.count))
    }
}
