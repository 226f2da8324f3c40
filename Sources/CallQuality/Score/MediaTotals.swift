import CallModel

/// What happened to the inbound audio of a call over some span, all streams pooled.
struct AudioTotals: Hashable, Archivable {
    /// Samples as if all were played at one rate, for spans may have others; see ``CounterSet/samplesScale(of:after:)``.
    var counted = CounterSet()
    /// Seconds in which audio could have been heard, summed over the streams.
    var activeSeconds = 0.0
    /// Seconds without any sound that the sender did not mean.
    var silentSeconds = 0.0
    /// Those of them that are long enough to be a blackout, or the rest of one.
    var darkSeconds = 0.0
    /// Concealed samples that do not count: the sender's own silence, and the jitter buffer filling.
    var forgivenConcealedSamples = 0.0
    /// Stretched samples that do not count: the jitter buffer filling.
    var forgivenStretchedSamples = 0.0
    var packetsLost: Double?
    /// Samples a second, as ``counted`` has them.
    var sampleRate = 48_000.0
    /// Length of the audio in one packet.
    var packetSeconds = AudioScore.ordinaryPacketSeconds
    /// Sum and number of the reported jitter values, in seconds.
    var jitterSeconds = 0.0
    var jitterReports = 0
    var codec: CodecDescription?
    /// The members that would have told whether a silence that counts was meant.
    var silenceDoubts: Set<String> = []

    /// Takes in one stream's span; one that was on hold all the time says nothing.
    mutating func add(_ delta: StreamDelta) {
        guard delta.activeSeconds > 0.05 * delta.seconds else { return }
        let scale = delta.samplesScale
        counted += delta.counted.scalingSamples(by: scale)
        activeSeconds += delta.activeSeconds
        silentSeconds += delta.silentSeconds
        darkSeconds += delta.endsInterruption ? delta.silentSeconds : min(delta.silentSeconds, delta.darkSeconds)
        silenceDoubts.formUnion(delta.silenceDoubts)
        forgivenConcealedSamples += scale * delta.forgivenConcealedSamples
        forgivenStretchedSamples += scale * delta.forgivenStretchedSamples
        if delta.isSilenceByDesign { forgivenConcealedSamples += scale * (delta.silentSamples ?? 0) }
        if let lost = delta.packetsLost {
            packetsLost = (packetsLost ?? 0) + lost - (delta.counted.packetsLostInOutages ?? 0)
        }
        packetSeconds = delta.sample.packetSeconds ?? packetSeconds
        if delta.counted.samples ?? 0 > 0 { sampleRate = scale * delta.sampleRate }
        if let jitter = delta.sample.jitterSeconds, delta.counted.packets ?? 0 > 0 {
            jitterSeconds += jitter
            jitterReports += 1
        }
        codec = delta.sample.codec ?? codec
    }

    /// Takes in the span that follows.
    static func += (totals: inout AudioTotals, next: AudioTotals) {
        totals.counted += next.counted
        totals.activeSeconds += next.activeSeconds
        totals.silentSeconds += next.silentSeconds
        totals.darkSeconds += next.darkSeconds
        totals.forgivenConcealedSamples += next.forgivenConcealedSamples
        totals.forgivenStretchedSamples += next.forgivenStretchedSamples
        if let lost = next.packetsLost { totals.packetsLost = (totals.packetsLost ?? 0) + lost }
        if next.counted.samples ?? 0 > 0 { totals.sampleRate = next.sampleRate }
        if next.activeSeconds > 0 { totals.packetSeconds = next.packetSeconds }
        totals.jitterSeconds += next.jitterSeconds
        totals.jitterReports += next.jitterReports
        totals.codec = next.codec ?? totals.codec
        totals.silenceDoubts.formUnion(next.silenceDoubts)
    }

