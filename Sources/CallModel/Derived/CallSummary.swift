/// What became of a call, as far as the facts tell.
public enum CallOutcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// Media flowed, or ICE connected.
    case connected
    /// It was answered, but neither ICE connected nor media flowed.
    case notConnected
    /// It was created and not answered.
    case notAnswered
    /// The facts do not tell: no event of the setup and no media, or a probe saw neither an answer nor an end.
    case unknown
}

/// Everything derived of one call record that does not belong to a time series. Stored beside the facts.
public struct CallSummary: Hashable, Sendable, Codable {
    /// Which record this sums up.
    public var key: CallKey
    /// Version of the rules that derived this.
    public var rulesVersion: Int
    /// The first moment any fact carries.
    public var start: Timestamp
    /// The last moment any fact carries.
    public var lastActivity: Timestamp
    /// When the collector last received a fact, on its own clock.
    public var lastReceivedAt: Timestamp
    /// When an event ended the call; `nil` while none has.
    public var endedAt: Timestamp?
    /// Why it ended, in the client's words and code (`ENDED`); `nil` while it has not, or nothing was said.
    public var endReason: String?
    /// Whether the call came about, as far as the facts tell; see ``outcome(isLive:)`` of one that goes on.
    public var outcome: CallOutcome
    /// What program this end is, and the first numbers of its version, by what it calls itself: `Chrome 148`. `nil` where it
    /// tells nothing of it.
    public var client: String?
    /// When `callCreate` (or `incomingCall`) happened; anchor of the setup timeline.
    public var createdAt: Timestamp?
    /// First moment inbound media were seen.
    public var firstMediaAt: Timestamp?

    /// The call's inbound quality, 0...100, over its 10 s windows; `nil` when no window has a score.
    public var score: Int?
    /// The score of the worst stretches, two windows in a row (20 s) each: 5 % of the time, at least one. Never above
    /// ``score``.
    public var worstScore: Int?
    /// The worst stretch.
    public var worstSpan: TimeSpan?
    /// What the far end heard and saw of this end, 0...100, by its RTCP (loss, jitter, round trip): rougher than
    /// ``score``, for what it concealed is not known. `nil` where no RTCP told of it.
    public var farEndScore: Int?
    /// Points lost by cause, each 10 s window weighed by what it lost; adds up to 100 minus the unrounded score.
    public var costs: [QualityCause: Double]
    /// Seconds that were scored.
    public var scoredSeconds: Double
    /// Seconds on hold.
    public var heldSeconds: Double
    /// Seconds in each band, by the windows.
    public var secondsByBand: [QualityBand: Double]
    /// What came after the last complete 10 s window, as it counts in ``score`` if nothing more comes; `nil` where that is
    /// too little for a window.
    public var openWindow: ScoreInterval?
    /// W3C members missing in some window, sorted.
    public var missing: [String]
    /// What the audio part of the score rests on; `nil` without scored audio.
    public var basis: ScoreBasis?
    /// R and mean opinion scores of the audio over the scored time, beside the score; `nil` without scored audio, where
    /// nothing is known of the codec, and in summaries that were made before there were ratings.
    public var rating: TransmissionRating?

