import CallModel

/// Tells sound that came and that nobody plays from a hold, in which nothing comes.
///
/// Chromium does not decode what no element of the page plays: its counters of samples stand still and say nothing, least of all
/// that all is well, and its jitter buffer, from which nobody takes, is emptied every 4 s: 200 packets that were discarded, and
/// not too late. Servers play nothing, and some print these counters all the same, 0 for ever.
struct UnplayedSound: Archivable {
    /// Whether nobody played the sound that came last, so that the playout clock tells nothing of what does not come after it.
    private var isUnplayed = false

    /// Comfort noise has no more packets a second than this.
    private static let mostNoisePackets = 10.0

    /// Takes the next span of an inbound stream of sound; leaves what is counted of its playout unknown where nobody plays it.
    /// - Parameters:
    ///   - delta: what happened in the span.
    ///   - hasPlayed: whether any of the stream was ever played; what was not cannot be on hold.
    ///   - liveRate: packets a second when they last flowed. On the way into a hold some come that are not played, but not
    ///     for all of a span.
    mutating func check(_ delta: inout StreamDelta, hasPlayed: Bool, liveRate: Double?) {
        guard delta.counted.samples == 0, let packets = delta.counted.packets else {
            if delta.counted.samples ?? 0 > 0 { isUnplayed = false }
            return
        }
        let isSound = packets > Self.mostNoisePackets * delta.seconds
        let usual = (liveRate ?? 1 / AudioScore.ordinaryPacketSeconds) * delta.seconds
        let isAll = packets + max(0, delta.counted.packetsLost ?? 0) >= StreamMeter.nearlyAll * usual
        if hasPlayed ? isSound && isAll : delta.sample.counters.packets ?? 0 > 0 { isUnplayed = true }
        if isSound || isUnplayed { delta.counted.forgetPlayout() }
    }
}

// MARK: - Archive

extension UnplayedSound {
    func write(to archive: inout ArchiveWriter) {
        archive.put(isUnplayed)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        isUnplayed = try archive.get()
    }
}