    /// The same with each outage on the wire as a run of lost packets, as if it were just too short to be one; `nil`
    /// without.
    var withOutagesAsRuns: AudioTotals? {
        guard let runs = counted.outageRuns, let lost = counted.packetsLostInOutages,
            let seconds = counted.outageSeconds, runs > 0, lost > 0, seconds > 0, packetSeconds > 0
        else { return nil }
        var totals = self
        let counting = min(lost, min(seconds, runs * Concealment.leastDarkSeconds) / packetSeconds)
        totals.packetsLost = (packetsLost ?? 0) + counting
        totals.counted.concealmentEvents = (counted.concealmentEvents ?? 0) + runs
        (totals.silentSeconds, totals.darkSeconds) = (0, 0)
        return totals
    }
}

/// What happened to the inbound video of a call over some span, all streams pooled.
struct VideoTotals: Hashable, Archivable {
    var counted = CounterSet()
    var activeSeconds = 0.0
    var packetsLost: Double?
    /// Picture area of the last frame against the largest seen in the call, 0...1, summed over spans by seconds.
    var resolutionShareSeconds = 0.0
    /// Frame rate against the usual one of the stream, 0...1, summed over spans by seconds.
    var frameRateShareSeconds = 0.0
    /// Seconds for which a frame rate is known, less those that turned out to be a pause.
    var frameRateSeconds = 0.0
    /// Seconds for which frames were missing while sound was, too: engines tell of that freeze when pictures come again, if
    /// they do.
    var darkSeconds = 0.0
    /// Seconds for which a picture size is known.
    var resolutionSeconds = 0.0
    /// Quantizer against the coarsest of the codec, 0...1, summed over frames.
    var quantizerShareFrames = 0.0
    /// Frames for which it is known.
    var quantizedFrames = 0.0
    /// Seconds without a picture in which no packet counts as lost, as a probe measures them.
    var uncountedOutageSeconds = 0.0
    /// Whether a probe saw retransmissions or repair packets beside a picture.
    var isRepaired = false
    var codec: CodecDescription?
    /// Seconds without media since there were some.
    private var emptySeconds = 0.0
    /// Seconds before all spans in which pictures were missing, as one tells in which a probe saw them come again.
    private(set) var earlierMissingSeconds = 0.0

    /// Takes in one stream's span, held against the best the stream has shown so far; the first began at `start`.
    mutating func add(_ delta: StreamDelta, reference: VideoReference, since start: Timestamp?) {
        let isMedia = (delta.counted.bytes ?? 1) > 0 || (delta.counted.frames ?? 0) > 0 || delta.standstills ?? 0 > 0
        if reference.framesPerSecond != nil { frameRateSeconds -= delta.pausedSecondsBefore }
        guard delta.activeSeconds > 0.05 * delta.seconds else { return }
        guard isMedia || delta.isBesideDarkSound && delta.counted.frames != nil else {
            emptySeconds += delta.activeSeconds
            return
        }
        counted += delta.counted
        moveStandstill(of: delta)
        activeSeconds += delta.activeSeconds
        let missing = delta.missingSecondsBefore
        takeEmptySeconds(upTo: max(missing, (delta.standstillSeconds ?? 0) - delta.activeSeconds))
        let here = start.map { max(0, delta.start.seconds(since: $0)) } ?? 0
        // What was missing with the sound counts where sound was.
        if !delta.isBesideDarkSound { earlierMissingSeconds = max(earlierMissingSeconds, missing - here) }
        if let lost = delta.packetsLost { packetsLost = (packetsLost ?? 0) + lost }
        uncountedOutageSeconds += delta.uncountedOutageSeconds
        isRepaired = isRepaired || delta.sample.isRepaired
        if let frames = delta.counted.frames, let usual = reference.framesPerSecond, usual > 0 {
            let moving = min(1, frames / delta.activeSeconds / usual) * delta.activeSeconds
            frameRateShareSeconds += moving
            frameRateSeconds += delta.activeSeconds
            if delta.isBesideDarkSound { darkSeconds += delta.activeSeconds - moving }
        } else if delta.isPlaceholder {
            frameRateShareSeconds += delta.activeSeconds
            frameRateSeconds += delta.activeSeconds
        }
        if let area = delta.sample.pictureArea, let largest = reference.pictureArea, largest > 0 {
            resolutionShareSeconds += min(1, area / largest) * delta.activeSeconds
            resolutionSeconds += delta.activeSeconds
        }
        codec = delta.sample.codec ?? codec
        if let sum = delta.counted.quantizerSum, let frames = delta.counted.frames, let range = codec?.coarsestQuantizer
        {
            quantizerShareFrames += sum / range
            quantizedFrames += frames
        }
    }

