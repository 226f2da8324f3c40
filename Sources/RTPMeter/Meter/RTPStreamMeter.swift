/// Measures one RTP stream: one SSRC between one pair of addresses and ports.
///
/// Takes the headers of its packets in the order in which they were captured and keeps what a receiver would know about
/// them: which numbers are missing ([RFC 3550, appendix A.1](https://www.rfc-editor.org/rfc/rfc3550#appendix-A.1)), how
/// evenly the packets came (appendix A.8), how losses cluster
/// ([RFC 3611, section 4.7.2](https://www.rfc-editor.org/rfc/rfc3611#section-4.7.2)) and how many would have missed their
/// turn in a jitter buffer. ``figures()`` says it all, since the start of the stream.
///
/// A plain value without allocations: what every packet touches lies together at its front, so that a hundred thousand
/// streams cost little more each than one. Any header and any time is accepted; times may run backwards.
public struct RTPStreamMeter: Sendable {
    /// What one packet turned out to be in the order of its stream.
    public enum Verdict: UInt8, Hashable, Sendable {
        /// The highest number so far, whether or not numbers before it are missing.
        case inOrder
        /// Not seen before, and overtaken by a packet with a higher number.
        case late
        /// A number already seen.
        case duplicate
        /// The sender began anew with other numbers: the second of two packets that agree, or the first after a forgiven gap.
        case restart
        /// A number far off that no second packet has confirmed; not counted as received unless the next packet confirms it.
        case rejected
    }

    // What every packet touches.
    /// Arrival and timestamp of the packet before, whatever it was.
    var lastArrival: Int64 = 0
    /// Arrival and timestamp of the last packet that measures time.
    var referenceArrival: Int64 = 0
    var lastTimestamp: UInt32 = 0
    var referenceTimestamp: UInt32 = 0
    /// 0 while the clock is not known.
    var secondsPerTick = 0.0
    var hertz: UInt32 = 0
    var markers: UInt32 = 0
    var plainJitter = JitterEstimator()
    var referenceSequence: UInt16 = 0
    var mainPayloadType: UInt8 = 0xff
    var mainVotes: UInt8 = 0
    var jitter = JitterEstimator()
    var reordered: UInt32 = 0
    var transit = TransitTracker()
    /// The first packet, an unconfirmed jump: the next packet takes the careful way.
    var needsCare = true
    var hasReference = false
    var precededBy = Predecessor.media
    var packetTime = PacketTimeEstimator()
    var clockSource = RTPClock.Source.inferred
    /// Whether the next packet is measured against one that came very late.
    var followsFarBehind = false
    /// Times that the sender was silent and numbered on, up to 255.
    var silences: UInt8 = 0
    var payloadBytes: UInt64 = 0
    var recent = RecentArrivals()
    var buffers = JitterBufferModel()
    var deltas = DeltaStatistics()
    var longestGapSeconds: Float = 0
    /// Not this; here is room for it.
    var late = LateNumbers()
    var delays = DelayHistogram()
    var closeDuplicates: UInt32 = 0
    var talkspurts: UInt32 = 0
    /// Of this, only the front.
    var sequence = SequenceTracker()

    // What only some packets touch. The order leaves no holes.
    var ledger = LossLedger()
    var sharedTimestamps: UInt32 = 0
    var longSteps = LongSteps()
    /// Runs of missing numbers among the gaps of ``GapLedger/lossSeconds``.
    var lossGaps: UInt16 = 0
    var segments: UInt32 = 0
    var transitSteps = TransitSteps()
    var drift = DriftEstimator()
    var gaps = GapLedger()
    var others = OtherPackets()
    var candidate = JumpCandidate()
    var closedExpected: UInt64 = 0
    var silenceTicks: UInt64 = 0
    var firstArrival: Int64 = 0

    /// What lies before the packet at hand: after something other than media, timing starts afresh.
    enum Predecessor: UInt8 {
        case media
        case noise
        case other
    }

    /// One second, in nanoseconds.
    static let second: Int64 = 1_000_000_000

    /// A meter for a stream of which nothing was seen yet.
    ///
    /// - Parameter clock: Nil when not known; a stream of a static payload type then takes its clock from RFC 3551.
    ///   Without a clock, everything that needs none is measured.
    public init(clock: RTPClock? = nil) {
        if let clock {
            setClock(clock)
        }
    }

