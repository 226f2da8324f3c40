import CallModel

/// How much is missing of the sound of a connection, all its streams together.
///
/// A server that lets through whoever speaks stops one stream and starts another: of each much is missing, of all nothing.
struct SoundWatch: Archivable {
    private var time: Timestamp?
    private var packets = 0.0
    /// Packets of all streams a second, at most; at first those of one stream.
    private var usualRate = 1 / AudioScore.ordinaryPacketSeconds

    /// A shorter span has no rate.
    private static let leastSeconds = 0.9

    /// Takes the streams of the next report.
    ///
    /// - Returns: seconds since the last one of which the usual sound is missing; `nil` with fewer than two inbound streams of
    ///   sound, or where too little is known.
    mutating func take(_ samples: [KeyedSample], at now: Timestamp) -> Double? {
        let sounds = samples.filter(\.key.isInboundAudio).compactMap(\.sample.counters.packets)
        let before = (time: time, packets: packets)
        (time, packets) = (now, sounds.reduce(0, +))
        guard sounds.count > 1, let start = before.time, packets >= before.packets else { return nil }
        let seconds = now.seconds(since: start)
        guard seconds >= Self.leastSeconds else { return nil }
        let rate = (packets - before.packets) / seconds
        defer { usualRate = max(usualRate, rate) }
        return max(0, 1 - rate / usualRate) * seconds
    }
}

// MARK: - Archive

extension SoundWatch {
    func write(to archive: inout ArchiveWriter) {
        archive.put(time, packets, usualRate)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (time, packets, usualRate) = try archive.get()
    }
}
