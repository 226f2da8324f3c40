import CallModel

extension IssueKind {
    /// What it is called in a sentence.
    var words: String {
        switch self {
        case .oneWayAudio: "sound went one way only"
        case .silentMicrophone: "the microphone gave silence"
        case .silentFarEnd: "the far end sent silence"
        case .blackout: "no sound arrived"
        case .packetLoss: "packet loss"
        case .lossBursts: "losses in runs"
        case .jitter: "jitter"
        case .delay: "long round trip"
        case .concealment: "sound made up"
        case .freeze: "frozen picture"
        case .lowFrameRate: "low frame rate"
        case .cpuLimited: "encoder limited by the processor"
        case .bandwidthLimited: "encoder limited by bandwidth"
        case .relayOverTCP: "media over TCP"
        case .pathChange: "path changed without an ICE event"
        case .iceDisconnected: "ICE disconnected"
        case .slowSetup: "slow setup"
        case .lateGathering: "ICE gathering cut off"
        case .ipChange: "address or network of the device changed"
        case .codecFallback: "poorer codec"
        case .stuckDecoder: "video arrived, none was decoded"
        case .clockTrouble: "the client's clock was set"
        case .missingReports: "reports missing"
        case .neverConnected: "never connected"
        case .echo: "echo"
        case .unacknowledgedAnswer: "the answer was never acknowledged"
        }
    }

    /// What the worst value is a value of, to be set after it.
    var worstWords: String {
        switch self {
        case .packetLoss: "lost"
        case .lossBursts: "at a time"
        case .concealment: "of the sound"
        case .freeze: "of the time"
        case .lowFrameRate: "of the usual frames missing"
        case .cpuLimited, .bandwidthLimited: "of the time"
        case .missingReports: "at most"
        default: ""
        }
    }
}

extension CallIssue {
    /// What it is called in a sentence.
    var words: String { isBehindProbe ? "\(kind.words) behind the probe (RTCP)" : kind.words }
}

extension IssueCause {
    /// Fits after "likely".
    var words: String {
        switch self {
        case .networkLoss: "lost on the network"
        case .networkLossOneWay: "lost on the network, in this direction only"
        case .networkJitter: "uneven delivery by the network"
        case .congestion: "a queue on the way fills up (congestion)"
        case .pathDown: "nothing passed the network"
        case .networkChange: "the device changed its network"
        case .relay: "the relay is far away"
        case .distance: "the way is long"
        case .bandwidth: "the network carries no more"
        case .blockedMedia: "a firewall or NAT lets no media through"
        case .destinationUnreachable: "nobody listens where the sound is sent, or it is blocked (ICMP)"
        case .unreachableServer: "a STUN or TURN server does not answer"
        case .busyComputer: "a busy computer, not the network"
        case .farEndSendsNothing: "the far end sends nothing, or it is blocked"
        case .nothingSent: "this end sends nothing, or it is blocked"
        case .microphone: "muted or unplugged outside the app"
        case .lostKeyFrame: "a key frame was lost"
        case .appSuspended: "the app was asleep, or reports were lost"
        case .clockSet: "the clock was corrected"
        }
    }
}

extension IssueSeverity {
    /// A sign that tells the severity without colour; those of the bands.
    var sign: String {
        switch self {
        case .critical: QualityBand.bad.sign
        case .warning: QualityBand.poor.sign
        case .notice: QualityBand.fair.sign
        }
    }
}

extension CallIssue.Measure {
    /// The value with its unit.
    var words: String {
        switch unit {
        case .percent: Figures.number(value, "%")
        case .milliseconds: Figures.number(value.rounded(), "ms")
        case .seconds: value < 0.95 ? Figures.number((1000 * value).rounded(), "ms") : Words.duration(seconds: value)
        case .decibels:
            "\(Figures.number(abs(value), "dB")) \(value < 0 ? "below" : "above") the far end's voice"
        case .count: Figures.number(value)
        }
    }
}

extension CallIssue.Evidence {
    /// Members in seconds that people know in milliseconds.
    private static let lengths: Set<String> = ["jitter", "roundTripTime"]

    /// The member and what it said.
    var words: String {
        if let text { return "\(member.printable) \(text.printable.cutAtEnd(to: 60))" }
        guard let value, value.isFinite else { return member.printable }
        if Self.lengths.contains(member) { return "\(member) \(Figures.number(1000 * value, "ms"))" }
        return "\(member.printable) \(value == value.rounded() ? Figures.whole(value) : Figures.number(value))"
    }
}
