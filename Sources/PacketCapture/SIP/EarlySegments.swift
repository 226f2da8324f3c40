import RTPMeter

/// The latest segments of connections that nothing is known of: the rest of a message that has overtaken its beginning.
struct EarlySegments {
    /// A segment that begins no message.
    struct Segment {
        let flow: Flow
        /// The number of its first byte.
        let sequence: UInt32
        let payload: [UInt8]
        let wireLength: Int
        let arrival: ArrivalTime

        init(_ flow: Flow, _ sequence: UInt32, _ payload: [UInt8], wireLength: Int, at time: ArrivalTime) {
            self.flow = flow
            self.sequence = sequence
            self.payload = payload
            self.wireLength = wireLength
            arrival = time
        }
    }

    /// A ring.
    private var latest: [Segment] = []
    private var oldest = 0

    private static let mostKept = 32
    /// Segments overtake each other by less.
    private static let patienceNanoseconds: Int64 = 1_000_000_000

    mutating func add(_ segment: Segment) {
        guard latest.count >= Self.mostKept else { return latest.append(segment) }
        latest[oldest] = segment
        oldest = (oldest + 1) % Self.mostKept
    }

    /// Takes out those of a direction of a connection that lie behind a number, as far as they came just now.
    mutating func take(of flow: Flow, behind sequence: UInt32, at time: ArrivalTime) -> [Segment] {
        guard latest.contains(where: { $0.flow == flow }) else { return [] }
        let inOrder = latest[oldest...] + latest[..<oldest]
        latest = inOrder.filter { $0.flow != flow }
        oldest = 0
        return inOrder.filter { segment in
            let distance = Int32(bitPattern: segment.sequence &- sequence)
            return segment.flow == flow && (1..<Int32(TCPReassembler.maximumHeldBytes)).contains(distance)
                && time.nanoseconds(since: segment.arrival) <= Self.patienceNanoseconds
        }
    }
}
