/// What a ``RTPStreamMeter`` has measured since the start of its stream.
///
/// Everything that counts or adds up can be subtracted from a later state to have an interval.
public struct RTPStreamFigures: Hashable, Sendable {
    // MARK: Packets

    /// Every packet: `unique + duplicates + rejected`.
    public var packets: Int
    /// Distinct numbers received.
    public var unique: Int
    /// Packets with a number already seen.
    public var duplicates: Int
    /// Duplicates within 5 ms of the first copy: perhaps recorded twice rather than sent twice.
    public var closeDuplicates: Int
    /// Packets that a higher number overtook, duplicates left out.
    public var reordered: Int
    /// Packets with a number far off that the next packet did not confirm; not counted as received.
    public var rejected: Int
    /// Numbers from the lowest to the highest, added over the segments
    /// ([RFC 3550, appendix A.3](https://www.rfc-editor.org/rfc/rfc3550#appendix-A.3)).
    public var expected: Int
    /// `expected - unique`, never negative. What is lost at the very end of a stream cannot be seen.
    public var lost: Int
    /// Runs of numbers that were counted together: one more than the times that they began anew or that a gap was forgiven;
    /// 0 before the first packet.
    public var segments: Int
    /// How many times the numbers began anew. Those that go on behind a forgiven gap did not.
    public var restarts: Int
    /// Numbers missing in gaps that were forgiven, and so not in `lost`.
    public var forgivenPackets: Int
    /// Of those, the ones in gaps that ``RTPStreamMeter/forgiveGap(openSince:)`` was told of: the capture missed them.
    public var missedPackets: Int
    /// Bytes of payload, without padding, of packets with a new number.
    public var payloadBytes: Int
    /// Packets with the marker bit, duplicates included.
    public var markers: Int
    /// Packets of telephone events (RFC 4733), and how many distinct events they belong to.
    public var telephoneEventPackets: Int
    /// Distinct telephone events; their digits are not looked at.
    public var telephoneEvents: Int
    /// Packets of comfort noise.
    public var comfortNoisePackets: Int
    /// Packets of padding and nothing else.
    public var paddingPackets: Int
    /// When the first packet arrived; nil before it.
    public var firstArrival: ArrivalTime?
    /// When the last packet arrived, whatever it was; nil before the first.
    public var lastArrival: ArrivalTime?

    // MARK: Time

    /// The payload type that measures time; nil before the first media packet.
    public var payloadType: UInt8?
    /// The stream's clock; nil while not known, and then so is what follows from it.
    public var clock: RTPClock?
    /// How long a packet lasts, from the timestamps of consecutive numbers; for video, a frame. Nil while not known.
    public var packetSeconds: Double?
    /// Jitter without what the sender does: duplicates, the first packet of a segment, of a talkspurt (marker) and after
    /// another payload type, timestamp steps of 0 and less or above 2 s, and more than a second between two packets are no
    /// sample. Nil without a sample.
    public var jitter: JitterFigures?
    /// Jitter over all packets as they came, by the letter of RFC 3550, appendix A.8, for comparison with RTCP. Copies are samples,
    /// too: where a capture recorded all packets twice (`closeDuplicates`), about half of the stream's jitter.
    public var plainJitter: JitterFigures?
    /// Time between packets; nil without a pair.
    public var delta: DeltaFigures?
    /// The longest time without any packet, in seconds; never below the longest of `delta`, in whose pairs copies do not come
    /// between. Nil before the second packet.
    public var longestGapSeconds: Double?
    /// Changes of transit time of 50 ms and more, over the same pairs as `jitter`.
    public var transitSteps: TransitSteps
    /// Delays beyond the fastest packet of the last 5 to 10 s.
    public var delays: DelayHistogram
    /// Media time minus arrival time since the start, where it was furthest from 0, in seconds: negative when packets came
    /// late. Nil without a clock.
    public var skewSeconds: Double?
    /// By how many parts per million the sender's clock is fast (positive) or slow; nil with less
    /// than 10 s of stream, and where a change of the path may have been it.
    public var driftPartsPerMillion: Double?
    /// Media time of the packets received, in seconds; nil for video and while the packet time is not known.
    public var talkspurtSeconds: Double?
    /// Media time that the sender left out as silence (timestamps jump, numbers do not), in seconds; nil as above.
    public var silenceSeconds: Double?
    /// How many times sound began: the start, and every end of a silence; nil as above.
    public var talkspurts: Int?

    // MARK: Loss

    /// Runs of lost packets by length.
    public var lossRuns: LossRuns
    /// The counts behind `burstGap`, closed; subtract them for an interval.
    public var burstGapCounts: BurstGapCounter
    /// Bursts and gaps of RFC 3611, lost packets and those too late for the adaptive buffer; nil before the first packet.
    public var burstGap: BurstGapMetrics?
    /// What simulated jitter buffers would have done.
    public var buffers: JitterBufferFigures
    /// Media time missing in runs of losses of at least 0.4 s, in seconds; counted when a later packet ends the run.
    public var lossGapSeconds: Double
    /// Numbers missing in those runs.
    public var lossGapPackets: Int
    /// How many runs of missing numbers they are; at most 65,535.
    public var lossGaps: Int
    /// Time without packets above 1 s in which the sender sent none, in seconds: no number is missing, or far fewer than
    /// would have come, and nothing that had been held back came after it.
    public var pauseSeconds: Double
    /// Time without packets above 1 s after which packets that had been held back came all at once, in seconds.
    public var stallSeconds: Double
    /// The last run of losses of at least 0.4 s, or the last time without packets of `stallSeconds`; nil without one.
    public var lastLossGap: LossGap?

    /// The delay beyond the fastest packet that 95 % of the packets did not exceed, in seconds; nil without a clock.
    public var delayVariation95Seconds: Double? { delays.percentile(0.95) }
}

/// A run of losses, or a time in which packets were held back, from the last packet before it to the first after it.
public struct LossGap: Hashable, Sendable {
    /// When the last packet before the gap arrived.
    public var start: ArrivalTime
    /// When the first packet after the gap arrived.
    public var end: ArrivalTime
    /// Packets missing; 0 where all came late.
    public var lostPackets: Int

    /// Its length, in seconds.
    public var seconds: Double { end.seconds(since: start) }
}
