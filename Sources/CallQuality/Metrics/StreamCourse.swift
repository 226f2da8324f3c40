import CallModel

/// How loss, silence and stops of a stream are spread over its spans.
struct StreamCourse: Archivable {
    private var intervals = 0
    private var lossyIntervals = 0
    private var lost = 0.0
    private var mostLost = 0.0
    private var silentSeconds: Double?
    private var deadSeconds: Double?
    private var codec: String?
    private var codecChanges = 0
    private var picture: PictureChange.Picture?
    private var resolutionChanges: Int?
    private var pictureChanges: [PictureChange] = []

    private static let mostPictureChanges = 50

    /// Two reports closer than this may well have no packet between them.
    private static let leastStoppedSeconds = 0.5

    mutating func take(_ delta: StreamDelta, lost lostInSpan: Int?) {
        intervals += 1
        noteChanges(delta)
        if let lostInSpan, lostInSpan > 0 {
            lossyIntervals += 1
            lost += Double(lostInSpan)
            mostLost = max(mostLost, Double(lostInSpan))
        }
        guard let packets = delta.counted.packets else { return }
        let isStopped = packets == 0 && delta.seconds >= Self.leastStoppedSeconds
        deadSeconds = (deadSeconds ?? 0) + (isStopped ? delta.activeSeconds : 0)
        guard packets > 0, let energy = delta.counted.audioEnergy, let seconds = delta.counted.samplesSeconds,
            seconds > 0
        else { return }
        let level = max(0, energy / seconds).squareRoot()
        silentSeconds = (silentSeconds ?? 0) + (level <= StreamDelta.silenceLevel ? delta.activeSeconds : 0)
    }

    private mutating func noteChanges(_ delta: StreamDelta) {
        if let now = delta.sample.codec?.mimeType {
            if let codec, codec != now { codecChanges += 1 }
            codec = now
        }
        if let width = delta.sample.frameWidth, let height = delta.sample.frameHeight {
            let rate = delta.flowingSeconds > 0 ? delta.counted.frames.map { $0 / delta.flowingSeconds } : nil
            notePicture(PictureChange.Picture(width: width, height: height, framesPerSecond: rate), delta)
        }
    }

    private mutating func notePicture(_ now: PictureChange.Picture, _ delta: StreamDelta) {
        let before = picture ?? now
        let isChanged = (before.width, before.height) != (now.width, now.height)
        resolutionChanges = (resolutionChanges ?? 0) + (isChanged ? 1 : 0)
        picture = now
        guard isChanged, pictureChanges.count < Self.mostPictureChanges else { return }
        pictureChanges.append(PictureChange(time: delta.end, from: before, to: now, limit: Self.limit(in: delta)))
    }

    private static func limit(in delta: StreamDelta) -> PictureChange.Limit? {
        let bandwidth = delta.counted.bandwidthLimitedSeconds ?? 0
        let processor = delta.counted.cpuLimitedSeconds ?? 0
        guard max(bandwidth, processor) > 0 else { return nil }
        return bandwidth >= processor ? .bandwidth : .cpu
    }

    func fill(_ summary: inout StreamSummary) {
        summary.intervals = intervals
        summary.lossyIntervals = lossyIntervals
        summary.codecChanges = codecChanges
        summary.resolutionChanges = resolutionChanges
        if lost > 0 { summary.worstIntervalShareOfLossPercent = 100 * mostLost / lost }
        guard summary.stream.direction == .inbound else {
            summary.pictureChanges = pictureChanges
            return
        }
        summary.deadSeconds = deadSeconds
        summary.silentSeconds = silentSeconds
    }
}

// MARK: - Archive

extension StreamCourse {
    func write(to archive: inout ArchiveWriter) {
        archive.put(intervals, lossyIntervals, lost, mostLost)
        archive.put(silentSeconds, deadSeconds, codec, codecChanges)
        archive.put(picture, resolutionChanges, pictureChanges)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (intervals, lossyIntervals, lost, mostLost) = try archive.get()
        (silentSeconds, deadSeconds, codec, codecChanges) = try archive.get()
        (picture, resolutionChanges, pictureChanges) = try archive.get()
    }
}
