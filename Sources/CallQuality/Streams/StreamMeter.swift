import CallModel

/// What the inbound audio of a connection has told of a span, for the streams that say less.
struct ConnectionState {
    /// Seconds for which the playout stood still.
    var heldSeconds = 0.0
    /// Seconds in which, as the client says, nobody could expect media of the stream's kind.
    var excusedSeconds = 0.0
    /// Whether sound was missing.
    var isDark = false
}

/// Follows one stream from report to report and says what happened in between.
struct StreamMeter: Codable {
    let stream: StreamKey
    private(set) var previous: StreamSample
    private(set) var segment = 0
    /// Counters of finished segments; the running one's are in ``previous``.
    private var finished = CounterSet()
    /// Packets a second when packets last flowed.
    private var liveRate: Double?
    /// For how long no packet has come, by the reports.
    private var stoppedSeconds = 0.0
    /// Whether the connection was dead meanwhile: what then stopped was not paused.
    private var stoppedInBlackout = false
    /// Whether sound was missing when the last report was taken.
    private var isDark = false
    /// Seconds of hold that a freeze reported later may still contain.
    private var holdCredit = 0.0
    /// Whether the span before was on hold, or part of it.
    private var wasHeld = false
    private var lastFarEnd: FarEndSample?
    private var allowance: Allowance?
    /// Seconds of silence at the end of the last span, too short to call them a blackout yet.
    private var silenceBefore = 0.0

    /// Starts at the first report that mentions the stream.
    ///
    /// `previousReport` is the report before, of the same connection, which did not mention it: the counters then
    /// began at zero after that.
    init(stream: StreamKey, first sample: StreamSample, previousReport: Timestamp?) {
        self.stream = stream
        previous = sample
        if let firstPacketAt = sample.firstPacketAt, firstPacketAt < sample.time {
            previous = StreamSample(time: firstPacketAt, counters: .zero(like: sample.counters))
            return
        }
        guard let previousReport else {
            lastFarEnd = sample.farEnd
            return
        }
        previous = StreamSample(time: previousReport, counters: .zero(like: sample.counters))
    }

    /// The stream's counters over all segments.
    var total: CounterSet {
        var total = finished
        total += previous.counters
        return total
    }

    /// Takes the next report. `connection` is what the connection's audio has told of the same span.
    ///
    /// - Returns: what happened since the last one; `nil` when no time has passed.
    mutating func take(_ sample: StreamSample, connection: ConnectionState) -> StreamDelta? {
        guard sample.time > previous.time else { return nil }
        var base = previous.counters
        let isRestart = sample.counters.hasRestarted(since: base)
        if isRestart {
            finished += base
            segment += 1
            base = .zero(like: sample.counters)
        }
        var delta = StreamDelta(
            start: previous.time, end: sample.time, segment: segment,
            counted: sample.counters.difference(since: base), sample: sample)
        delta.metricCounters = sample.metricCounters.difference(since: previous.metricCounters, isRestart: isRestart)
        measureRoundTrips(&delta)
        if stream.direction == .inbound {
            startWithMedia(&delta, base: base)
            measureHold(&delta, connectionHold: max(connection.heldSeconds, connection.excusedSeconds))
            if connection.excusedSeconds > 0, stream.kind == .audio { excuse(&delta, connection.excusedSeconds) }
            forgiveTransition(&delta)
            takeOutResumeGap(&delta)
            if stream.kind == .audio { measureSilence(&delta) } else { takeHoldsOutOfFreezes(&delta) }
        }
        remember(sample, delta, connection)
        return delta
    }

    private mutating func remember(_ sample: StreamSample, _ delta: StreamDelta, _ connection: ConnectionState) {
        if delta.counted.packets == 0 {
            stoppedSeconds += delta.seconds
            stoppedInBlackout =
                stoppedInBlackout || connection.isDark
                || delta.darkEvidence.contains("silentConcealedSamples")
        } else {
            stoppedSeconds = 0
            stoppedInBlackout = false
        }
        if let packets = delta.counted.packets, packets > 0, delta.activeSeconds > 0 {
            liveRate = packets / delta.activeSeconds
        }
        if let farEnd = sample.farEnd { lastFarEnd = farEnd }
        let codec = sample.codec ?? previous.codec
        previous = sample
        previous.codec = codec
    }

