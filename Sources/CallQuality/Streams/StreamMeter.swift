import CallModel

/// Follows one stream from report to report and says what happened in between.
struct StreamMeter: Archivable {
    let stream: StreamKey
    private(set) var previous: StreamSample
    private(set) var segment = 0
    /// Counters of finished segments, and by how much single ones have fallen; the running ones are in ``previous``.
    private var finished = CounterSet()
    /// Packets a second when packets last flowed.
    private(set) var liveRate: Double?
    /// The highest of them, but for a span in which the stream may only have begun.
    private(set) var mostRate: Double?
    /// The same, with what was usually lost by then: so many were sent.
    private var mostSentRate: Double?
    /// For how long no packet has come, by the reports.
    private var stoppedSeconds = 0.0
    /// Whether the connection was dead meanwhile: what then stopped was not paused.
    private var stoppedInBlackout = false
    private var silence = SilenceMeter()
    private var pause = PauseMeter()
    private var steady = SteadyRate()
    private var arrivals = ArrivalClock()
    private var unplayed = UnplayedSound()
    /// Seconds of hold that a freeze reported later may still contain.
    private var holdCredit = 0.0
    /// Whether the span before was on hold, or part of it.
    private var wasHeld = false
    private(set) var lastFarEnd: FarEndSample?
    /// The end of the last report in which its connection was interrupted.
    private(set) var interruptedUntil: Timestamp?
    var allowance: Allowance?

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
        // Engines leave it out before there is anything to count.
        base.retransmittedPackets = base.retransmittedPackets ?? sample.counters.retransmittedPackets.map { _ in 0 }
        var counted = sample.counters.difference(since: base)
        finished += counted.takeFalls()
        var start =
            isRestart
            ? startAnew(of: counted, until: sample.time, connection)
            : start(of: counted, until: sample.time, connection)
        if let period = connection.gapPeriod {
            // What begins anew without a packet tells of no time.
            let isUntold = isRestart && counted.packets ?? 0 == 0
            let earliest = sample.time.advanced(byMilliseconds: -period.wholeMilliseconds)
            start = isUntold ? sample.time : max(start, earliest)
        }
        guard start < sample.time else {
            let codec = sample.codec ?? previous.codec
            previous = sample
            previous.codec = codec
            return nil
        }
        var delta = StreamDelta(start: start, end: sample.time, segment: segment, counted: counted, sample: sample)
        delta.codecBefore = previous.codec
        if let gap = connection.gapPeriod.map({ _ in start.seconds(since: previous.time) }) {
            // A picture that stood still for most of a gap did so while the client slept.
            if delta.standstillSeconds ?? 0 > gap / 2 { holdCredit += gap }
        } else if !isRestart, start > previous.time {
            delta.isReturn = true
            holdCredit += start.seconds(since: previous.time)
        }
        delta.metricCounters = sample.metricCounters.difference(since: previous.metricCounters, isRestart: isRestart)
        measureRoundTrips(&delta)
        if stream.direction == .outbound {
            delta.inferLimitation()
            delta.inferPictures()
        }
        delta.isBesideDarkSound = connection.isDark
        if stream.direction == .inbound { judgeInbound(&delta, base: base, connection) }
        interruptedUntil = leaveOutHeldUp(&delta, connection)
        remember(sample, delta, connection)
        return delta
    }

    /// Tells what was meant (holds, pauses, silence) from what was missing. Each step goes by what those before it found.
    private mutating func judgeInbound(_ delta: inout StreamDelta, base: CounterSet, _ connection: ConnectionState) {
        delta.inferBuffer()
        arrivals.check(&delta, kind: stream.kind, liveRate: liveRate)
        if stream.kind == .audio { unplayed.check(&delta, hasPlayed: hasPlayed(delta), liveRate: liveRate) }
        // What lies before the stream came back is no part of the span.
        let before = connection.lastReport.map { max(0, delta.start.seconds(since: $0)) } ?? 0
        let isFirst = base.packets ?? 0 == 0
        if isFirst, stream.kind == .audio { delta.leaveOutWait() }
        startWithMedia(&delta, base: base)
        let account = SenderAccount(delta.sample.farEnd, since: lastFarEnd)
        let codec = delta.sample.codec ?? previous.codec
        if stream.kind == .audio {
            silence.noteMissing(&delta, rate: steady.rate(for: delta), codec: codec, connection: connection)
        }
        delta.hold = knownHold(delta, connection, since: before)
        pause.measure(
            &delta, kind: stream.kind, mayFallSilent: codec?.mayUseDTX == true || silence.leavesSilenceOut,
            account: account, liveRate: liveRate, mostRate: mostSentRate, isFirst: isFirst, connection: connection)
        let unexpected = max(connection.excusedSeconds, connection.leftSeconds, delta.heldSeconds)
        measureHold(
            &delta,
            connectionHold: max(connection.heldSeconds - before, unexpected, pausedBesideSound(delta, connection)),
            agreedSeconds: connection.excusedSeconds)
        pause.noteIdle(delta, account: account)
        // Where the playout stood still, nothing was made up.
        let excused = max(unexpected - delta.hold.unplayedSeconds, delta.pausedSeconds)
        if excused > 0, stream.kind == .audio { excuse(&delta, excused, ofOutage: connection.excusedOutageSeconds) }
        forgiveTransition(&delta)
        takeOutResumeGap(&delta)
        if stream.kind == .audio {
            silence.measure(&delta, codec: codec, account: account, hasLiveRate: liveRate != nil)
        } else {
            takeHoldsOutOfFreezes(&delta, isHeldAtEnd: connection.isExcusedAtEnd)
        }
    }

    /// Where the last report of the connection lacks the stream, it was taken away and came back: what was counted since it was
    /// last seen came after that report, if it does not take longer.
    @inline(__always)
    private func start(of counted: CounterSet, until end: Timestamp, _ connection: ConnectionState) -> Timestamp {
        guard let lastReport = connection.lastReport, lastReport > previous.time, lastReport < end,
            let packets = counted.packets, let liveRate
        else { return previous.time }
        let isReturn = packets <= Self.mostOfLiveRate * liveRate * end.seconds(since: lastReport)
        return connection.hasReturned || isReturn ? lastReport : previous.time
    }

    /// What was counted since the counters began anew came after the last report, which lacked the stream, and in the last part
    /// of the span, for as long as that usually takes: nothing is known of what came before.
    @inline(__always)
    private func startAnew(of counted: CounterSet, until end: Timestamp, _ connection: ConnectionState) -> Timestamp {
        let earliest = max(previous.time, min(end, connection.lastReport ?? previous.time))
        guard let packets = counted.packets, packets > 0, let liveRate, liveRate > 0 else { return earliest }
        return max(earliest, end.advanced(byMilliseconds: -(packets / liveRate).wholeMilliseconds))
    }

    /// Of the usual packets, so many in a span show that the stream was there all the time.
    static let nearlyAll = 0.9
    /// By how much the rate of packets may rise while a stream is away.
    static let mostOfLiveRate = 1.5

    private mutating func remember(_ sample: StreamSample, _ delta: StreamDelta, _ connection: ConnectionState) {
        if delta.counted.packets == 0 {
            stoppedSeconds += delta.seconds
            stoppedInBlackout =
                stoppedInBlackout || connection.isDark
                || delta.darkEvidence.contains { $0.hasSuffix("oncealedSamples") }
        } else {
            stoppedSeconds = 0
            stoppedInBlackout = false
        }
        let flowing = delta.flowingSeconds - delta.darkSeconds - pause.stoppedPictureSeconds
        if let packets = delta.counted.packets, packets > 0, flowing > 0.05 * delta.seconds {
            liveRate = packets / flowing
            let hadBegun = (previous.counters.packets ?? 0) > 0
            let ordinary = 1 / AudioScore.ordinaryPacketSeconds
            let rate = packets / flowing
            if hadBegun || rate >= Self.nearlyAll * ordinary {
                // The first packets come before anything is played, so that they seem to come faster.
                mostRate = max(mostRate ?? 0, hadBegun ? rate : min(rate, ordinary))
                // What arrives is less than what is sent by what is usually lost.
                mostSentRate = max(mostSentRate ?? 0, rate * (1 + pause.usualLossShare))
            }
        }
        steady.take(delta)
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
        let played = samples / delta.sampleRate
        // What stands still since the last packet, and was not made up, had been played before that.
        let age = delta.sample.lastPacketReceivedAt.map { max(0, delta.end.seconds(since: $0)) } ?? 0
        let stopped = age - max(0, delta.counted.concealedSamples ?? .infinity) / delta.sampleRate
        let lasted = stopped >= Self.leastHoldSeconds ? played + stopped : played
        delta.start = max(delta.start, delta.end.advanced(byMilliseconds: -lasted.wholeMilliseconds))
        grantTransition(from: delta.start)
    }
}

