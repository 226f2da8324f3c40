import CallModel

/// What some engines count, read from what others show.
extension StreamDelta {
    /// Video that arrived or was sent without a byte or a frame, as of a probe for bandwidth: no media.
    var isPaddingOnly: Bool {
        (counted.packets ?? 0) > 0 && counted.bytes == 0 && counted.frames == 0 && (standstills ?? 0) == 0
    }

    /// Without `qualityLimitationDurations` the reason at the end of the span stands for all of it.
    mutating func inferLimitation() {
        guard sample.counters.cpuLimitedSeconds == nil, sample.counters.bandwidthLimitedSeconds == nil,
            let reason = sample.limitation
        else { return }
        counted.cpuLimitedSeconds = reason == "cpu" ? seconds : 0
        counted.bandwidthLimitedSeconds = reason == "bandwidth" ? seconds : 0
    }

    /// From so many bit/s on there would be a picture: ObserveRTC's detector of a stuck decoder.
    static let leastPictureRate = 10_000.0
    /// A picture that stays for three of them is frozen (W3C `freezeCount`).
    private static let leastMissingFrames = 3.0

    /// Without `totalFreezesDuration` a span with media and without a frame is a picture that stood still.
    ///
    /// `usual` is the frame rate that the stream has shown, `nil` before the first frame.
    mutating func inferStandstill(usual: Double?) {
        guard sample.counters.frozenSeconds == nil, let usual, usual * seconds >= Self.leastMissingFrames,
            let frames = counted.frames, let bytes = counted.bytes, let arrived = firstArrivals
        else { return }
        let isStill = frames == 0 && arrived > 0 && heldSeconds == 0 && 8 * bytes >= Self.leastPictureRate * seconds
        counted.stillSeconds = isStill ? seconds : 0
    }

    /// A screen stands still until something on it changes: that is no freeze, whatever the engine counts.
    mutating func excuseStandstill() {
        if counted.freezes != nil { counted.freezes = 0 }
        if counted.pauses != nil { counted.pauses = 0 }
        if counted.frozenSeconds != nil { counted.frozenSeconds = 0 }
        if counted.pausedSeconds != nil { counted.pausedSeconds = 0 }
    }

    /// Seconds in which the picture stood still, counted or inferred.
    var unmovedSeconds: Double? { standstillSeconds ?? counted.stillSeconds }
}
