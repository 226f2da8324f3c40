import CallModel

/// What happened on one stream between two reports.
struct StreamDelta: Hashable {
    var start: Timestamp
    var end: Timestamp
    var segment: Int
    var counted: CounterSet
    var metricCounters = MetricCounters()
    /// The sample at the end, for its gauges.
    var sample: StreamSample
    /// The codec at the start, where it is known.
    var codecBefore: CodecDescription?
    /// Seconds in which media were on hold: the playout clock stood still, or the sender paused.
    var heldSeconds = 0.0
    /// Those of them in which the sender of this one stream had stopped it, while the path was up.
    var pausedSeconds = 0.0
    /// Seconds at the end of the span before in which it had stopped already, as is known only now.
    var pausedSecondsBefore = 0.0
    /// Whether an interruption followed them, which goes on at the end of the span.
    var isPauseOver = false
    /// Those of ``heldSeconds`` in which media came all the same, such as music on hold, or of a hold that nobody keeps to.
    var flowingHoldSeconds = 0.0
    /// Whether the stream was taken away before the span, and came back.
    var isReturn = false
    /// Whether nothing came, and the sender's own count says that it has stopped.
    var isStoppedBySender = false
    /// Whether other packets of the connection came while none of this stream did.
    var isPathUp = false
    /// Whether nothing else came over the connection either while its pictures did not.
    var isPathDown = false
    /// The same where the connection brings no sound, which would tell of it.
    var isDownWithoutSound = false
    /// Whether sound of the connection was missing in the span.
    var isBesideDarkSound = false
    /// Whether the pictures stand for a camera that is switched off; see ``VideoReference/takePlaceholder(_:)``.
    var isPlaceholder = false
    /// Whether its video is taken in and not decoded, so that there is no picture to judge.
    var isUndecoded = false
    /// Whether a picture that had been stopped came back.
    var endsPause = false
    /// Whether that was on hold, as events tell.
    var endsHold = false
    /// For how long a picture that came in the span had not come when it began.
    var stoppedSecondsBefore = 0.0
    /// Seconds of a standstill that goes on, of which the engine tells when it is over; and those of the one that it tells of in this
    /// span that earlier ones have told of that way.
    var untoldStandstillSeconds = 0.0
    var earlierStandstillSeconds = 0.0
    /// Whether what was taken for an interruption at the end of the span before was that pause already.
    var revokesInterruption = false
    /// Seconds without any sound, filled with silence, that the sender did not mean.
    var silentSeconds = 0.0
    /// Those of them, and the fading before, that are long enough to be a blackout.
    var darkSeconds = 0.0
    /// Whether they go on with those of the span before, and whether they go on after this one; `nil` where only the age
    /// of the last packet can tell.
    var continuesInterruption: Bool?
    var goesOnDark: Bool?
    /// Whether a blackout of the span before ended in this one so soon that its rest is told with it.
    var endsInterruption = false
    /// Seconds of silence at the end of the span before that belong to the same blackout.
    var carriedSilenceSeconds = 0.0
    /// Whether a silence at its end is told with the span that follows; and seconds that were made up at the end of the span
    /// before and are told with this one.
    var leavesSilence = false
    var earlierSilenceSeconds = 0.0
    /// Seconds for which sound was missing by the usual rate of its packets, where nobody can have been silent instead.
    var missingSeconds = 0.0
    /// Packets called lost that were missing then.
    var missingPackets = 0.0
    /// Samples of silence that were filled in, concluded where they are not counted.
    var inferredSilentSamples: Double?
    /// Samples made up, and samples stretched, that count as the jitter buffer filling and not against the call.
    var forgivenConcealedSamples = 0.0
    var forgivenStretchedSamples = 0.0
    /// What of the span was on hold before anything was measured.
    var hold = KnownHold()
    /// Whether the silence that was filled in is the sender's own (DTX), and so no impairment.
    var isSilenceByDesign = false
    /// The members that would have told whether the silence was meant, where none of them was reported.
    var silenceDoubts: Set<String> = []
    /// What ``darkSeconds`` was concluded from.
    var darkEvidence: Set<String> = []
    /// Packets called lost when a paused stream resumed.
    var resumeGapPackets = 0.0
    /// Round trips measured in the span: their sum in seconds, and how many.
    var roundTripSeconds = 0.0
    var roundTripMeasurements = 0.0

    var seconds: Double { end.seconds(since: start) }

    /// Seconds of what was made up that a blackout explains: with those before this span that are counted in it.
    var darkConcealedSeconds: Double { darkSeconds > 0 ? darkSeconds + earlierSilenceSeconds : 0 }