    /// How long the parts of the setup took.
    public var setup: SetupLatencies
    /// `iceDisconnected` → next `iceConnected`.
    public var iceDisconnects: [TimeSpan]
    /// `ipChangeStarted` → `ipChangeEnded`.
    public var ipChanges: [TimeSpan]
    /// Spans without sound, in order of time; of each stream the first ``MediaOutage/mostKept``.
    public var outages: [MediaOutage]
    /// Spans on hold, in order of time.
    public var holds: [MediaHold]
    /// Every RTP stream seen, inbound first.
    public var streams: [StreamSummary]
    /// The network path in use last, and when it changed.
    public var path: PathSummary
    /// What the transports carried.
    public var transport: TransportSummary
    /// Whether sound went one way only for 15 s or more: at least 10 packets a second there and none here, or the
    /// other way round, while not on hold. `nil` when one direction of audio was never reported.
    public var isOneWay: Bool?
    /// How complete and consistent the facts are.
    public var dataQuality: DataQuality
    /// How well the capture did that the record comes from; `nil` for what a client reported.
    public var sensor: SensorHealth?
    /// Streams a probe saw beside the primary ones: retransmissions and repair packets.
    public var secondaryStreams: [WireStream]
    /// What happened besides the media, by the client's events.
    public var course: CallCourse
    /// What went wrong, each with when, how bad and why.
    public var issues: CallIssues
    /// Other names of the call, as `header: value`, from SIP on the wire; sorted.
    public var aliases: [String]

    public init(key: CallKey, rulesVersion: Int, start: Timestamp, lastActivity: Timestamp, lastReceivedAt: Timestamp) {
        self.key = key
        self.rulesVersion = rulesVersion
        self.start = start
        self.lastActivity = lastActivity
        self.lastReceivedAt = lastReceivedAt
        outcome = .unknown
        costs = [:]
        scoredSeconds = 0
        heldSeconds = 0
        secondsByBand = [:]
        missing = []
        setup = SetupLatencies()
        iceDisconnects = []
        ipChanges = []
        outages = []
        holds = []
        streams = []
        path = PathSummary()
        transport = TransportSummary()
        dataQuality = DataQuality()
        secondaryStreams = []
        course = CallCourse()
        issues = CallIssues()
        aliases = []
    }

    /// Packets that the capture has not and that came all the same, for the receiver has them, by its RTCP.
    public var packetsUnrecorded: Int { streams.compactMap(\.wire).reduce(0) { $0 + $1.packetsUnrecorded } }

    /// Whether loss may be the capture's and not the network's; `nil` for what a client reported.
    public var isCaptureDoubtful: Bool? { sensor.map { $0.isDoubtful || packetsUnrecorded > 0 } }
}

extension CallSummary {
    /// The order in which the records of one call are shown: by attempt, the end that placed the call first.
    public static func areInReportOrder(_ left: CallSummary, _ right: CallSummary) -> Bool {
        left.reportOrder < right.reportOrder
    }

    private var reportOrder: (Int, Int, String) {
        let isCallee = course.phases.first?.phase == .alerting
        return (key.attempt, createdAt == nil ? 2 : isCallee ? 1 : 0, key.observer.rawValue)
    }
}

extension QualityBand: CodingKeyRepresentable {}

/// A span in which no sound arrived although the far end was sending.
public struct MediaOutage: Hashable, Sendable, Codable {
    /// Where it lies: exact to the report interval, or to the last packet where the client says when that was.
    public var span: TimeSpan
    /// How long it lasted, in seconds, from concealed samples; better than ``span`` when reports are far apart.
    public var seconds: Double
    /// What it was concluded from, in W3C members, sorted.
    public var evidence: [String]

    /// A record keeps no more of a stream.
    public static let mostKept = 300

    public init(span: TimeSpan, seconds: Double, evidence: [String]) {
        self.span = span
        self.seconds = seconds
        self.evidence = evidence
    }
}

/// A span in which media were on hold, by the playout clock or by the client's events, or in which their sender paused.
public struct MediaHold: Hashable, Sendable, Codable {
    /// Where it lies, to the report interval or better.
    public var span: TimeSpan
    /// How long it lasted, in seconds; less than ``span`` where it lies somewhere in there.
    public var seconds: Double
    /// Whether the sender sent nothing for a while without any word of a hold, as with silence suppression; `nil` in what
    /// earlier rules derived.
    public var isSenderPause: Bool?

    /// A record keeps no more of a connection.
    public static let mostKept = 100

    public init(span: TimeSpan, seconds: Double, isSenderPause: Bool? = nil) {
        self.span = span
        self.seconds = seconds
        self.isSenderPause = isSenderPause
    }
}

