import CallModel

/// What the sender of a stream says of what it sent, through RTCP (`packetsSent` of `remote-outbound-rtp`).
struct SenderAccount: Hashable {
    /// From one sender report to a later one: by the sender's clock, or where it is not told, as they arrived.
    var seconds: Double
    /// Packets sent in between.
    var packets: Double
    /// For how much longer than the one before the network held the later one back; 0 where that is not known.
    var lateSeconds = 0.0

    /// Reports that are further apart by one clock than by the other than this were not held back: a clock was set, or counts in
    /// units of its own.
    private static let longestHeldSeconds = 15.0

    /// The account that came with `now`, since `before`.
    ///
    /// - Returns: `nil` when nothing new arrived, or the count started anew.
    init?(_ now: FarEndSample?, since before: FarEndSample?) {
        guard let arrived = now?.arrivedAt, let arrivedBefore = before?.arrivedAt, arrived > arrivedBefore,
            let sent = now?.packetsSent, let sentBefore = before?.packetsSent, sent >= sentBefore
        else { return nil }
        seconds = arrived.seconds(since: arrivedBefore)
        packets = sent - sentBefore
        guard let reported = now?.reportedAt, let reportedBefore = before?.reportedAt, reported > reportedBefore else {
            return
        }
        let late = seconds - reported.seconds(since: reportedBefore)
        guard abs(late) <= Self.longestHeldSeconds else { return }
        seconds -= late
        lateSeconds = max(0, late)
    }

    /// Seconds in which a sender that otherwise sends `rate` packets a second sent nothing.
    func idleSeconds(rate: Double) -> Double {
        rate > 0 ? max(0, seconds - packets / rate) : 0
    }
}

/// What the sender's count says of all that a stream has brought since its counters began: what came is held against all that
/// was sent, so no rate needs to be known.
///
/// The count may have begun before this end listened: it tells that little is missing, and never that much is.
struct BeginningAccount: Hashable {
    /// The sound of the packets that were sent and did not come, and of those that may have been sent since the count came.
    var mostMissingSeconds: Double
}

extension StreamDelta {
    /// More packets may have come than by the age of the count for this long, and this share of the span: its time is not exact.
    private static let countSlackSeconds = 0.5
    private static let countSlackShare = 0.05

    /// The account of a span in which the counters of a stream of sound began; `nil` where there is none, or another was counted.
    var beginningAccount: BeginningAccount? {
        guard let sent = sample.farEnd?.packetsSent, let arrivedAt = sample.farEnd?.arrivedAt, let came = firstArrivals
        else { return nil }
        let age = max(0, end.seconds(since: arrivedAt))
        let ordinary = AudioScore.ordinaryPacketSeconds
        let slack = max(Self.countSlackSeconds, Self.countSlackShare * seconds)
        guard (came - sent) * ordinary <= age + slack else { return nil }
        // The sound that was not made up came in so many packets.
        let heard = zip(counted.samples, counted.concealedSamples).map { max(0, $0 - $1) / sampleRate }
        let length = max(ordinary, came > 0 ? (heard ?? 0) / came : 0)
        return BeginningAccount(mostMissingSeconds: max(0, age + (sent - came) * length))
    }

    /// With less sound than this a stream has only begun.
    private static let leastBegunSeconds = 1.0

    /// The playout may run before the first packet comes: what it made up at one stretch in a span with next to no sound is taken
    /// for that wait, unless something tells that packets were missing.
    mutating func leaveOutWait() {
        guard counted.outageSeconds == nil, let packets = counted.packets, packets > 0,
            (packets + max(0, packetsLost ?? 0)) * AudioScore.ordinaryPacketSeconds < Self.leastBegunSeconds,
            counted.concealmentEvents == 1, let made = counted.concealedSamples, let samples = counted.samples,
            made < samples, counted.silentConcealedSamples ?? 0 > 0,
            sample.lastPacketReceivedAt.map({ end.seconds(since: $0) <= SilenceMeter.longestDTXSeconds }) ?? true,
            sample.farEnd?.packetsSent ?? 0 <= packets
        else { return }
        counted.samples = samples - made
        counted.concealedSamples = 0
        counted.silentConcealedSamples = counted.silentConcealedSamples.map { _ in 0 }
        counted.concealmentEvents = 0
    }
}