    /// A standstill is told when it is over, and counts as it goes on.
    private mutating func moveStandstill(of delta: StreamDelta) {
        if delta.untoldStandstillSeconds > 0 {
            counted.stillSeconds = (counted.stillSeconds ?? 0) + delta.untoldStandstillSeconds
        }
        let fromFreezes = min(delta.earlierStandstillSeconds, delta.counted.frozenSeconds ?? 0)
        counted.frozenSeconds = counted.frozenSeconds.map { $0 - fromFreezes }
        let rest = delta.earlierStandstillSeconds - fromFreezes
        counted.pausedSeconds = counted.pausedSeconds.map { $0 - rest }
    }

    /// Spans without media count nothing, unless the picture that follows says that it stood still meanwhile, or the packets
    /// that do (wire) that those before them were lost.
    private mutating func takeEmptySeconds(upTo seconds: Double) {
        activeSeconds += min(emptySeconds, max(0, seconds))
        emptySeconds = 0
    }

    /// Takes in the span that follows.
    static func += (totals: inout VideoTotals, next: VideoTotals) {
        totals.counted += next.counted
        totals.activeSeconds += next.activeSeconds
        if let lost = next.packetsLost { totals.packetsLost = (totals.packetsLost ?? 0) + lost }
        totals.resolutionShareSeconds += next.resolutionShareSeconds
        totals.resolutionSeconds += next.resolutionSeconds
        totals.frameRateShareSeconds += next.frameRateShareSeconds
        totals.frameRateSeconds += next.frameRateSeconds
        totals.darkSeconds += next.darkSeconds
        totals.quantizerShareFrames += next.quantizerShareFrames
        totals.quantizedFrames += next.quantizedFrames
        totals.uncountedOutageSeconds += next.uncountedOutageSeconds
        totals.isRepaired = totals.isRepaired || next.isRepaired
        totals.codec = next.codec ?? totals.codec
    }
}

extension CodecDescription {
    /// The largest quantizer in `qpSum`; `nil` for codecs of which nothing is known.
    var coarsestQuantizer: Double? {
        switch mimeType.lowercased() {
        case "video/vp8": 127
        case "video/h264": 51
        case "video/vp9", "video/av1": 255
        default: nil
        }
    }
}

extension StreamSample {
    /// Width times height in pixels; `nil` without a picture.
    var pictureArea: Double? {
        guard let frameWidth, let frameHeight, frameWidth > 0, frameHeight > 0 else { return nil }
        return Double(frameWidth) * Double(frameHeight)
    }
}

/// The best a video stream has shown so far: what later spans are held against.
struct VideoReference: Hashable, Archivable {
    /// No call is faulted for showing less than this many frames a second.
    static let mostFramesPerSecond = 30.0

    var framesPerSecond: Double?
    var pictureArea: Double?
    /// The rate of the span before, and for how long it lasted; and that of the one before it.
    private var before: Rate?
    private var beforeThat: Rate?

    fileprivate struct Rate: Hashable, Archivable {
        var framesPerSecond: Double
        var seconds: Double
    }

    /// Pictures that waited in an outage come at once when it is over: a rate is usual that was kept for so long, and in
    /// more than one report.
    private static let leastSteadySeconds = 2.75