// MARK: - Hold

extension StreamMeter {
    /// A deficit of the playout clock below this is scheduling, not a hold.
    static let leastHoldSeconds = 0.5
    /// No standstill that engines count is shorter (W3C `freezeCount`).
    private static let leastFreezeSeconds = 0.15

    private mutating func measureHold(_ delta: inout StreamDelta, connectionHold: Double, agreedSeconds: Double) {
        let own = max(ownHold(delta), delta.heldSeconds)
        // Where the playout stands still, nothing is made up, unless a pause follows.
        if own > 0, !delta.hold.isOver { delta.pausedSeconds = 0 }
        let both = delta.hold.isOver && delta.pausedSeconds > 0 ? own + delta.pausedSeconds : own
        delta.heldSeconds = min(delta.seconds, max(connectionHold, both, delta.pausedSeconds))
        let silent = max(own, delta.pausedSeconds)
        delta.flowingHoldSeconds = flowingHoldSeconds(delta, silent: silent, agreedSeconds: agreedSeconds)
        if delta.heldSeconds > 0 {
            holdCredit += delta.heldSeconds
            // So little before the span that it was no hold yet, the picture had stopped.
            if !wasHeld, delta.counted.packets == 0, let last = previous.lastPacketReceivedAt {
                holdCredit += min(Self.leastHoldSeconds, max(0, previous.time.seconds(since: last)))
            }
            // One that began before this span ended in it, or goes on.
            let end = wasHeld ? delta.start.advanced(byMilliseconds: delta.heldSeconds.wholeMilliseconds) : delta.end
            grantTransition(from: min(end, delta.end))
        } else if delta.standstills ?? delta.standstillSeconds ?? 0 == 0 {
            holdCredit = 0
        }
        wasHeld = delta.heldSeconds > 0
    }

