import CallModel

/// What some engines count, read from what others show.
extension StreamDelta {
    /// Video that arrived or was sent without a byte or a frame, as of a probe for bandwidth: no media.
    var isPaddingOnly: Bool {
        (counted.packets ?? 0) > 0 && counted.bytes == 0 && counted.frames == 0 && (standstills ?? 0) == 0
    }

    /// Without `jitterBufferDelay` all packets of the span have stayed in the buffer for as long as it was at its end.
    mutating func inferBuffer() {
        guard sample.counters.jitterBufferSeconds == nil, let length = sample.jitterBufferSeconds,
            let packets = counted.packets, packets > 0
        else { return }
        counted.jitterBufferSeconds = length * packets
        counted.jitterBufferEmitted = packets
    }

    /// Without `qualityLimitationDurations` the reason at the end of the span stands for all of it.
    mutating func inferLimitation() {
        guard sample.counters.cpuLimitedSeconds == nil, sample.counters.bandwidthLimitedSeconds == nil,
            let reason = sample.limitation
        else { return }
        counted.cpuLimitedSeconds = reason == "cpu" ? seconds : 0
        counted.bandwidthLimitedSeconds = reason == "bandwidth" ? seconds : 0
    }

    /// An encoder of several spatial layers counts a picture once for each of them: what it says of the last second (W3C
    /// `framesPerSecond`) stands for all of the span.
    mutating func inferPictures() {
        guard sample.labels.hasSpatialLayers, let frames = counted.frames, let rate = sample.framesPerSecond else {
            return
        }
        counted.frames = min(frames, max(0, rate) * seconds)
    }

    /// From so many bit/s on there would be a picture: ObserveRTC's detector of a stuck decoder.
    static let leastPictureRate = 10_000.0
    /// A picture that stays for three of them is frozen (W3C `freezeCount`).
    private static let leastMissingFrames = 3.0

    /// Without `totalFreezesDuration` a span with media and without a frame is a picture that stood still.
    ///
    /// Before the first frame engines count no freeze, and there is one once it is late.
    /// - Parameters:
    ///   - usual: the frame rate that the stream has shown, 0 or `nil` before the first frame.
    ///   - unseenSeconds: for how long it has come without a frame; 0 once there was one.
    mutating func inferStandstill(usual: Double?, unseenSeconds: Double) {
        let isUnseen = unseenSeconds >= Self.longestStartSeconds
        let isMissed = sample.counters.frozenSeconds == nil && (usual ?? 0) * seconds >= Self.leastMissingFrames
        guard isUnseen || isMissed, let frames = counted.frames, let bytes = counted.bytes else { return }
        // Some clients do not count packets.
        let hasCome = firstArrivals ?? 1 > 0 && 8 * bytes >= Self.leastPictureRate * seconds
        let isStill = frames == 0 && hasCome && heldSeconds == 0
        counted.stillSeconds = isStill ? seconds : 0
    }

    /// Servers, recorders and gateways take in video and decode none. Some print every member there is, 0 where they know
    /// nothing: video that has samples of sound, which W3C gives to sound alone, shows it. Newer Pion leaves those out, and is known
    /// by itself.
    ///
    /// A decoder that is stuck has been given frames, or has a picture that stands.
    mutating func leaveOutUndecoded(unseenSeconds: Double) {
        guard unseenSeconds >= Self.longestStartSeconds, sample.counters.frames == 0, sample.framesReceived == 0,
            sample.counters.samples == 0 || sample.isOfPion, sample.pictureArea == nil, counted.packets ?? 0 > 0
        else { return }
        counted.frames = nil
        isUndecoded = true
    }

    /// The first picture may take so long: own choice, for a key frame that is lost and asked for again.
    private static let longestStartSeconds = 3.0

    /// A screen stands still until something on it changes: that is no freeze, whatever the engine counts.
    mutating func excuseStandstill() {
        if counted.freezes != nil { counted.freezes = 0 }
        if counted.pauses != nil { counted.pauses = 0 }
        if counted.frozenSeconds != nil { counted.frozenSeconds = 0 }
        if counted.pausedSeconds != nil { counted.pausedSeconds = 0 }
    }

    /// A span without a picture, though media came, or sound was missing, is part of a standstill of which the engine has not told
    /// yet, where several are usual in its time. `open` are the seconds of it so far.
    mutating func noteStandstill(open: inout Double, usual: Double?) {
        guard let told = standstillSeconds, let frames = counted.frames else { return }
        let isMissed = frames == 0 && (usual ?? 0) * seconds >= Self.leastMissingFrames
        if told > 0 {
            earlierStandstillSeconds = min(open, told)
        } else if isMissed, heldSeconds == 0, isBesideDarkSound || counted.bytes ?? 0 > 0,
            counted.stillSeconds ?? 0 == 0
        {
            untoldStandstillSeconds = seconds
            open += seconds
            return
        }
        open = 0
    }

    /// Seconds in which the picture stood still, counted or inferred.
    var unmovedSeconds: Double? {
        standstillSeconds.map { $0 + (counted.stillSeconds ?? 0) } ?? counted.stillSeconds
    }
    /// Seconds at the end of the span for which no packet of the picture had come; 0 for what is usual between pictures, where its
    /// sender had stopped it, and where the client does not say when the last packet came.
    var standstillAtEndSeconds: Double {
        guard pausedSeconds == 0, let last = sample.lastPacketReceivedAt else { return 0 }
        let age = end.seconds(since: last) - hold.atEndSeconds
        return age >= PauseMeter.leastOpenPictureSeconds ? min(age, seconds) : 0
    }
}
