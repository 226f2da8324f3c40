import RTPMeter

/// Puts one direction of a TCP connection ([RFC 9293](https://www.rfc-editor.org/rfc/rfc9293)) back in order.
///
/// An observer cannot ask again: what is missing for too long, or while too much waits behind it, is given up as a gap,
/// and the bytes behind it follow, with the time when they came. So is what the receiver has acknowledged: the capture
/// missed it, and nobody will send it again.
struct TCPReassembler: Sendable {
    /// A piece of the stream.
    enum Delivery: Hashable, Sendable {
        /// The next bytes, in order, and when the receiver had all up to them, as far as was seen.
        case bytes([UInt8], at: ArrivalTime)
        /// Some bytes are missing here.
        case gap
    }

    /// Bytes that came before those ahead of them.
    private struct Segment {
        var sequence: UInt32
        var payload: [UInt8]
        /// What the segment carried, also when the capture cut it.
        var wireLength: Int
        var arrival: ArrivalTime
    }

    /// At most so many bytes wait for missing ones.
    static let maximumHeldBytes = 65_536
    private static let maximumHeldSegments = 128
    /// Longer than any sender waits before it sends again what was lost once or twice.
    private static let patienceNanoseconds: Int64 = 5_000_000_000
    /// Farther from the expected number than any window of signalling: another connection on the same ports.
    private static let implausibleDistance = 1 << 20

    /// The sequence number of the next byte; `nil` before the first segment.
    private var next: UInt32?
    private var held: [Segment] = []
    private var heldBytes = 0
    /// What the receiver expects next, as it said last; `nil` before it said so.
    private var acknowledged: UInt32?

    /// Whether bytes wait for missing ones.
    var isWaiting: Bool { !held.isEmpty }

    /// Takes a segment.
    /// - Parameters:
    ///   - sequence: The number of its first byte, or of its SYN.
    ///   - isStart: Whether it has the SYN flag: the stream begins anew.
    ///   - payload: Its bytes as far as they were captured.
    ///   - wireLength: How many it had.
    ///   - time: When it arrived.
    /// - Returns: What is now known of the stream, in order.
    mutating func take(
        sequence: UInt32, isStart: Bool, payload: [UInt8], wireLength: Int, at time: ArrivalTime
    ) -> [Delivery] {
        if isStart { restart(at: sequence &+ 1) }
        let sequence = isStart ? sequence &+ 1 : sequence
        let wireLength = max(wireLength, payload.count)
        guard wireLength > 0 else { return [] }
        let expected = next ?? sequence
        next = expected
        var deliveries: [Delivery] = []
        if abs(Self.distance(sequence, from: expected)) > Self.implausibleDistance {
            restart(at: sequence)
            deliveries.append(.gap)
        }
        hold(Segment(sequence: sequence, payload: payload, wireLength: wireLength, arrival: time))
        release(into: &deliveries)
        return deliveries + expire(at: time)
    }

    /// Takes what the receiver says that it expects next.
    /// - Returns: What has waited for bytes that the receiver has.
    mutating func acknowledge(_ number: UInt32, at time: ArrivalTime) -> [Delivery] {
        acknowledged = number
        return expire(at: time)
    }

    /// Lets time pass: gives up what will not come any more.
    mutating func expire(at time: ArrivalTime) -> [Delivery] {
        var deliveries: [Delivery] = []
        while isHopeless(at: time) { giveUp(into: &deliveries) }
        return deliveries
    }

    /// Gives up all that is missing: nothing more will come.
    mutating func finish() -> [Delivery] {
        var deliveries: [Delivery] = []
        while isWaiting { giveUp(into: &deliveries) }
        return deliveries
    }

    private mutating func giveUp(into deliveries: inout [Delivery]) {
        next = held.first?.sequence
        deliveries.append(.gap)
        release(into: &deliveries)
    }

    private mutating func restart(at sequence: UInt32) {
        next = sequence
        held = []
        heldBytes = 0
        acknowledged = nil
    }

    private static func distance(_ sequence: UInt32, from other: UInt32) -> Int {
        Int(Int32(bitPattern: sequence &- other))
    }

    /// Keeps a segment in its place, unless it is a copy.
    private mutating func hold(_ segment: Segment) {
        guard let next else { return }
        let offset = Self.distance(segment.sequence, from: next)
        let place = held.firstIndex { Self.distance($0.sequence, from: next) > offset } ?? held.endIndex
        if place > 0, case let before = held[place - 1], before.sequence == segment.sequence,
            before.payload.count >= segment.payload.count
        {
            return
        }
        held.insert(segment, at: place)
        heldBytes += segment.payload.count
    }

    /// Delivers what has become next. What waited for another segment was of use when that came.
    private mutating func release(into deliveries: inout [Delivery]) {
        var time: ArrivalTime?
        while let first = held.first, let expected = next {
            let known = -Self.distance(first.sequence, from: expected)
            guard known >= 0 else { return }
            held.removeFirst()
            heldBytes -= first.payload.count
            guard known < first.wireLength else { continue }
            let completed = max(time ?? first.arrival, first.arrival)
            time = completed
            if known < first.payload.count {
                deliveries.append(.bytes(Array(first.payload[known...]), at: completed))
            }
            if first.payload.count < first.wireLength { deliveries.append(.gap) }
            next = first.sequence &+ UInt32(truncatingIfNeeded: first.wireLength)
        }
    }

    private func isHopeless(at time: ArrivalTime) -> Bool {
        guard let first = held.first else { return false }
        return isAcknowledged(upTo: first.sequence)
            || heldBytes > Self.maximumHeldBytes || held.count > Self.maximumHeldSegments
            || held.contains { time.nanoseconds(since: $0.arrival) > Self.patienceNanoseconds }
    }

    /// Whether the receiver has all bytes before a number.
    private func isAcknowledged(upTo sequence: UInt32) -> Bool {
        guard let acknowledged else { return false }
        return (0...Self.implausibleDistance).contains(Self.distance(acknowledged, from: sequence))
    }
}