    /// What was missing in a span is taken to have been missing while it was excused, but for an outage of which it is known
    /// when it was.
    private func excuse(_ delta: inout StreamDelta, _ seconds: Double, ofOutage outageSeconds: Double) {
        let samples = min(seconds, delta.seconds) * delta.sampleRate
        delta.counted.concealedSamples = delta.counted.concealedSamples.map { max(0, $0 - samples) }
        delta.counted.silentConcealedSamples = delta.counted.silentConcealedSamples.map { max(0, $0 - samples) }
        delta.inferredSilentSamples = delta.inferredSilentSamples.map { max(0, $0 - samples) }
        delta.counted.outageSeconds = delta.counted.outageSeconds.map { max(0, $0 - outageSeconds) }
    }

    @inline(__always)
    private func hasPlayed(_ delta: StreamDelta) -> Bool {
        max(delta.sample.counters.samples ?? 0, finished.samples ?? 0) > 0
    }

    /// What of a span events or the playout clock tell to have been on hold. By the clock it was at the end where it did not
    /// begin before the span and the last packet leaves room for that; `before` is how long before the span the connection reported.
    private func knownHold(_ delta: StreamDelta, _ connection: ConnectionState, since before: Double) -> KnownHold {
        guard stream.kind == .audio, delta.counted.senderPausedSeconds == nil else { return KnownHold() }
        let own = ownHold(delta)
        let all = max(own, connection.heldSeconds - before, connection.excusedSeconds)
        let isSinceLastPacket = connection.excusedSeconds > 0 || delta.counted.packets == 0
        let told = isSinceLastPacket ? connection.excusedSinceLastPacket : 0
        guard max(all, told) > 0, let last = delta.sample.lastPacketReceivedAt else {
            return KnownHold(beforeEndSeconds: all, unplayedSeconds: own)
        }
        let age = delta.end.seconds(since: last)
        let isOwnAtEnd = !wasHeld && own <= age + SilenceMeter.packetGapSeconds
        let atEnd = told > 0 || connection.excusedSeconds > 0 ? min(told, age) : isOwnAtEnd ? own : 0
        return KnownHold(
            atEndSeconds: atEnd, beforeEndSeconds: max(0, all - atEnd), unplayedSeconds: own,
            isOver: told > 0 && !connection.isExcusedAtEnd)
    }

    @inline(__always)
    private func ownHold(_ delta: StreamDelta) -> Double {
        if let paused = delta.counted.senderPausedSeconds {
            guard paused >= Self.leastHoldSeconds else { return 0 }
            // A probe tells of a hold when it ends. What goes beyond the time without sound lies before this span.
            let silent = max(0, silentSeconds(delta) - (delta.counted.outageSeconds ?? 0))
            return paused > silent + Self.leastHoldSeconds ? silent : min(delta.seconds, paused)
        }
        // Before anything was played nobody can put it on hold.
        guard stream.kind == .audio, hasPlayed(delta),
            let unplayed = unplayedSeconds(of: delta.counted, in: delta.seconds, codec: delta.sample.codec)
        else { return 0 }
        // Of sound that came and that nobody played, only the time without packets can be one: a busy computer plays less, too.
        let missing = secondsWithoutSound(delta)
        guard isHold(missing, in: delta.seconds) else { return 0 }
        return isHold(unplayed - missing, in: delta.seconds) ? missing : unplayed
    }

