import CallModel

/// How many packets a stream of sound usually has: what is short of them did not come.
///
/// A rate is usual that two spans in a row had. Packets that waited in an outage come at once when it is over, and who falls
/// silent between words seldom has the same rate twice.
struct SteadyRate: Archivable {
    private var packetsPerSecond: Double?
    private var bytesPerPacket: Double?
    private var before: Double?

    /// So many packets a second have sound that does not pause; of 60 ms each they are 17.
    private static let leastRate = 15.0
    /// A shorter span has no rate.
    private static let leastSeconds = 0.9
    /// Rates that differ by less are the same: of 50 packets in a report of a second that comes a little late.
    private static let leastShare = 0.9
    /// Packets that are longer than before by more than this share are fewer for that.
    private static let mostGrowth = 1.5

    /// Takes a span in which sound came all the time.
    mutating func take(_ delta: StreamDelta) {
        guard delta.darkSeconds == 0, delta.heldSeconds == 0, delta.seconds >= Self.leastSeconds,
            let packets = delta.counted.packets, packets > 0
        else { return }
        let rate = (packets + max(0, delta.packetsLost ?? 0)) / delta.seconds
        defer { before = rate }
        guard let before, min(before, rate) >= Self.leastShare * max(before, rate) else { return }
        packetsPerSecond = rate
        bytesPerPacket = delta.counted.bytes.map { $0 / packets }
    }

    /// Packets a second; `nil` where none are usual, or so few that silences between words are among them.
    func rate(for delta: StreamDelta) -> Double? {
        guard let packetsPerSecond, packetsPerSecond >= Self.leastRate else { return nil }
        if let packets = delta.counted.packets, packets > 0, let bytes = delta.counted.bytes, let bytesPerPacket,
            bytes / packets > Self.mostGrowth * bytesPerPacket
        {
            return nil
        }
        return packetsPerSecond
    }
}

// MARK: - Archive

extension SteadyRate {
    func write(to archive: inout ArchiveWriter) {
        archive.put(packetsPerSecond, bytesPerPacket, before)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (packetsPerSecond, bytesPerPacket, before) = try archive.get()
    }
}
