import CallModel

/// When the last packet came, as far as what was counted allows what the client says of it.
///
/// The clock that it is told by may be off against the one that the report is placed by: then every last packet is too
/// old by as much, though packets came all the time.
struct ArrivalClock: Archivable {
    /// The last packet came after this: the report before the one that counted packets last.
    private var earliest: Timestamp?
    /// Whether packets were counted that had not come yet by this clock.
    private var isContradicted = false

    /// Both times are of the same moment, but not taken at once.
    private static let slackSeconds = 0.5

    /// Takes the next span of a client's inbound stream; corrects when its last packet came.
    mutating func check(_ delta: inout StreamDelta, kind: MediaKind, liveRate: Double?) {
        let packets = delta.counted.packets ?? 0
        let start = packets > 0 ? delta.start : earliest ?? delta.start
        earliest = start
        guard let told = delta.sample.lastPacketReceivedAt, delta.counted.outageSeconds == nil else { return }
        if packets > 0 { isContradicted = start.seconds(since: told) > Self.slackSeconds }
        guard !isContradicted else { return delta.sample.lastPacketReceivedAt = nil }
        var latest = max(told, start)
        if kind == .audio, packets > 0 {
            let room = Self.room(beside: packets, of: delta.seconds, liveRate: liveRate)
            if delta.end.seconds(since: latest) > room + Self.slackSeconds {
                latest = delta.end.advanced(byMilliseconds: -room.wholeMilliseconds)
            }
        }
        delta.sample.lastPacketReceivedAt = latest
    }

    /// Seconds that the sound of so many packets leaves free: there is no longer gap.
    private static func room(beside packets: Double, of seconds: Double, liveRate: Double?) -> Double {
        max(0, seconds - packets / max(1 / AudioScore.ordinaryPacketSeconds, liveRate ?? 0))
    }
}

// MARK: - Archive

extension ArrivalClock {
    func write(to archive: inout ArchiveWriter) {
        archive.put(earliest, isContradicted)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (earliest, isContradicted) = try archive.get()
    }
}
