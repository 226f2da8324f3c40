import CallModel

/// What the receiver made up in a span, told apart into one long interruption and short gaps beside it.
struct Concealment: Hashable, Archivable {
    /// Seconds made up, and those of them that were silence: the receiver fades after a tenth of a second or more.
    var seconds: Double
    var silentSeconds: Double
    /// In how many stretches.
    var events: Double

    /// Silences shorter than this are losses (`docs/score.md`).
    static let leastDarkSeconds = 0.4
    /// A short gap beside a long one is taken for this long: two packets.
    private static let shortGapSeconds = 0.04
    /// A long one among short ones is silent for this share at least.
    private static let leastSilentShare = 0.6

    /// Length of the interruption if there was one, and all else were short gaps.
    var longestSeconds: Double { max(0, seconds - Self.shortGapSeconds * max(0, events - 1)) }

    /// Whether there was an interruption.
    var isInterruption: Bool {
        guard silentSeconds > 0 else { return false }
        if events <= 1 { return seconds >= Self.leastDarkSeconds }
        return silentSeconds >= Self.leastDarkSeconds * events
            || longestSeconds >= OutageTracker.leastSeconds && silentSeconds >= Self.leastSilentShare * longestSeconds
    }
}

extension StreamDelta {
    /// Takes out what was made up since the last packet, `age` seconds ago; `nil` where none of it was silence.
    mutating func takeOpenSilence(_ age: Double) -> Concealment? {
        guard let made = counted.concealedSamples, let silent = counted.silentConcealedSamples, silent > 0 else {
            return nil
        }
        let seconds = min(age, made / sampleRate)
        let open = Concealment(seconds: seconds, silentSeconds: min(seconds, silent / sampleRate), events: 1)
        counted.concealedSamples = made - open.seconds * sampleRate
        counted.silentConcealedSamples = silent - open.silentSeconds * sampleRate
        counted.concealmentEvents = counted.concealmentEvents.map { max(0, $0 - open.events) }
        leavesSilence = true
        return open
    }

    /// Counts what was made up at the end of the span before.
    mutating func takeIn(_ before: Concealment) {
        counted.concealedSamples = counted.concealedSamples.map { $0 + before.seconds * sampleRate }
        counted.silentConcealedSamples = counted.silentConcealedSamples.map { $0 + before.silentSeconds * sampleRate }
        counted.concealmentEvents = counted.concealmentEvents.map { $0 + before.events }
        earlierSilenceSeconds = before.seconds
    }
}

// MARK: - Archive

extension Concealment {
    func write(to archive: inout ArchiveWriter) {
        archive.put(seconds, silentSeconds, events)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (seconds, silentSeconds, events) = try archive.get()
    }
}
