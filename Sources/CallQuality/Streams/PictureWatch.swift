import CallModel

/// How much was missing of the pictures of a connection: where they came without a gap, its path was up all the time.
struct PictureWatch: Archivable {
    private var time: Timestamp?
    private var frames = 0.0
    private var standstills = 0.0
    /// Seconds of all standstills; `nil` where they are not counted.
    private var stillSeconds: Double?
    /// Frames a second while nothing was amiss.
    private var usualRate: Double?
    private var packets = 0.0
    private var packetsLost = 0.0

    /// What a report tells of the time since the last one.
    struct Missing {
        /// Seconds of which the usual pictures are missing, infinite with a gap among them; `nil` when there are none, or too
        /// little is known.
        var seconds: Double?
        /// For how long they can have been missing at most: as many as frames are missing, or as they stood still, with what
        /// goes on; `nil` where standstills are not counted, too.
        var most: Double?
        /// For how long those would have taken of which packets count as lost, beyond what is usual: they were sent.
        var lost = 0.0
    }

    /// Of the usual frames, fewer than this share are a gap.
    private static let leastShare = 0.9

    /// A picture that stays for longer is a freeze, which is counted only when the next one comes (W3C `freezeCount`).
    private static func freezeSeconds(framesPerSecond: Double) -> Double {
        max(3 / framesPerSecond, 1 / framesPerSecond + 0.150)
    }

    /// Takes the streams of the next report.
    mutating func take(_ samples: [KeyedSample], at now: Timestamp) -> Missing {
        let pictures = samples.filter { $0.key.direction == .inbound && $0.key.kind == .video }.map(\.sample)
            .filter { !$0.labels.isScreen }
        guard !pictures.isEmpty else { return Missing() }
        let lost = takeLost(of: pictures) * (time.map { max(0, now.seconds(since: $0)) } ?? 0)
        let framesNow = pictures.compactMap(\.counters.frames).reduce(0, +)
        let standstillsNow = pictures.reduce(0) { $0 + ($1.counters.freezes ?? 0) + ($1.counters.pauses ?? 0) }
        let frozen = pictures.map { picture in
            picture.counters.frozenSeconds.map { $0 + (picture.counters.pausedSeconds ?? 0) }
        }
        let stillNow = frozen.contains(nil) ? nil : frozen.compactMap(\.self).reduce(0, +)
        let before = (time: time, frames: frames, standstills: standstills, stillSeconds: stillSeconds)
        (time, frames, standstills, stillSeconds) = (now, framesNow, standstillsNow, stillNow)
        guard let start = before.time, now > start, framesNow >= before.frames else { return Missing() }
        let rate = (framesNow - before.frames) / now.seconds(since: start)
        let age = pictures.compactMap { picture in picture.lastPacketReceivedAt.map { picture.time.seconds(since: $0) }
        }.min()
        guard let usual = usualRate else {
            guard rate > 0 else { return Missing(lost: lost) }
            usualRate = rate
            // What has come so far may be no usual rate, but what has stopped is missing.
            let stopped = age.flatMap { $0 > Self.freezeSeconds(framesPerSecond: rate) ? $0 : nil }
            return Missing(most: stopped, lost: lost)
        }
        let isFreezing = age.map { $0 > Self.freezeSeconds(framesPerSecond: usual) } ?? false
        let missing = max(0, 1 - rate / usual) * now.seconds(since: start)
        let most = zip(stillNow, before.stillSeconds).map {
            max(missing, $0 - $1 + (isFreezing ? age ?? 0 : 0))
        }
        guard rate >= Self.leastShare * usual, standstillsNow == before.standstills, !isFreezing else {
            return Missing(seconds: .infinity, most: most, lost: lost)
        }
        usualRate = (usual + rate) / 2
        return Missing(seconds: missing, most: most, lost: lost)
    }

    /// The share of the packets since the last report that were lost, beyond that of all before.
    private mutating func takeLost(of pictures: [StreamSample]) -> Double {
        let before = (packets: packets, lost: packetsLost)
        packets = pictures.compactMap(\.counters.packets).reduce(0, +)
        packetsLost = pictures.compactMap(\.counters.packetsLost).reduce(0, +)
        let (came, lost) = (packets - before.packets, packetsLost - before.lost)
        guard came >= 0, lost > 0, before.packets > 0 else { return 0 }
        return max(0, lost / (lost + came) - max(0, before.lost) / (max(0, before.lost) + before.packets))
    }
}

// MARK: - Archive

extension PictureWatch {
    func write(to archive: inout ArchiveWriter) {
        archive.put(time, frames, standstills, usualRate)
        archive.put(stillSeconds, packets, packetsLost)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (time, frames, standstills, usualRate) = try archive.get()
        (stillSeconds, packets, packetsLost) = try archive.get()
    }
}
