import CallModel

/// All detectors, as data. A new one is a value in a file of its own or of its family, and a place in one of the lists.
enum IssueDetectors {
    /// Those that look at every report.
    static let levels: [LevelDetector] =
        LossDetectors.all + [DelayDetectors.jitter] + SoundDetectors.all + PictureDetectors.all
    private static let ofAudio = (inbound: looking(.audio, .inbound), outbound: looking(.audio, .outbound))
    private static let ofVideo = (inbound: looking(.video, .inbound), outbound: looking(.video, .outbound))

    /// Those that look at a stream.
    static func looking(at stream: StreamKey) -> [LevelDetector] {
        let detectors = stream.kind == .audio ? ofAudio : ofVideo
        return stream.direction == .inbound ? detectors.inbound : detectors.outbound
    }

    private static func looking(_ media: MediaKind, _ direction: MediaDirection) -> [LevelDetector] {
        levels.filter { ($0.media ?? media) == media && ($0.direction ?? direction) == direction }
    }

    /// Of a connection; see ``DelayDetectors/roundTrip``.
    static let delay = DelayDetectors.roundTrip

    static let byID = Dictionary((levels + [delay]).map { ($0.id, $0) }) { first, _ in first }

    /// Those that need no more than what is known of the call.
    static let calls: [CallDetector] =
        InterruptionDetectors.all + PathDetectors.all + SetupDetectors.all + CodecDetectors.all + DataDetectors.all
}