    /// A span in which media began counts from the first sound, not from the report before.
    private mutating func startWithMedia(_ delta: inout StreamDelta, base: CounterSet) {
        guard (base.samples ?? 0) < Self.transitionSeconds * delta.sampleRate, let samples = delta.counted.samples,
            samples > 0
        else { return }
        let played = (samples / delta.sampleRate).wholeMilliseconds
        delta.start = max(delta.start, delta.end.advanced(byMilliseconds: -played))
        grantTransition(from: delta.start)
    }
}

// MARK: - Transitions

extension StreamMeter {
    /// Audio that the jitter buffer may make up, and as much that it may stretch, while it fills or drains: at the
    /// beginning of media and at either end of a hold. Any call has it; it says nothing of the network.
    private static let transitionSeconds = 0.15
    /// How long filling may take.
    private static let transitionMilliseconds: Int64 = 10_000

    /// What is left of the audio a transition may cost.
    struct Allowance: Codable {
        var stretchedSeconds: Double
        var concealedSeconds: Double
        var until: Timestamp

        /// The simulated jitter buffer of a probe fills and drains, too.
        mutating func forgive(_ counted: inout CounterSet) {
            let late = min(concealedSeconds, counted.lateSeconds ?? 0)
            let stretched = min(stretchedSeconds, counted.stretchedSeconds ?? 0)
            counted.lateSeconds = counted.lateSeconds.map { $0 - late }
            counted.stretchedSeconds = counted.stretchedSeconds.map { $0 - stretched }
            concealedSeconds -= late
            stretchedSeconds -= stretched
        }
    }

    private mutating func grantTransition(from start: Timestamp) {
        allowance = Allowance(
            stretchedSeconds: Self.transitionSeconds, concealedSeconds: Self.transitionSeconds,
            until: start.advanced(byMilliseconds: Self.transitionMilliseconds))
    }

    /// What the network lost is not forgiven; nor a span of which the greater part lies after the transition.
    private mutating func forgiveTransition(_ delta: inout StreamDelta) {
        guard var left = allowance else { return }
        guard left.until.milliseconds(since: delta.start) >= delta.end.milliseconds(since: left.until) else {
            allowance = nil
            return
        }
        let rate = delta.sampleRate
        delta.forgivenStretchedSamples = min(left.stretchedSeconds * rate, delta.counted.stretchedSamples ?? 0)
        left.stretchedSeconds -= delta.forgivenStretchedSamples / rate
        let lost = max(0, delta.counted.packetsLost ?? 0) * AudioScore.ordinaryPacketSeconds * rate
        let late = max(0, (delta.counted.concealedSamples ?? 0) - lost)
        delta.forgivenConcealedSamples = min(left.concealedSeconds * rate, late)
        left.concealedSeconds -= delta.forgivenConcealedSamples / rate
        left.forgive(&delta.counted)
        allowance = delta.end < left.until ? left : nil
    }
}

// MARK: - Hold

extension StreamMeter {
    /// A deficit of the playout clock below this is scheduling, not a hold.
    private static let leastHoldSeconds = 0.5

    private mutating func measureHold(_ delta: inout StreamDelta, connectionHold: Double) {
        delta.heldSeconds = min(delta.seconds, max(connectionHold, ownHold(delta)))
        if delta.heldSeconds > 0 {
            holdCredit += delta.heldSeconds
            // One that began before this span ended in it, or goes on.
            let end = wasHeld ? delta.start.advanced(byMilliseconds: delta.heldSeconds.wholeMilliseconds) : delta.end
            grantTransition(from: min(end, delta.end))
        } else if (delta.standstills ?? 0) == 0 {
            holdCredit = 0
        }
        wasHeld = delta.heldSeconds > 0
    }

