/// What can go wrong in a call so that it is worth a sentence of its own: one kind for each detector (`docs/issues.md`).
public enum IssueKind: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    /// Sound went one way only.
    case oneWayAudio
    /// This end sent silence for long, and nothing says that it was muted.
    case silentMicrophone
    /// Packets came, but for long they held nothing but silence.
    case silentFarEnd
    /// No sound arrived although the far end was sending.
    case blackout
    /// Packets were lost.
    case packetLoss
    /// Packets were lost many in a row.
    case lossBursts
    /// Packets of audio came unevenly.
    case jitter
    /// The way there and back took long.
    case delay
    /// Sound was made up in the place of packets that were missing or late.
    case concealment
    /// The picture stood still.
    case freeze
    /// The picture had far fewer frames than usual for this call.
    case lowFrameRate
    /// The processor held the encoder back.
    case cpuLimited
    /// The network's bandwidth held the encoder back, after the start of the call.
    case bandwidthLimited
    /// Media went over TCP, where one lost packet holds up all behind it.
    case relayOverTCP
    /// Media moved to another path, and no event told of it.
    case pathChange
    /// ICE lost the path.
    case iceDisconnected
    /// Setting up took long.
    case slowSetup
    /// Gathering of ICE candidates was cut off by its time-out.
    case lateGathering
    /// The device changed its address or its network during the call.
    case ipChange
    /// The codec, or what runs it, changed to a poorer one.
    case codecFallback
    /// Video arrived and none of it could be decoded.
    case stuckDecoder
    /// The client's clock was set during the call.
    case clockTrouble
    /// Reports are missing.
    case missingReports
    /// The call was answered and no media ever flowed.
    case neverConnected
    /// The microphone picks up the loudspeaker, and little of it is taken out.
    case echo
    /// The caller never acknowledged the answer (SIP): after 32 s the callee hangs up.
    case unacknowledgedAnswer
}

extension IssueKind {
    /// Whether the kind by itself points to the network, whatever its cause.
    public var isOfNetwork: Bool {
        switch self {
        case .blackout, .packetLoss, .lossBursts, .jitter, .delay, .bandwidthLimited, .relayOverTCP, .pathChange,
            .iceDisconnected, .ipChange, .neverConnected, .lateGathering:
            true
        case .oneWayAudio, .silentMicrophone, .silentFarEnd, .concealment, .freeze, .lowFrameRate, .cpuLimited,
            .slowSetup, .codecFallback, .stuckDecoder, .clockTrouble, .missingReports, .echo, .unacknowledgedAnswer:
            false
        }
    }
}