    /// Bytes and frames of all spans taken in, and how long these were.
    private var bytes = 0.0
    private var frames = 0.0
    private var seconds = 0.0
    /// Whether the camera was off when the last span ended, as far as is known.
    private var isSwitchedOff = false

    /// Firefox sends a black picture every second in place of a camera that was switched off. One that came in the span before
    /// may be shown in this one.
    private static let mostPlaceholderRate = 1.5
    private static let mostEarlierPlaceholders = 1.0
    /// Of the usual bytes a second, and of those of a picture, placeholders have less than these shares. An encoder that is
    /// held up makes larger pictures, for more has changed.
    private static let mostPlaceholderBytes = (perSecond: 0.1, perFrame: 0.8)

    /// Whether a span in which nothing was lost, and sound came, has hardly more than a small picture a second, which say that
    /// there is none: all of it, or a part of it.
    mutating func takePlaceholder(_ delta: StreamDelta) -> Bool {
        let wasSwitchedOff = isSwitchedOff
        isSwitchedOff = false
        guard !delta.isBesideDarkSound, let came = delta.counted.frames, let size = delta.counted.bytes,
            delta.packetsLost ?? 0 <= 0, delta.seconds > 0, frames > 0, seconds > 0
        else { return false }
        isSwitchedOff =
            isWhollyPlaceholder(delta, came: came, size: size) || isSwitched(delta, came: came, size: size)
        return isSwitchedOff || wasSwitchedOff && isSwitchedOn(delta, came: came, size: size)
    }

    /// Of one that is shown in the next span there is only the packet.
    private func isWhollyPlaceholder(_ delta: StreamDelta, came: Double, size: Double) -> Bool {
        let pictures = came > 0 ? came : delta.counted.packets ?? 0
        let most = Self.mostPlaceholderRate * delta.seconds + Self.mostEarlierPlaceholders
        let share = Self.mostPlaceholderBytes
        return pictures > 0 && pictures <= most && size / delta.seconds < share.perSecond * bytes / seconds
            && size / pictures < share.perFrame * bytes / frames
    }

    /// Where the camera was switched off or on there are as many standstills of a second as seconds without a picture, but that the
    /// first of them is longer and that one may go on; all pictures beside them, and hardly more bytes than of these.
    private func isSwitched(_ delta: StreamDelta, came: Double, size: Double) -> Bool {
        guard let usual = framesPerSecond, let count = delta.standstills, let still = delta.standstillSeconds,
            count >= Self.leastPlaceholderStandstills, came > count
        else { return false }
        let isRegular =
            still >= (1 - Self.standstillSlack) * count && still <= (1 + Self.standstillSlack) * count + 1
        let rest = max(0, delta.seconds - still)
        let isMoving = came - count >= StreamMeter.nearlyAll * usual * (rest - 1) - 1
        return isRegular && isMoving && isOfPictures(size, for: rest, of: delta.seconds)
    }

    /// Where it was off before, all pictures that are missing may be of that time: engines get used to one a second, and then call
    /// it no standstill.
    private func isSwitchedOn(_ delta: StreamDelta, came: Double, size: Double) -> Bool {
        guard let usual = framesPerSecond, usual > Self.mostPlaceholderRate else { return false }
        let off = max(0, min(delta.seconds, (usual * delta.seconds - came) / (usual - 1)))
        return delta.standstillSeconds ?? 0 <= off + 1
            && isOfPictures(size, for: delta.seconds - off, of: delta.seconds)
    }

    /// Whether so many bytes are those of the usual pictures for a part of a span, and of hardly more.
    private func isOfPictures(_ size: Double, for part: Double, of whole: Double) -> Bool {
        size < (part + Self.mostPlaceholderBytes.perSecond * whole) * bytes / seconds
    }

    /// One alone may be a freeze of any cause. Each is as long as the timer of its sender is exact.
    private static let leastPlaceholderStandstills = 2.0
    private static let standstillSlack = 0.1