    /// A hold is reported as one long freeze when it ends. `isHeldAtEnd` is whether events tell of one that goes on.
    private mutating func takeHoldsOutOfFreezes(_ delta: inout StreamDelta, isHeldAtEnd: Bool) {
        guard holdCredit > 0, let frozen = delta.counted.frozenSeconds,
            delta.standstills.map({ $0 > 0 }) ?? (frozen > 0)
        else { return }
        // Where it stood still once, that was as long as it is told to be; else for the reports that had no picture.
        let stopped = max(holdCredit, delta.standstills == 1 ? frozen : 0)
        if delta.endsPause, !delta.endsHold, stopped < PauseMeter.leastPictureSeconds {
            holdCredit = 0
            return
        }
        if delta.endsPause || delta.pausedSeconds > 0 { holdCredit += delta.stoppedSecondsBefore }
        if delta.endsPause {
            let rest = min(max(0, frozen + (delta.counted.pausedSeconds ?? 0) - holdCredit), delta.activeSeconds)
            delta.heldSeconds += rest
            holdCredit += rest
        }
        let taken = min(holdCredit, frozen + (delta.counted.pausedSeconds ?? 0))
        guard taken >= Self.leastHoldSeconds else { return }
        let fromFreezes = min(taken, frozen)
        delta.counted.frozenSeconds = frozen - fromFreezes
        delta.counted.pausedSeconds = delta.counted.pausedSeconds.map { max(0, $0 - (taken - fromFreezes)) }
        // The standstill that was the hold goes with its seconds; what is left of them is the time to refill.
        if fromFreezes > 0 {
            // Those that are left too little time to be freezes were holds, too.
            let most = ((frozen - fromFreezes) / Self.leastFreezeSeconds).rounded(.down)
            delta.counted.freezes = delta.counted.freezes.map { max(0, min($0 - 1, most)) }
        } else {
            delta.counted.pauses = delta.counted.pauses.map { max(0, $0 - 1) }
        }
        holdCredit = isHeldAtEnd ? holdCredit - taken : 0
    }
}

// MARK: - Loss that is none

extension StreamMeter {
    /// Of the packets that a sender goes on sending into a dead path, at least this share is counted as lost.
    private static let leastShareOfOutage = 0.6

    /// After a pause by an SFU one report carries hundreds of "lost" packets that were never sent: no packets
    /// before although the connection was alive, more than 10 lost, more than three times what the last live rate
    /// explains in this span, and far fewer than it explains in all the time.
    @inline(__always)
    private func takeOutResumeGap(_ delta: inout StreamDelta) {
        // A probe has sorted that out already.
        guard delta.counted.outageSeconds == nil else { return }
        if let jump = pause.jump(delta) {
            delta.resumeGapPackets = jump
            return
        }
        guard stoppedSeconds > 0, !stoppedInBlackout, let lost = delta.counted.packetsLost, lost > 10 else { return }
        let rate = liveRate ?? 0
        let isJump = lost > 3 * rate * delta.seconds
        let isOutage = liveRate != nil && lost >= Self.leastShareOfOutage * rate * (stoppedSeconds + delta.seconds)
        if isJump, !isOutage { delta.resumeGapPackets = lost }
    }
}

// MARK: - Archive

extension StreamMeter {
    func write(to archive: inout ArchiveWriter) {
        archive.put(stream, previous, segment, finished)
        archive.put(liveRate, stoppedSeconds, stoppedInBlackout, silence)
        archive.put(pause, holdCredit, wasHeld)
        archive.put(allowance, arrivals, mostRate, steady)
        archive.put(interruptedUntil, mostSentRate)
        let isOfPrevious = lastFarEnd == previous.farEnd
        archive.put(unplayed, isOfPrevious)
        if !isOfPrevious { archive.put(lastFarEnd) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (stream, previous, segment, finished) = try archive.get()
        (liveRate, stoppedSeconds, stoppedInBlackout, silence) = try archive.get()
        (pause, holdCredit, wasHeld) = try archive.get()
        (allowance, arrivals, mostRate, steady) = try archive.get()
        (interruptedUntil, mostSentRate) = try archive.get()
        let isOfPrevious: Bool
        (unplayed, isOfPrevious) = try archive.get()
        lastFarEnd = isOfPrevious ? previous.farEnd : try archive.get()
    }
}
