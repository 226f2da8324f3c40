import CallModel

/// What one report says of one stream, as detectors see it.
struct IssueSample {
    /// What happened since the report before.
    var delta: StreamDelta
    /// The same as a row of the time series.
    var row: MediaInterval
    /// What the picture is held against.
    var reference: VideoReference?
    /// Whether the sound of the connection was missing in the span.
    var isDark = false
    /// Seconds of the span in which this end meant to send no sound: muted, on hold, in the background.
    var quietSeconds = 0.0

    var stream: StreamKey { row.stream }

    /// Seconds that are evidence of anything; `nil` where hardly any time is.
    var evidenceSeconds: Double? {
        delta.activeSeconds > 0.05 * delta.seconds ? delta.activeSeconds : nil
    }
}