    /// Takes in a span. Pictures may come in a hold that only the client tells of, so frames count over all of it.
    mutating func raise(to delta: StreamDelta) {
        if let size = delta.counted.bytes, let came = delta.counted.frames, came > 0 {
            (bytes, frames, seconds) = (bytes + size, frames + came, seconds + delta.flowingSeconds)
        }
        if let frames = delta.counted.frames, delta.activeSeconds >= 0.9 {
            let rate = Rate(framesPerSecond: frames / delta.seconds, seconds: delta.seconds)
            let isLong = rate.seconds + (before?.seconds ?? 0) >= Self.leastSteadySeconds
            let steady = [rate, before, isLong ? nil : beforeThat].compactMap { $0?.framesPerSecond }.min() ?? 0
            framesPerSecond = max(framesPerSecond ?? 0, min(Self.mostFramesPerSecond, steady))
            (beforeThat, before) = (before, rate)
        }
        if let area = delta.sample.pictureArea { pictureArea = max(pictureArea ?? 0, area) }
    }
}

/// Round trips measured over some span.
struct RoundTripTotals: Hashable, Archivable {
    var seconds = 0.0
    var measurements = 0.0

    mutating func add(seconds: Double, measurements: Double) {
        self.seconds += seconds
        self.measurements += measurements
    }

    /// Mean round trip in ms; `nil` when none was measured.
    var meanMilliseconds: Double? {
        measurements > 0 ? 1000 * seconds / measurements : nil
    }
}

// MARK: - Archive

extension AudioTotals {
    func write(to archive: inout ArchiveWriter) {
        archive.put(counted, activeSeconds, silentSeconds, forgivenConcealedSamples)
        archive.put(forgivenStretchedSamples, packetsLost, sampleRate, packetSeconds)
        archive.put(jitterSeconds, jitterReports, codec, silenceDoubts)
        archive.put(darkSeconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (counted, activeSeconds, silentSeconds, forgivenConcealedSamples) = try archive.get()
        (forgivenStretchedSamples, packetsLost, sampleRate, packetSeconds) = try archive.get()
        (jitterSeconds, jitterReports, codec, silenceDoubts) = try archive.get()
        darkSeconds = try archive.get()
    }
}

extension VideoTotals {
    func write(to archive: inout ArchiveWriter) {
        archive.put(counted, activeSeconds, packetsLost, resolutionShareSeconds)
        archive.put(frameRateShareSeconds, frameRateSeconds, resolutionSeconds, codec)
        archive.put(quantizerShareFrames, quantizedFrames, uncountedOutageSeconds, emptySeconds)
        archive.put(darkSeconds)
        // Only a probe tells of any: the archive of a client's call goes without.
        if counted.outageSeconds != nil { archive.put(earlierMissingSeconds, isRepaired) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (counted, activeSeconds, packetsLost, resolutionShareSeconds) = try archive.get()
        (frameRateShareSeconds, frameRateSeconds, resolutionSeconds, codec) = try archive.get()
        (quantizerShareFrames, quantizedFrames, uncountedOutageSeconds, emptySeconds) = try archive.get()
        darkSeconds = try archive.get()
        if counted.outageSeconds != nil { (earlierMissingSeconds, isRepaired) = try archive.get() }
    }
}

extension VideoReference {
    func write(to archive: inout ArchiveWriter) {
        archive.put(framesPerSecond, pictureArea, before, beforeThat)
        archive.put(bytes, frames, seconds, isSwitchedOff)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (framesPerSecond, pictureArea, before, beforeThat) = try archive.get()
        (bytes, frames, seconds, isSwitchedOff) = try archive.get()
    }
}

extension VideoReference.Rate {
    func write(to archive: inout ArchiveWriter) {
        archive.put(framesPerSecond, seconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (framesPerSecond, seconds) = try archive.get()
    }
}

extension RoundTripTotals {
    func write(to archive: inout ArchiveWriter) {
        archive.put(seconds, measurements)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (seconds, measurements) = try archive.get()
    }
}
