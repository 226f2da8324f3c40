@testable import RTPMeter

/// What the meter should find, computed the slow and plain way: all packets at hand, sets of numbers, no windows.
struct StreamOracle {
    var counts = Counts(segments: 0)
    var lossRuns: [Int: Int] = [:]
    var jitter: [Double] = []
    var plainJitter: [Double] = []
    /// Received or not, in the order of the numbers.
    var flags: [Bool] = []

    private struct Segment {
        var seen: Set<Int>
        var highest: Int
    }

    private enum Tag {
        case start
        case new
        case duplicate
        case rejected
    }

    private var segments: [Segment] = []
    private var order: [(packet: TestPacket, tag: Tag)] = []
    private let hertz: Double

    init(_ packets: [TestPacket], hertz: Double) {
        self.hertz = hertz
        counts.packets = packets.count
        var index = 0
        while index < packets.count {
            index = classify(packets, at: index)
        }
        summarise()
        measurePlain(packets)
        measure()
    }

    /// Puts one packet, or a jump with its copies, in its place. The index of the next.
    private mutating func classify(_ packets: [TestPacket], at index: Int) -> Int {
        var packet = packets[index]
        guard let highest = segments.last?.highest else {
            begin(packet)
            return index + 1
        }
        let ahead = Int(packet.number &- UInt16(truncatingIfNeeded: highest))
        if (201..<3000).contains(ahead), isTimely(packet, after: packets[index - 1]) {
            begin(packet)
            return index + 1
        }
        if ahead < 3000 || ahead > 65536 - 100 {
            add(packet, as: ahead < 3000 ? highest + ahead : highest - (65536 - ahead))
            return index + 1
        }
        let back = 65536 - ahead
        if isKnown(packet, back: back), !segments[segments.count - 1].seen.contains(highest - back) {
            add(packet, as: highest - back)
            return index + 1
        }
        let copies = packets[index...].prefix { $0.number == packet.number }
        let next = index + copies.count
        packet.seconds = packets[next - 1].seconds
        packet.timestamp = packets[next - 1].timestamp
        let isNext = next < packets.count && packets[next].number == packet.number &+ 1
        let isCopy = isKnown(packet, back: back) && !(isNext && isPaced(packets[next], after: packet))
        if isNext, !isCopy {
            begin(packet)
        } else if next < packets.count, isCopy || back < 128 {
            add(packet, as: highest - back)
        } else {
            order += copies.map { ($0, .rejected) }
            counts.rejected += copies.count
            return next
        }
        counts.duplicates += copies.count - 1
        return next
    }

    /// Whether a packet from far back has a number of this segment, and is as old as that.
    private func isKnown(_ packet: TestPacket, back: Int) -> Bool {
        guard back < 448, let segment = segments.last, segment.highest - back >= segment.seen.min() ?? .max,
            let first = order.first?.packet, let latest = latestTimed
        else { return false }
        let numbers = Int(Int16(bitPattern: latest.number &- packet.number))
        let ticks = Int(Int32(bitPattern: latest.timestamp &- packet.timestamp)) * numbers.signum()
        return ticks >= 0 && Double(ticks) / hertz <= packet.arrival.seconds(since: first.arrival) + 1
            && 2 * ticks >= numbers.magnitude * 160
    }

    /// The latest packet of the segment that has a time of its own.
    private var latestTimed: TestPacket? {
        for (packet, tag) in order.reversed() where tag == .start || tag == .new {
            if packet.kind == .media || packet.kind == .padding { return packet }
            if tag == .start { return nil }
        }
        return nil
    }

    /// Whether a packet of sound comes as soon after another as one may after the one before, by its timestamp, too.
    private func isTimely(_ packet: TestPacket, after other: TestPacket) -> Bool {
        let ticks = Double(Int32(bitPattern: packet.timestamp &- other.timestamp))
        return packet.kind == .media && hertz != 90_000 && ticks > 0 && ticks / hertz <= 0.2
            && packet.arrival.seconds(since: other.arrival) <= 0.2
    }

    private func isPaced(_ packet: TestPacket, after other: TestPacket) -> Bool {
        let ticks = Double(Int32(bitPattern: packet.timestamp &- other.timestamp))
        return ticks > 0 && 2 * packet.arrival.seconds(since: other.arrival) >= ticks / hertz
    }

    private mutating func begin(_ packet: TestPacket) {
        segments.append(Segment(seen: [Int(packet.number)], highest: Int(packet.number)))
        order.append((packet, .start))
    }

