import CallModel

/// What one report says of one stream, as detectors see it.
struct IssueSample {
    /// What happened since the report before.
    let span: MeasuredSpan
    /// Seconds of the span in which sound of the connection was missing, of the stream of which most was; 0 without any.
    var darkSeconds = 0.0
    /// Seconds for which it had been missing when the span began, and was still missing.
    var darkBefore = 0.0
    /// Seconds of an interruption that was over when the span began, of which the stream had not counted its packets as lost.
    var owedSeconds = 0.0
    /// Whether another stream of the connection brought sound that was no silence, as of who speaks in a conference.
    var isHeardBeside = false
    /// Seconds of the span in which this end meant to send no sound: muted, on hold, in the background.
    var quietSeconds = 0.0

    /// Whether the sound of the connection was missing in the span.
    var isDark: Bool { darkSeconds > 0 }

    var delta: StreamDelta { span.delta }
    var row: MediaInterval { span.row }
    var reference: VideoReference? { span.reference }
    var stream: StreamKey { span.row.stream }

    /// Whether its sound was silence, by the energy of it; `nil` where the client does not tell.
    var isSilence: Bool? {
        guard let energy = delta.counted.audioEnergy, let seconds = delta.counted.samplesSeconds, seconds > 0,
            energy >= 0
        else { return nil }
        return (energy / seconds).squareRoot() <= StreamDelta.silenceLevel
    }

    /// Seconds that are evidence of anything; `nil` where hardly any time is.
    var evidenceSeconds: Double? {
        delta.activeSeconds > 0.05 * delta.seconds ? delta.activeSeconds : nil
    }
}
