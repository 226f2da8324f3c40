import CallModel

/// All detectors, as data. A new one is a value in a file of its own or of its family, and a place in one of the lists.
enum IssueDetectors {
    /// Those that look at every report.
    static let levels: [LevelDetector] =
        LossDetectors.all + [DelayDetectors.jitter] + SoundDetectors.all + PictureDetectors.all
    /// Of a connection; see ``DelayDetectors/roundTrip``.
    static let delay = DelayDetectors.roundTrip

    static let byID = Dictionary((levels + [delay]).map { ($0.id, $0) }) { first, _ in first }

    /// Those that need no more than what is known of the call.
    static let calls: [CallDetector] =
        InterruptionDetectors.all + PathDetectors.all + SetupDetectors.all + CodecDetectors.all + DataDetectors.all
}