    private mutating func add(_ packet: TestPacket, as number: Int) {
        let last = segments.count - 1
        guard segments[last].seen.insert(number).inserted else {
            counts.duplicates += 1
            order.append((packet, .duplicate))
            return
        }
        counts.reordered += number < segments[last].highest ? 1 : 0
        segments[last].highest = max(segments[last].highest, number)
        order.append((packet, .new))
    }

    private mutating func summarise() {
        counts.segments = segments.count
        for segment in segments {
            counts.unique += segment.seen.count
            var run = 0
            let lowest = segment.seen.min() ?? 0
            for number in lowest...segment.highest {
                let isReceived = segment.seen.contains(number)
                flags.append(isReceived)
                if !isReceived {
                    counts.lost += 1
                    run += 1
                } else if run > 0 {
                    lossRuns[min(run, 10), default: 0] += 1
                    run = 0
                }
            }
        }
    }

    private mutating func measurePlain(_ packets: [TestPacket]) {
        var estimate = 0.0
        for (before, packet) in zip(packets, packets.dropFirst()) {
            let ticks = Double(Int32(bitPattern: packet.timestamp &- before.timestamp))
            let step = (packet.arrival.seconds(since: before.arrival)) * hertz - ticks
            estimate += (abs(step) - estimate) / 16
            plainJitter.append(estimate / hertz)
        }
    }

    private mutating func measure() {
        var estimate = 0.0
        var previous: TestPacket?
        var follows = true
        var received = 0
        for (packet, tag) in order {
            if tag == .duplicate, received == 1 {
                previous = packet
            }
            guard tag == .start || tag == .new else { continue }
            received += 1
            if tag == .start {
                previous = nil
            }
            guard packet.kind == .media || packet.kind == .padding else {
                follows = false
                continue
            }
            if packet.kind == .padding, packet.timestamp == previous?.timestamp { continue }
            if let before = previous {
                let ticks = Double(Int32(bitPattern: packet.timestamp &- before.timestamp))
                let seconds = packet.arrival.seconds(since: before.arrival)
                if follows, !packet.hasMarker, ticks > 0, ticks <= 2 * hertz, seconds <= 1 {
                    let step = seconds * hertz - ticks
                    estimate += (abs(step) - estimate) / 16
                    jitter.append(estimate / hertz)
                }
            }
            previous = packet
            follows = true
        }
    }
}

extension StreamOracle {
    /// The metrics of RFC 3611 from the definition: losses with fewer than 16 packets between them belong together.
    func burstGap(packetSeconds: Double?) -> BurstGapMetrics {
        let losses = flags.indices.filter { !flags[$0] }
        var groups: [[Int]] = []
        for loss in losses {
            if let last = groups.last?.last, loss - last - 1 < 16 {
                groups[groups.count - 1].append(loss)
            } else {
                groups.append([loss])
            }
        }
        let bursts = groups.filter { $0.count > 1 }
        let spans = bursts.map { ($0.last ?? 0) - ($0.first ?? 0) + 1 }
        let isolated = groups.count - bursts.count
        let outside = flags.count - spans.reduce(0, +) - isolated
        let inBursts = bursts.flatMap { zip($0, $0.dropFirst()).map { $1 - $0 - 1 } }
        let c22 = Double(inBursts.filter { $0 > 0 }.map { $0 - 1 }.reduce(0, +))
        let c23 = Double(inBursts.filter { $0 > 0 }.count)
        let c33 = Double(inBursts.filter { $0 == 0 }.count)
        let count = Double(bursts.count)
        let p32 = bursts.isEmpty ? 0 : c23 / (count + c23 + c33)
        let p23 = c22 + c23 == 0 ? 1 : 1 - c22 / (c22 + c23)
        let gap = Double(outside + isolated) + count
        let gapPackets = bursts.isEmpty ? gap : gap / count
        let all = gap + c22 + 2 * c23 + count + c33
        return BurstGapMetrics(
            burstDensity: bursts.isEmpty ? 0 : p23 / (p23 + p32),
            gapDensity: outside + isolated > 0 ? Double(isolated) / Double(outside + isolated) : 0,
            burstSeconds: packetSeconds.map { bursts.isEmpty ? 0 : $0 * (all / count - gapPackets) },
            gapSeconds: packetSeconds.map { $0 * gapPackets },
            bursts: bursts.count, isolatedLosses: isolated)
    }
}