    /// Whether it was on hold up to its end, as far as is known.
    var isHeldAtEnd: Bool { heldSeconds > 0 && !hold.isOver && !isPauseOver }

    /// Seconds in which its sender meant to send nothing.
    var idleSeconds: Double { max(pausedSeconds, heldSeconds - flowingHoldSeconds) }

    /// Seconds in which media could have been heard or seen.
    var activeSeconds: Double { max(0, seconds - heldSeconds) }

    /// Seconds for which its sender had stopped this stream, by what a client can tell, or by what a probe saw.
    var stoppedSeconds: Double { max(pausedSeconds, min(heldSeconds, counted.senderPausedSeconds ?? 0)) }

    /// The same, on hold for so many seconds at most, or for as long as its sender paused.
    func held(atMost seconds: Double) -> StreamDelta {
        var limited = self
        limited.heldSeconds = min(heldSeconds, max(seconds, pausedSeconds))
        return limited
    }

    /// Seconds in which what was counted came: with what was sent during a hold.
    var flowingSeconds: Double { min(seconds, activeSeconds + flowingHoldSeconds) }

    /// Whether sound came all the time, up to the end.
    var isFlowing: Bool {
        guard let packets = counted.packets, packets > 0,
            sample.lastPacketReceivedAt.map({ end.seconds(since: $0) < 1 })
                ?? true
        else { return false }
        return (counted.concealedSamples ?? 0) < 0.05 * seconds * sampleRate
    }

    /// Whether sound came without a loss, and all of it was silence, as of a muted microphone.
    var isWholeSilence: Bool {
        guard let packets = counted.packets, packets > 0, packetsLost ?? 0 <= 0, darkSeconds == 0,
            counted.concealedSamples ?? 0 <= 0, let energy = counted.audioEnergy, let duration = counted.samplesSeconds,
            duration > 0, energy >= 0
        else { return false }
        return (energy / duration).squareRoot() <= Self.silenceLevel
    }

    /// RMS of full scale at or below which sound is silence (`docs/metrics.md`).
    static let silenceLevel = 0.001

    /// Samples of silence that were filled in, counted or concluded.
    var silentSamples: Double? { counted.silentConcealedSamples ?? inferredSilentSamples }

    /// Audio samples a second of the playout; that of the codec, or 48,000, where it cannot be told.
    var sampleRate: Double { counted.sampleRate(of: sample.codec, after: codecBefore) }

    /// See ``CounterSet/samplesScale(of:after:)``.
    var samplesScale: Double { counted.samplesScale(of: sample.codec, after: codecBefore) }

    /// Seconds of outages whose packets do not count as lost, because more numbers were missing than do (wire): these then
    /// begin anew. 0 without one.
    var uncountedOutageSeconds: Double {
        (counted.sequenceRestarts ?? 0) > 0 ? max(0, counted.outageSeconds ?? 0) : 0
    }

    /// For how long packets had been missing when the span began in which they came again, as a probe tells; 0 without.
    var missingSecondsBefore: Double {
        guard let seconds = counted.outageSeconds, seconds > 0, let outage = sample.lastOutage,
            let outageEnd = outage.end, outageEnd > start
        else { return 0 }
        return min(seconds, max(0, start.seconds(since: outage.start)))
    }

    /// Packets lost on the network in the span; negative when late ones arrived.
    var packetsLost: Double? {
        counted.packetsLost.map { $0 - resumeGapPackets }
    }

    /// Packets that arrived, retransmissions left out where they are told apart.
    var firstArrivals: Double? {
        counted.packets.map { $0 - (counted.retransmittedPackets ?? 0) }
    }

    /// Packets that were sent again because this end asked for them. Those that it did not ask for are padding, by which a sender
    /// probes the bandwidth, as when a picture begins.
    var repairedPackets: Double {
        metricCounters.values["nackCount"] == 0 ? 0 : counted.retransmittedPackets ?? 0
    }

    /// Freezes and pauses, which differ in name only: a blackout may be counted as either.
    var standstills: Double? {
        counted.freezes.map { $0 + (counted.pauses ?? 0) }
    }

    var standstillSeconds: Double? {
        counted.frozenSeconds.map { $0 + (counted.pausedSeconds ?? 0) }
    }
}

/// What of a span of sound was on hold by events or the playout clock, which tell before the packets are looked at.
struct KnownHold: Hashable {
    /// Seconds at the end, after the last packet.
    var atEndSeconds = 0.0
    /// Seconds before that packet.
    var beforeEndSeconds = 0.0
    /// Seconds for which the playout clock stood still, so that nothing was made up.
    var unplayedSeconds = 0.0
    /// Whether events told that it had ended before the span did, and no packet has come since it began.
    var isOver = false
}