/// One stream over the whole call. Figures as in ``MediaInterval``, over all segments.
public struct StreamSummary: Hashable, Sendable, Codable {
    /// Which stream this sums up.
    public var stream: StreamKey
    /// The first report that mentions the stream.
    public var firstSeen: Timestamp
    /// The last report that mentions the stream.
    public var lastSeen: Timestamp
    /// `mimeType` of the codec in use last, such as `audio/opus`.
    public var codec: String?
    /// RTP clock rate of that codec in Hz.
    public var clockRate: Int?
    /// `sdpFmtpLine` of that codec.
    public var formatParameters: String?
    /// Packets received or sent, retransmissions left out where reported.
    public var packets: Int?
    /// Packets lost; negative when late or duplicate ones outnumber them. Outbound: as the far end says.
    public var packetsLost: Int?
    /// Lost of those expected, 0...100 %.
    public var lossPercent: Double?
    /// Packets that came too late to be played.
    public var packetsDiscarded: Int?
    /// Packets reported lost when a paused stream resumed; not counted as loss.
    public var resumeGapPackets: Int
    /// Mean payload rate while not on hold, in kbit/s.
    public var bitrateKilobitsPerSecond: Double?
    /// Mean of the reported jitter, in ms.
    public var jitterMilliseconds: Double?
    /// Largest reported jitter, in ms.
    public var maximumJitterMilliseconds: Double?
    /// Mean round trip, in ms.
    public var roundTripMilliseconds: Double?
    /// Samples made up, in percent of those played (audio, inbound).
    public var concealedPercent: Double?
    /// Samples inserted or removed, in percent of those played (audio, inbound).
    public var stretchedPercent: Double?
    /// Mean stay in the jitter buffer, in ms (inbound).
    public var jitterBufferMilliseconds: Double?
    /// Mean frame rate while not on hold (video).
    public var framesPerSecond: Double?
    /// Width of the last picture, in pixels.
    public var frameWidth: Int?
    /// Height of the last picture, in pixels.
    public var frameHeight: Int?
    /// Seconds of freezes and pauses, holds taken out (video, inbound).
    public var frozenSeconds: Double?
    /// Freezes and pauses, holds taken out (video, inbound).
    public var freezeCount: Int?
    /// Times the counters started anew, plus one.
    public var segments: Int
    /// Further figures, those whose members were reported.
    public var metrics: [StreamMetric: Double]
    /// Spans between two reports in which packets were lost.
    public var lossyIntervals: Int
    /// Spans between two reports.
    public var intervals: Int
    /// Share of all loss that fell into the worst span, 0...100 %; `nil` without loss. High: the loss came in bursts.
    public var worstIntervalShareOfLossPercent: Double?
    /// Seconds in which packets came but the sound was silence (RMS at most 0.001 of full scale; inbound audio).
    public var silentSeconds: Double?
    /// Seconds without any packet while not on hold (inbound).
    public var deadSeconds: Double?
    /// `rid` of a simulcast layer.
    public var layer: String?
    /// `scalabilityMode` (webrtc-svc).
    public var scalabilityMode: String?
    /// `contentType` (webrtc-provisional-stats): `screenshare`; `nil` for a camera, and where the engine does not say. Of a
    /// screen that arrives, frame rate, freezes and size count nothing in the score: they follow what is shown.
    public var content: String?
    /// `decoderImplementation` or `encoderImplementation`.
    public var implementation: String?
    /// Whether that runs on a power-efficient processor, as far as the engine says.
    public var isPowerEfficient: Bool?
    /// Times the codec changed from one report to the next.
    public var codecChanges: Int
    /// Times the size of the picture changed from one report to the next (video).
    public var resolutionChanges: Int?
    /// Those changes of a picture that was sent, in order of time, at most 50; engines make them without a word.
    public var pictureChanges: [PictureChange]
    /// The quality of this stream alone, 0...100: as heard here (inbound, wire), or at the far end by its RTCP
    /// (outbound). `nil` when it could not be scored.
    public var score: Int?
    /// Its lowest window of 10 s, 0...100.
    public var worstScore: Int?
    /// Everything a probe measured of the stream up to its last snapshot; `nil` for what a client reported.
    public var wire: WireStream?
    /// What the sender says it sent (inbound); `nil` where it was not reported twice.
    public var senderCount: SenderCount?

