public import CallModel

/// What a probe has to tell, in order.
public enum ProbeOutput: Sendable {
    /// A fact of one end's record of a call.
    case fact(call: CallID, observer: ObserverID, Fact)
    /// Nothing more will come of this call.
    case ended(call: CallID)
}

/// How a probe works.
public struct ProbeOptions: Hashable, Sendable {
    /// First part of the observer's name: `wire` gives `wire:caller` and `wire:callee`.
    public var name: String
    /// Seconds between two snapshots of a call.
    public var snapshotSeconds: Int
    /// Without signalling, a call ends when no packet came for so many seconds.
    public var idleSeconds: Int
    /// Whether whole addresses of streams are told, and not only their networks: for who looks at a capture of their own.
    public var tellsAddresses: Bool

    public init(
        name: String = "wire", snapshotSeconds: Int = 5, idleSeconds: Int = 30, tellsAddresses: Bool = false
    ) {
        self.name = name
        self.snapshotSeconds = max(1, snapshotSeconds)
        self.idleSeconds = max(1, idleSeconds)
        self.tellsAddresses = tellsAddresses
    }
}

/// What a probe has seen so far, for a summary line and the head of a report.
public struct ProbeFigures: Hashable, Sendable {
    /// Frames recorded.
    public var frames = 0
    /// Bytes of them on the wire.
    public var bytes = 0
    /// When the first frame was recorded; `nil` before it.
    public var firstFrameAt: Timestamp?
    /// When the last frame was recorded.
    public var lastFrameAt: Timestamp?
    /// RTP packets that accepted streams have counted.
    public var rtpPackets = 0
    /// Streams accepted.
    public var streams = 0
    /// Streams being metered now.
    public var liveStreams = 0
    /// RTCP datagrams.
    public var rtcpPackets = 0
    /// SIP messages.
    public var sipMessages = 0
    /// Calls, with signalling and without.
    public var calls = 0
    /// Calls going on now.
    public var liveCalls = 0
    /// Packets of other protocols that share the ports of media, by name, and RTP of calls that are over.
    public var otherPackets: [String: Int] = [:]
    /// Datagrams that looked like RTP and belonged to no stream, by the rule of `docs/wire.md`.
    public var rejectedRTPPackets = 0
    /// Frames recorded more than a second before the latest one ahead of them: the file is not in order of time, or the
    /// clock was set.
    public var framesOutOfOrder = 0
    /// Frames without a time, as of the simple packet blocks of pcapng: nothing that depends on arrival is known of them.
    public var framesWithoutTime = 0
    /// Spans in which the capture had nothing at all although many streams were flowing.
    public var holes = 0
    /// How often the clock was set forward by a second or more: all streams went on as if no time had passed.
    public var clockSteps = 0
    /// What was refused or left aside, by reason.
    public var refused: [String: Int] = [:]

    public init() {}
}
