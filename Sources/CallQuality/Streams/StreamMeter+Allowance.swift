import CallModel

/// What the jitter buffer may make up and stretch while it fills or drains.
extension StreamMeter {
    /// What is left of the audio a transition may cost.
    struct Allowance: Archivable {
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

    /// Audio that the jitter buffer may make up, and as much that it may stretch, while it fills or drains: at the
    /// beginning of media and at either end of a hold. Any call has it; it says nothing of the network.
    static let transitionSeconds = 0.15
    /// How long filling may take.
    private static let transitionMilliseconds: Int64 = 10_000

    mutating func grantTransition(from start: Timestamp) {
        allowance = Allowance(
            stretchedSeconds: Self.transitionSeconds, concealedSeconds: Self.transitionSeconds,
            until: start.advanced(byMilliseconds: Self.transitionMilliseconds))
    }

    /// What the network lost is not forgiven; nor a span that begins after the transition did, and lies after it for the greater
    /// part.
    mutating func forgiveTransition(_ delta: inout StreamDelta) {
        guard var left = allowance else { return }
        let begun = left.until.advanced(byMilliseconds: -Self.transitionMilliseconds)
        let after = delta.end.milliseconds(since: left.until)
        guard delta.start <= begun || left.until.milliseconds(since: delta.start) >= after else {
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

// MARK: - Archive

extension StreamMeter.Allowance {
    func write(to archive: inout ArchiveWriter) {
        archive.put(stretchedSeconds, concealedSeconds, until)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (stretchedSeconds, concealedSeconds, until) = try archive.get()
    }
}