    public init(stream: StreamKey, firstSeen: Timestamp, lastSeen: Timestamp) {
        self.stream = stream
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        resumeGapPackets = 0
        segments = 1
        metrics = [:]
        lossyIntervals = 0
        intervals = 0
        codecChanges = 0
        pictureChanges = []
    }
}

/// The network path of a call: the selected candidate pair (RFC 8445) and its changes.
public struct PathSummary: Hashable, Sendable, Codable {
    /// `candidateType` of the local end: host, srflx, prflx, relay.
    public var localType: String?
    /// `candidateType` of the far end.
    public var remoteType: String?
    /// `protocol` of the local candidate: udp or tcp.
    public var transportProtocol: String?
    /// `relayProtocol` to the TURN server: udp, tcp or tls; `nil` without a relay.
    public var relayProtocol: String?
    /// `networkType` of the local candidate: wifi, cellular, ethernet, …
    public var networkType: String?
    /// Addresses as cut on arrival.
    public var localAddress: String?
    /// Address of the far end as cut on arrival.
    public var remoteAddress: String?
    /// When the pair changed, by the reports.
    public var changes: [Timestamp] = []
    /// Mean round trip of ICE checks, in ms.
    public var roundTripMilliseconds: Double?
    /// Seconds spent on each kind of path, by the reports.
    public var secondsByKind: [Kind: Double] = [:]

    public init() {}

    /// How two ends reach each other.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
        /// Both by addresses of their own (host candidates).
        case direct
        /// At least one by an address that a NAT gave it (srflx, prflx), none by a relay.
        case reflexive
        /// At least one by a relay.
        case relay

        /// The kind of a pair of `candidateType`s.
        public init(localType: String, remoteType: String) {
            let types = [localType, remoteType]
            self = types.contains("relay") ? .relay : types == ["host", "host"] ? .direct : .reflexive
        }
    }

    /// Whether either end is a relay; `nil` when the path is not known.
    public var isRelayed: Bool? {
        localType.map { $0 == "relay" || remoteType == "relay" }
    }
}

/// How complete and consistent the facts of a call are. Says why a number may be doubted.
public struct DataQuality: Hashable, Sendable, Codable {
    /// Reports received, each moment of a connection counted once.
    public var reports = 0
    /// Events received, repeats not counted.
    public var events = 0
    /// Median length between reports, in ms.
    public var medianIntervalMilliseconds: Int64?
    /// Spans without reports longer than 2.5 times the median.
    public var gaps: [TimeSpan] = []
    /// Facts received with contradicting contents under one key.
    public var contradictions = 0
    /// Times a stream's counters started anew.
    public var counterResets = 0
    /// Least difference of receipt and client time in ms: client clock error plus the fastest delivery.
    public var clockOffsetMilliseconds: Int64?
    /// Reports that should have come in the gaps; `nil` before the median is known.
    public var missedReports: Int?
    /// How far the client's clock was set during the call, in ms, positive forward; `nil` where it was not, or where
    /// facts did not come as they were made, so that nobody can tell.
    public var clockStepMilliseconds: Int64?
    /// Where the client's clock was set back, and what it stamped afterwards was moved on; `nil` where it was not.
    public var clock: ClientClock?
    /// Event types the product does not know, as `action/type`, sorted.
    public var unknownEvents: [String] = []
    /// What the normaliser changed or doubted, sorted.
    public var notes: [String] = []

    public init() {}
}
