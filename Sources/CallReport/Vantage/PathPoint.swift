import CallModel

/// What is known of a stream at one point of its way, over the time that all who measured it have in common.
struct PathPoint: Hashable {
    /// Where on the way.
    var place: StreamSighting.Place
    /// Who stands there; `nil` for an end that told it by RTCP.
    var observer: ObserverID?
    /// The sensor of a probe, else the observer, in a word.
    var name: String?
    /// Packets sent there, seen or received. By RTCP: sent up to the last report; how many came, no report says.
    var packets: Double?
    /// Packets that should have been seen there, by their numbers.
    private var expected: Double?
    /// Packets that were missing there, by their numbers; `nil` at the sender.
    var lost: Double?
    /// Of them, those that a probe missed and the receiver has, at most.
    var unrecorded = 0.0
    /// Packets and losses that may lie outside of that time.
    var uncertainPackets = 0.0
    var uncertainLost = 0.0
    /// The least and the most packets that may lie in it.
    var leastPackets = 0.0
    var mostPackets = 0.0
    /// Mean jitter there, in ms.
    var jitterMilliseconds: Double?
    /// The largest at a probe over every packet as it came (RFC 3550 A.8), in ms. Infinite where it recorded packets twice: nobody
    /// knows how much less the copies make of it.
    private(set) var plainJitterMilliseconds: Double?
    /// Packets that the receiver discarded: too late to be played, or with pictures that it dropped.
    var discarded: Double?
    /// Of those, the ones that went with pictures that the receiver dropped.
    var discardedWithPictures = 0.0
    /// Samples made up, in percent of those played.
    var concealedPercent: Double?

    /// Whether an end told it by RTCP.
    var isOfControl: Bool { observer == nil }

    /// Missing of those that should have been seen, 0...100 %.
    var lossPercent: Double? {
        guard let lost, let expected, expected > 0 else { return nil }
        return min(100, max(0, 100 * lost / expected))
    }

    /// Missing there though they passed, 0...100 %; part of ``lossPercent``.
    var unrecordedPercent: Double {
        guard let lossPercent, let expected, expected > 0 else { return 0 }
        return min(lossPercent, 100 * unrecorded / expected)
    }

    /// How far ``lossPercent`` may be off: three packets on their way, and what lies at the edges of the time.
    var uncertainPercent: Double {
        guard let expected else { return 100 }
        return min(100, 100 * (3 + uncertainLost) / max(1, expected))
    }
}

extension PathPoint {
    init(_ sighting: StreamSighting, in span: ClosedRange<Timestamp>) {
        let count = sighting.count(in: span)
        place = sighting.place
        observer = sighting.view.summary.key.observer
        name = sighting.view.isProbe ? sighting.view.sensor : observer?.rawValue
        packets = count.packets
        lost = sighting.place == .sender ? nil : count.lost
        expected = count.packets + max(0, count.lost ?? 0)
        (uncertainPackets, uncertainLost) = (count.uncertainPackets, count.uncertainLost)
        (leastPackets, mostPackets) = (count.leastPackets, count.mostPackets)
        guard sighting.place != .sender else { return }
        jitterMilliseconds = count.jitter
        (discarded, concealedPercent) = (count.discarded, count.concealedPercent)
        discardedWithPictures = count.discardedWithPictures
        guard sighting.view.isProbe else { return }
        unrecorded = Double(sighting.stream?.wire?.packetsUnrecorded ?? 0)
        // A probe's are those of a simulated buffer.
        (discarded, concealedPercent) = (nil, nil)
        let isDoubled = sighting.stream?.wire?[.packetsRecordedTwice] ?? 0 > 0
        plainJitterMilliseconds = sighting.stream?.wire?[.maximumPlainJitter].map { isDoubled ? .infinity : 1000 * $0 }
    }

    /// What a probe saw of a stream on its way to a relay, of which it sees both sides, from beginning to end.
    init(before relay: WireStream, seenBy view: VantageView) {
        (place, observer, name) = (.probe, view.summary.key.observer, "\(view.sensor) before the relay")
        (packets, lost) = (relay[.packetsReceived], relay[.packetsLost])
        expected = (packets ?? 0) + (lost ?? 0)
        jitterMilliseconds = relay[.meanJitter].map { 1000 * $0 }
    }

    /// A probe at which nothing of a stream was seen.
    init(nothingSeenBy view: VantageView) {
        (place, observer, name, packets) = (.probe, view.summary.key.observer, view.sensor, 0)
    }

    /// What a sender told by RTCP.
    init(sent packets: Double) {
        (place, self.packets) = (.sender, packets)
    }

    /// What a receiver told by RTCP. What lies at either edge of `seconds` is not in its reports, which come every 5 s
    /// (RFC 3550 §6.2).
    init(received lost: Double, of expected: Double, over seconds: Double, jitter: Double?) {
        (place, self.lost, self.expected) = (.receiver, lost, expected)
        uncertainLost = abs(lost) * min(1, 10 / max(1, seconds))
        jitterMilliseconds = jitter
    }
}