    /// What was missing in a span is taken to have been missing while it was excused.
    private func excuse(_ delta: inout StreamDelta, _ seconds: Double) {
        let samples = min(seconds, delta.seconds) * delta.sampleRate
        delta.counted.concealedSamples = delta.counted.concealedSamples.map { max(0, $0 - samples) }
        delta.counted.silentConcealedSamples = delta.counted.silentConcealedSamples.map { max(0, $0 - samples) }
        delta.counted.outageSeconds = delta.counted.outageSeconds.map { max(0, $0 - seconds) }
    }

    private func ownHold(_ delta: StreamDelta) -> Double {
        if let paused = delta.counted.senderPausedSeconds {
            return paused >= Self.leastHoldSeconds ? min(delta.seconds, paused) : 0
        }
        if isSenderPaused(delta) { return delta.seconds }
        guard stream.kind == .audio, let samples = delta.counted.samples else { return 0 }
        let deficit = delta.seconds - samples / delta.sampleRate
        return deficit > max(Self.leastHoldSeconds, 0.05 * delta.seconds) ? deficit : 0
    }

    /// RTCP still arrives and says that nothing was sent: a mixer or SFU has paused the stream.
    private func isSenderPaused(_ delta: StreamDelta) -> Bool {
        guard delta.counted.packets == 0, let farEnd = delta.sample.farEnd, isFresh(farEnd),
            let sent = farEnd.packetsSent, let before = lastFarEnd?.packetsSent
        else { return false }
        return sent == before
    }

    private func isFresh(_ farEnd: FarEndSample) -> Bool {
        guard let arrived = farEnd.arrivedAt else { return false }
        return arrived > (lastFarEnd?.arrivedAt ?? previous.time)
    }

    /// A hold is reported as one long freeze when it ends.
    private mutating func takeHoldsOutOfFreezes(_ delta: inout StreamDelta) {
        guard holdCredit > 0, let frozen = delta.counted.frozenSeconds, (delta.standstills ?? 0) > 0 else { return }
        let taken = min(holdCredit, frozen + (delta.counted.pausedSeconds ?? 0))
        guard taken >= Self.leastHoldSeconds else { return }
        let fromFreezes = min(taken, frozen)
        delta.counted.frozenSeconds = frozen - fromFreezes
        delta.counted.pausedSeconds = delta.counted.pausedSeconds.map { max(0, $0 - (taken - fromFreezes)) }
        // The standstill that was the hold goes with its seconds; what is left of them is the time to refill.
        if fromFreezes > 0 {
            delta.counted.freezes = delta.counted.freezes.map { max(0, $0 - 1) }
        } else {
            delta.counted.pauses = delta.counted.pauses.map { max(0, $0 - 1) }
        }
        holdCredit = 0
    }
}

// MARK: - Loss that is none

extension StreamMeter {
    /// Of the packets that a sender goes on sending into a dead path, at least this share is counted as lost.
    private static let leastShareOfOutage = 0.6

    /// After a pause by an SFU one report carries hundreds of "lost" packets that were never sent: no packets
    /// before although the connection was alive, more than 10 lost, more than three times what the last live rate
    /// explains in this span, and far fewer than it explains in all the time.
    private func takeOutResumeGap(_ delta: inout StreamDelta) {
        // A probe has sorted that out already.
        guard delta.counted.outageSeconds == nil else { return }
        guard stoppedSeconds > 0, !stoppedInBlackout, let lost = delta.counted.packetsLost, lost > 10 else { return }
        let rate = liveRate ?? 0
        let isJump = lost > 3 * rate * delta.seconds
        let isOutage = liveRate != nil && lost >= Self.leastShareOfOutage * rate * (stoppedSeconds + delta.seconds)
        if isJump, !isOutage { delta.resumeGapPackets = lost }
    }
}

// MARK: - Silence

extension StreamMeter {
    /// Shorter silences are losses; see `docs/score.md`.
    private static let leastDarkSeconds = 0.4
    /// libwebrtc conceals with sound for about this long before it fades to silence.
    private static let fadeSeconds = 0.1
    /// A sender in DTX speaks up every 400 ms; a second without a packet is no DTX.
    private static let longestDTXSeconds = 1.0

