import CallModel

/// How much was missing of the pictures of a connection: where they came without a gap, its path was up all the time.
struct PictureWatch: Archivable {
    private var time: Timestamp?
    private var frames = 0.0
    private var standstills = 0.0
    /// Frames a second while nothing was amiss.
    private var usualRate: Double?

    /// Of the usual frames, fewer than this share are a gap.
    private static let leastShare = 0.9

    /// A picture that stays for longer is a freeze, which is counted only when the next one comes (W3C `freezeCount`).
    private static func freezeSeconds(framesPerSecond: Double) -> Double {
        max(3 / framesPerSecond, 1 / framesPerSecond + 0.150)
    }

    /// Takes the streams of the next report.
    ///
    /// - Returns: seconds since the last one of which the usual pictures are missing, infinite with a gap among them; `nil`
    ///   when there are none, or too little is known.
    mutating func take(_ samples: [KeyedSample], at now: Timestamp) -> Double? {
        let pictures = samples.filter { $0.key.direction == .inbound && $0.key.kind == .video }.map(\.sample)
            .filter { !$0.labels.isScreen }
        guard !pictures.isEmpty else { return nil }
        let framesNow = pictures.compactMap(\.counters.frames).reduce(0, +)
        let standstillsNow = pictures.reduce(0) { $0 + ($1.counters.freezes ?? 0) + ($1.counters.pauses ?? 0) }
        let before = (time: time, frames: frames, standstills: standstills)
        (time, frames, standstills) = (now, framesNow, standstillsNow)
        guard let start = before.time, now > start, framesNow >= before.frames else { return nil }
        let rate = (framesNow - before.frames) / now.seconds(since: start)
        guard let usual = usualRate else {
            usualRate = rate > 0 ? rate : nil
            return nil
        }
        let age = pictures.compactMap { picture in picture.lastPacketReceivedAt.map { picture.time.seconds(since: $0) }
        }.min()
        let isFreezing = age.map { $0 > Self.freezeSeconds(framesPerSecond: usual) } ?? false
        guard rate >= Self.leastShare * usual, standstillsNow == before.standstills, !isFreezing else {
            return .infinity
        }
        usualRate = (usual + rate) / 2
        return max(0, 1 - rate / usual) * now.seconds(since: start)
    }
}

// MARK: - Archive

extension PictureWatch {
    func write(to archive: inout ArchiveWriter) {
        archive.put(time, frames, standstills, usualRate)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (time, frames, standstills, usualRate) = try archive.get()
    }
}
