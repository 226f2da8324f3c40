/// One stream over the span between two of its reports: a row of the time series.
///
/// Every figure comes from differences of W3C counters; `nil` when the members were not reported, or nothing
/// flowed that could be measured. Never 0 for "unknown".
public struct MediaInterval: Hashable, Sendable, Codable {
    /// Which stream.
    public var stream: StreamKey
    /// The report before, or the first sound after it.
    public var start: Timestamp
    /// The report that ends the span.
    public var end: Timestamp
    /// Counts the restarts of the stream's counters; intervals never span one. From 0.
    public var segment: Int

    /// Packets received (inbound) or sent (outbound) in the span, retransmissions left out where reported.
    public var packets: Int?
    /// Packets lost in the span; negative when late ones arrived. Inbound: seen here; outbound: as the far end says.
    public var packetsLost: Int?
    /// 100·lost/(lost+received), never negative; `nil` when no packet was expected or a gap was a paused stream.
    public var lossPercent: Double?
    /// Packets received but too late to play (`packetsDiscarded`).
    public var packetsDiscarded: Int?
    /// Payload bits a second, in kbit/s.
    public var bitrateKilobitsPerSecond: Double?
    /// RFC 3550 jitter at the end of the span in ms; `nil` while no packets flow. Outbound: as the far end says.
    public var jitterMilliseconds: Double?
    /// Round trip in ms from RTCP or ICE, from measurements made in the span only.
    public var roundTripMilliseconds: Double?

    /// Share of the played audio samples that were concealed, in percent.
    public var concealedPercent: Double?
    /// Share that was concealed with silence, in percent (part of ``concealedPercent``).
    public var silentConcealedPercent: Double?
    /// Share that was inserted or removed to follow the buffer (time-stretching), in percent.
    public var stretchedPercent: Double?
    /// How often concealment began.
    public var concealmentEvents: Int?
    /// Mean delay in the jitter buffer, in ms.
    public var jitterBufferMilliseconds: Double?
    /// Root mean square of the audio level in dBFS, −127...0.
    public var audioLevelDecibels: Double?

    /// Frames decoded (inbound) or sent (outbound) a second.
    public var framesPerSecond: Double?
    /// Picture width at the end of the span, in pixels.
    public var frameWidth: Int?
    /// Picture height at the end of the span, in pixels.
    public var frameHeight: Int?
    /// Seconds of freezes and pauses that ended in the span, holds taken out.
    public var frozenSeconds: Double?
    /// Freezes and pauses that ended in the span, holds taken out.
    public var freezeCount: Int?
    /// Mean quantiser of the frames; its scale depends on the codec.
    public var meanQuantizer: Double?

    /// What the encoder aims at, in kbit/s (outbound).
    public var targetKilobitsPerSecond: Double?
    /// Share of the span in which the processor limited the encoder, in percent (outbound video).
    public var cpuLimitedPercent: Double?
    /// Share of the span in which bandwidth limited the encoder, in percent (outbound video).
    public var bandwidthLimitedPercent: Double?

    /// Seconds of the span in which the stream was on hold.
    public var heldSeconds: Double
    /// Further figures, those whose members were reported.
    public var metrics: [StreamMetric: Double]

    public init(stream: StreamKey, start: Timestamp, end: Timestamp, segment: Int) {
        self.stream = stream
        self.start = start
        self.end = end
        self.segment = segment
        heldSeconds = 0
        metrics = [:]
    }

    /// Length of the span in seconds.
    public var seconds: Double { end.seconds(since: start) }
}