    /// Tells missing sound from the sender's own silence, and a blackout from short gaps; `docs/score.md`.
    private mutating func measureSilence(_ delta: inout StreamDelta) {
        if let missing = delta.counted.outageSeconds { return measureSilenceOnTheWire(&delta, missing: missing) }
        guard let silent = delta.counted.silentConcealedSamples else { return measureSilenceByPackets(&delta) }
        let age = delta.sample.lastPacketReceivedAt.map { delta.end.seconds(since: $0) }
        let endsDark = (age ?? 0) > Self.longestDTXSeconds && delta.heldSeconds == 0
        defer { isDark = endsDark }
        if (delta.sample.codec ?? previous.codec)?.mayUseDTX == true, !endsDark, !isDark {
            delta.isSilenceByDesign = true
            return
        }
        // Where nothing came at all, what was played while the sound faded is no sound either.
        let isStopped = delta.counted.packets == 0 && delta.seconds >= Self.leastDarkSeconds
        let missing = isStopped ? max(silent, delta.counted.concealedSamples ?? 0) : silent
        let seconds = max(0, missing - delta.forgivenConcealedSamples) / delta.sampleRate
        delta.silentSeconds = min(delta.activeSeconds, seconds)
        let isLong = seconds >= Self.leastDarkSeconds * max(1, delta.counted.concealmentEvents ?? 1)
        if isLong || isDark {
            takeBlackout(&delta, silentSeconds: seconds, isSeenByAge: endsDark || isDark)
        } else {
            silenceBefore = min((delta.counted.concealedSamples ?? 0) / delta.sampleRate, age ?? 0)
        }
    }

    private mutating func takeBlackout(_ delta: inout StreamDelta, silentSeconds: Double, isSeenByAge: Bool) {
        delta.carriedSilenceSeconds = silenceBefore
        silenceBefore = 0
        let concealed = (delta.counted.concealedSamples ?? 0) / delta.sampleRate
        let fade = isDark ? 0 : Self.fadeSeconds * max(1, delta.counted.concealmentEvents ?? 1)
        delta.darkSeconds = min(delta.activeSeconds, concealed, silentSeconds + fade)
        delta.darkEvidence = ["silentConcealedSamples"]
        if isSeenByAge { delta.darkEvidence.insert("lastPacketReceivedTimestamp") }
        if (delta.sample.codec ?? previous.codec)?.mayUseDTX == false { delta.darkEvidence.insert("sdpFmtpLine") }
    }

    /// A probe knows what is missing from the sequence numbers; an outage may have begun before the span.
    private func measureSilenceOnTheWire(_ delta: inout StreamDelta, missing: Double) {
        guard missing > 0 else { return }
        delta.silentSeconds = min(delta.activeSeconds, max(0, missing - Self.fadeSeconds))
        delta.darkSeconds = min(delta.activeSeconds, missing)
        delta.carriedSilenceSeconds = missing - delta.darkSeconds
        delta.darkEvidence = ["sequenceNumber"]
    }

    /// Without concealment figures only packets tell: none at all where there were some is a blackout.
    private mutating func measureSilenceByPackets(_ delta: inout StreamDelta) {
        guard let packets = delta.counted.packets, packets == 0, liveRate != nil, delta.seconds >= 1 else { return }
        delta.silentSeconds = delta.activeSeconds
        delta.darkSeconds = delta.activeSeconds
        delta.darkEvidence = ["packetsReceived"]
    }
}

// MARK: - Round trip

extension StreamMeter {
    private func measureRoundTrips(_ delta: inout StreamDelta) {
        guard let farEnd = delta.sample.farEnd, isFresh(farEnd) else { return }
        if let total = farEnd.totalRoundTripSeconds, let count = farEnd.roundTripMeasurements,
            let totalBefore = lastFarEnd?.totalRoundTripSeconds, let countBefore = lastFarEnd?.roundTripMeasurements,
            count > countBefore, total >= totalBefore
        {
            delta.roundTripSeconds = total - totalBefore
            delta.roundTripMeasurements = count - countBefore
        } else if let roundTrip = farEnd.roundTripSeconds {
            delta.roundTripSeconds = roundTrip
            delta.roundTripMeasurements = 1
        }
    }
}