    /// Takes the next packet, in the order of capture.
    ///
    /// - Parameters:
    ///   - header: The packet's header.
    ///   - arrival: When it was captured.
    ///   - payloadBytes: Bytes of payload without padding.
    ///   - kind: What the packet carries.
    /// - Returns: What the packet is in the order of the stream.
    public mutating func take(
        _ header: RTPHeader, arrival: ArrivalTime, payloadBytes: Int, kind: PacketKind
    ) -> Verdict {
        take(MeteredPacket(header, arrival: arrival, payloadBytes: payloadBytes, kind: kind))
    }

    @inline(__always)
    mutating func take(_ packet: MeteredPacket) -> Verdict {
        let arrivalStep = packet.arrival &- lastArrival
        if sequence.unique > 0 {
            noteArrival(of: packet, step: arrivalStep)
        }
        let verdict: Verdict
        if sequence.step(to: packet.sequenceNumber) == 1, !needsCare {
            sequence.advance(settling: &ledger)
            measure(packet, back: 0)
            verdict = .inOrder
        } else {
            verdict = takeWithCare(packet, arrivalStep: arrivalStep)
        }
        lastArrival = packet.arrival
        lastTimestamp = packet.timestamp
        return verdict
    }

    /// What holds for every packet after the first, duplicates and strays included: plain jitter, time without packets.
    @inline(__always)
    private mutating func noteArrival(of packet: MeteredPacket, step: Int64) {
        let seconds = Double(step) * 1e-9
        if hertz != 0 {
            let media = Int32(bitPattern: packet.timestamp &- lastTimestamp)
            plainJitter.update(transitStep: seconds - Double(media) * secondsPerTick)
        }
        let rounded = Float(seconds)
        longestGapSeconds = rounded > longestGapSeconds ? rounded : longestGapSeconds
        if step > Self.second {
            notePause(before: packet, step: step)
        }
    }

    /// Seconds since the last packet of any sort; nil before the first. Never negative.
    public func openGap(at time: ArrivalTime) -> Double? {
        guard sequence.unique > 0 else { return nil }
        return max(0, time.seconds(since: ArrivalTime(nanoseconds: lastArrival)))
    }

    /// The payload type that measures time: the one that most packets of late carry. Nil before the first media packet.
    public var payloadType: UInt8? {
        mainPayloadType == 0xff ? nil : mainPayloadType
    }

    /// The stream's clock; nil while not known.
    public var clock: RTPClock? {
        RTPClock(hertz: hertz, source: clockSource)
    }

    /// Sets the clock, for example when signalling arrives after the media. Another rate than before starts timing afresh:
    /// what was measured so far remains, and no pair of packets is measured across the change. An inferred clock that turns
    /// out to be another one was wrong from the start, and so was the jitter measured with it: that is forgotten.
    public mutating func setClock(_ clock: RTPClock?) {
        let wasInferred = clockSource == .inferred
        clockSource = clock?.source ?? .inferred
        let ticks = clock?.hertz ?? 0
        guard ticks != hertz else { return }
        if wasInferred, hertz != 0 { restartTiming() }
        if hertz == 0 || ticks == 0 { keepSilence(inTicksOf: ticks) }
        count(inTicksOf: ticks)
    }

    /// Sets a clock that the stream has had from the start, though signalling or the table of RFC 3551 told another one: what
    /// was measured by that one is forgotten.
    public mutating func correct(clock: RTPClock) {
        restartTiming()
        buffers = JitterBufferModel()
        setClock(clock)
    }

    /// Goes on with another clock, or with none that is known: what was measured so far was right by the one before, and
    /// remains. No pair of packets is measured across the change.
    mutating func goOn(with clock: RTPClock?) {
        clockSource = clock?.source ?? .inferred
        let ticks = clock?.hertz ?? 0
        guard ticks != hertz else { return }
        keepSilence(inTicksOf: ticks)
        count(inTicksOf: ticks)
    }

    private mutating func count(inTicksOf hertz: UInt32) {
        self.hertz = hertz
        secondsPerTick = hertz == 0 ? 0 : 1 / Double(hertz)
        hasReference = false
        packetTime = PacketTimeEstimator()
        longSteps = LongSteps()
    }

    /// Ticks of another length, and a silence as long as before: nanoseconds while the clock is not known.
    private mutating func keepSilence(inTicksOf hertz: UInt32) {
        let (before, after) = (self.hertz == 0 ? 1e9 : Double(self.hertz), hertz == 0 ? 1e9 : Double(hertz))
        silenceTicks = UInt64(min((Double(silenceTicks) * after / before).rounded(), 1e18))
    }

    private mutating func restartTiming() {
        plainJitter = JitterEstimator()
        jitter = JitterEstimator()
        transit = TransitTracker()
        transitSteps = TransitSteps()
        drift = DriftEstimator()
        delays = DelayHistogram()
    }
}
