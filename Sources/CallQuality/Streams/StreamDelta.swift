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
    /// Seconds in which media were on hold: the playout clock stood still, or the sender paused.
    var heldSeconds = 0.0
    /// Seconds without any sound, filled with silence, that the sender did not mean.
    var silentSeconds = 0.0
    /// Those of them, and the fading before, that are long enough to be a blackout.
    var darkSeconds = 0.0
    /// Seconds of silence at the end of the span before that belong to the same blackout.
    var carriedSilenceSeconds = 0.0
    /// Samples made up, and samples stretched, that count as the jitter buffer filling and not against the call.
    var forgivenConcealedSamples = 0.0
    var forgivenStretchedSamples = 0.0
    /// Whether the silence that was filled in is the sender's own (DTX), and so no impairment.
    var isSilenceByDesign = false
    /// What ``darkSeconds`` was concluded from.
    var darkEvidence: Set<String> = []
    /// Packets called lost when a paused stream resumed.
    var resumeGapPackets = 0.0
    /// Round trips measured in the span: their sum in seconds, and how many.
    var roundTripSeconds = 0.0
    var roundTripMeasurements = 0.0

    var seconds: Double { end.seconds(since: start) }

    /// Seconds in which media could have been heard or seen.
    var activeSeconds: Double { max(0, seconds - heldSeconds) }

    /// Audio samples a second of the playout; 48,000 where it cannot be told.
    var sampleRate: Double {
        guard let samples = counted.samples, let seconds = counted.samplesSeconds, samples > 0, seconds > 0 else {
            return 48_000
        }
        return samples / seconds
    }

    /// Packets lost on the network in the span; negative when late ones arrived.
    var packetsLost: Double? {
        counted.packetsLost.map { $0 - resumeGapPackets }
    }

    /// Packets that arrived, retransmissions left out where they are told apart.
    var firstArrivals: Double? {
        counted.packets.map { $0 - (counted.retransmittedPackets ?? 0) }
    }

    /// Freezes and pauses, which differ in name only: a blackout may be counted as either.
    var standstills: Double? {
        counted.freezes.map { $0 + (counted.pauses ?? 0) }
    }

    var standstillSeconds: Double? {
        counted.frozenSeconds.map { $0 + (counted.pausedSeconds ?? 0) }
    }
}
