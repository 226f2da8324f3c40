import CallModel
public import RTPMeter

/// Follows everything that passes by and tells, call by call, what each end received.
///
/// Frames go in, in the order of the capture, each with its time; facts come out (``takeOutput()``). A value without a
/// clock and without effects: a capture of an hour runs through it in a second. `docs/wire.md` says how streams are told
/// from noise, how they find their call, and when a snapshot is taken.
public struct WireProbe {
    let options: ProbeOptions
    var decoder: FrameDecoder
    var dialogs = SIPDialogs()
    var sipStreams = SIPStreams()
    /// SIP messages of whose fragments the first one has come.
    var beginnings: [MessageBeginning] = []

    /// Streams and candidates by identity; see ``Place``.
    var index = StreamIndex()
    var streams = ChunkedStore<StreamState>()
    /// Streams followed at once, candidates among them.
    var mostStreams = 400_000
    var expected = ExpectedStreams()
    var candidates = ChunkedStore<StreamCandidate>()
    /// Which candidates there are, for sweeping them.
    var candidatePlaces: Set<Int> = []
    /// What signalling said of a stream's packets, where it did.
    var terms: [Int: MediaTerms] = [:]
    /// What it said of them before, where it does not list the stream's payload type any more.
    var formerTerms: [Int: MediaTerms] = [:]
    var control: [Int: ControlLedger] = [:]
    var controlCopies = ControlCopies()
    var checks = ConnectivityChecks()
    /// What the ends of calls receive, by their reports, where the end that reports sends no stream that the capture has.
    var unseenSources: [Int: [UnseenSources]] = [:]
    /// Of streams that ICMP says cannot be delivered, so many packets.
    var undeliverable: [Int: Int] = [:]
    /// Streams whose clock is not known yet.
    var clocks: [Int: ClockInference] = [:]
    /// Streams of which a payload type has come that nobody tells the clock of, and that may be another than the stream's.
    var changes: [Int: ClockChange] = [:]
    /// Further identities of a stream whose sender changed its port.
    var aliases: [Int: [StreamIdentity]] = [:]
    /// Streams to which signalling said that they were to go elsewhere.
    var absences: [Int: Absence] = [:]
    /// What sound does during a hold, by the place of the call.
    var holdWatches: [Int: HoldWatch] = [:]
    /// Streams by SSRC, for RTCP and for a sender that changes its port.
    var placesBySSRC: [UInt32: [Int]] = [:]

    var calls = ChunkedStore<WireCall?>()
    var directory = MediaDirectory()
    /// Which call and end a flow belongs to.
    var flowOwners: [Flow: FlowOwner] = [:]
    var signalled: [CallRef: Int] = [:]
    var schedule: SnapshotSchedule
    /// Calls without signalling by the hosts between which they run, and by the places of their media.
    var pairedCalls = PairedCalls()
    var placedCalls = PlacedCalls()
    /// Hosts between which media were seen.
    var mediaHosts = MediaHosts()
    /// Signalled calls that go on, of which an end has not said where it expects its media, by the hosts of SIP.
    var undescribedCalls = PairedCalls()

    var holes = CaptureHoleDetector()
    var holeSpans: [TimeSpan] = []
    /// A silence of the whole capture, until it is known whether packets are missing.
    var suspectedHole: TimeSpan?
    /// Streams that there were before that silence.
    var suspectedStreams: [SuspectedStream] = []
    /// Whether a frame at 1970-01-01 00:00 UTC is one without a time; see ``CaptureFile/mayLackTimes``.
    public var mayLackTimes = true
    var statistics: CaptureStatistics?
    /// Whether they are those of a whole file, of which every call is a part.
    var isOfWholeFile = false
    /// SIP messages of which the capture kept too little, by their hosts.
    var cutMessages: [AddressPair: Int] = [:]
    /// Dialogs of which it is not known yet whether the BYE that was seen first ends a call that goes on.
    var farewells: [CallRef: Farewell] = [:]

    var now = ArrivalTime(nanoseconds: .min)
    var nextTick = ArrivalTime(nanoseconds: .min)
    /// The first whole second of a silence of the whole capture that is being passed; `nil` without one.
    var silentSince: ArrivalTime?
    /// How many frames in a row were far behind ``now``, and the number of the last one.
    private var framesBehind = 0
    private var lastFrameBehind = 0
    /// By how much the first of them was; 0 where the frame before it was one with a time in the future.
    private var rowStep: Int64 = 0
    /// The number of the frame that was last far ahead of the one before.
    private var lastFrameAhead = 0
    /// What the frame in hand is behind by, while it is not known yet whether the clock was set back.
    var stepBack: Int64 = 0
    /// Whether it was set back while calls went on; see ``WireCall/clockStep``.
    var wasSetBack = false
    /// Calls that are due at ``nextTick`` and were not looked at yet.
    var due: ArraySlice<Int> = []
    /// What is left to end once ``finishSome()`` has begun.
    var leftNotices: ArraySlice<SIPNotice>?
    var leftCalls: Range<Int>?
    /// Datagrams that are neither read nor known by name.
    var otherDatagrams = 0
    var output: [ProbeOutput] = []
    var counted = ProbeFigures()

    /// - Parameters:
    ///   - linkType: what the frames begin with, where ``take(_:wireLength:at:as:)`` does not say otherwise.
    ///   - options: how to work.
    public init(linkType: LinkType, options: ProbeOptions = ProbeOptions()) {
        self.options = options
        decoder = FrameDecoder(linkType: linkType)
        schedule = SnapshotSchedule(seconds: options.snapshotSeconds)
    }

    /// Takes the next frame, of the same link type as the one before.
    /// - Parameters:
    ///   - frame: What was captured of it.
    ///   - wireLength: Its length on the wire.
    ///   - time: When it was captured; a step back is taken as no time passing, until many frames have followed it.
    /// - Returns: whether there is something to take, by ``takeOutput()``.
    @discardableResult
    public mutating func take(_ frame: RawSpan, wireLength: Int, at time: ArrivalTime) -> Bool {
        take(frame, wireLength: wireLength, at: time, as: decoder.linkType)
    }

    /// Takes the next frame, of a capture whose interfaces may differ.
    /// - Parameters:
    ///   - frame: What was captured of it.
    ///   - wireLength: Its length on the wire.
    ///   - time: When it was captured.
    ///   - linkType: What it begins with; nil if that cannot be decoded, and the frame is only counted.
    /// - Returns: whether there is something to take, by ``takeOutput()``.
    @discardableResult
    public mutating func take(
        _ frame: RawSpan, wireLength: Int, at time: ArrivalTime, as linkType: LinkType?
    ) -> Bool {
        decoder.linkType = linkType
        let time = Self.plausible(time)
        stepBack = 0
        if time > now { advance(to: time, frame: counted.frames) } else if time < now { noteStepBack(to: time) }
        if now >= nextTick { tick() }
        counted.frames &+= 1
        if time.nanoseconds == 0, mayLackTimes { counted.framesWithoutTime &+= 1 }
        counted.bytes &+= wireLength
        if let silence = holes.noteFrame(at: time, liveCalls: calls.count) { noteHole(from: silence, to: time) }
        guard let decoded = decoder.decode(frame, wireLength: wireLength, at: time) else {
            if let packet = decoder.takeUndeliverable() { noteUndeliverable(packet) }
            if let begun = decoder.takeBeginning() {
                keepBeginning(frame.extracting(begun.payload), of: begun, at: time)
            }
            return hasOutput
        }
        if decoded.isAssembled {
            let assembled = decoder.assembled
            assembled.withRawSpan { take($0.extracting(decoded.payload), of: decoded, at: time) }
        } else {
            take(frame.extracting(decoded.payload), of: decoded, at: time)
        }
        return hasOutput
    }

    @inline(__always)
    private mutating func take(_ payload: RawSpan, of frame: DecodedFrame, at time: ArrivalTime) {
        guard case .udp = frame.transport else { return takeSegment(payload, of: frame, at: time) }
        switch PacketClass.of(payload, wireLength: frame.payloadWireLength) {
        case .rtp: takeMedia(payload, of: frame, at: time)
        case .rtcp: takeControl(payload, of: frame, at: time)
        case .stun: takeCheck(payload, flow: frame.flow, at: time)
        case .dtls: counted.otherPackets["DTLS", default: 0] += 1
        case .zrtp: counted.otherPackets["ZRTP", default: 0] += 1
        case .unknown where isListed(payload, of: frame): takeMedia(payload, of: frame, at: time)
        case .turnChannel, .unknown: takeMessage(payload, of: frame, at: time)
        }
    }

    /// Lets time pass without a frame; for a live capture on a quiet interface.
    public mutating func advance(to time: ArrivalTime) {
        now = max(now, Self.plausible(time))
        if now >= nextTick { tick() }
    }

    @inline(__always)
    private mutating func advance(to time: ArrivalTime, frame number: Int) {
        if time.nanoseconds &- now.nanoseconds > Int64(Self.disorderSeconds * 1e9) { lastFrameAhead = number }
        now = time
    }

    /// Takes a time that is behind. Frames of several interfaces come a little out of order; where many in a row are far
    /// behind, the clock was set back, or one frame had a time in the future: from then on time goes on from there.
    @inline(never)
    private mutating func noteStepBack(to time: ArrivalTime) {
        let behind = now.seconds(since: time)
        if behind > Self.orderSeconds { counted.framesOutOfOrder &+= 1 }
        guard behind > Self.disorderSeconds else { return }
        if counted.frames != lastFrameBehind + 1 {
            framesBehind = 0
            rowStep = counted.frames == lastFrameAhead + 1 ? 0 : now.nanoseconds(since: time)
        }
        framesBehind += 1
        lastFrameBehind = counted.frames
        guard framesBehind >= Self.mostFramesBehind else {
            stepBack = rowStep
            return
        }
        keepTime(step: rowStep)
        now = time
        nextTick = wholeSecond(after: time)
        counted.firstFrameAt = min(counted.firstFrameAt ?? time.timestamp, time.timestamp)
    }

    /// A file may give any time; within 1970 and 2116 arithmetic with it is safe.
    private static func plausible(_ time: ArrivalTime) -> ArrivalTime {
        ArrivalTime(nanoseconds: min(max(0, time.nanoseconds), 1 << 62))
    }

    /// Notes what the kernel counts, so that its drops are told from losses on the network.
    public mutating func note(_ statistics: CaptureStatistics) {
        self.statistics = statistics
    }

    /// Notes what was dropped while a file was captured, of which nobody says when.
    public mutating func note(ofWholeFile statistics: CaptureStatistics) {
        self.statistics = statistics
        isOfWholeFile = true
    }

    /// Does a part of what is due before a frame of `time`; without it, ``take(_:wireLength:at:)`` does all of it.
    ///
    /// A second in which very many calls are due tells very much: with this, it need not be held all at once.
    /// - Returns: whether there is more; first take what was told.
    public mutating func prepare(for time: ArrivalTime) -> Bool {
        guard time >= nextTick, nextTick.nanoseconds != .min else { return false }
        now = max(now, Self.plausible(time))
        return workSome()
    }

    /// Ends all calls where they stand, at the end of a file or of a capture.
    public mutating func finish() {
        while finishSome() {}
    }

    /// Does a part of ``finish()``.
    /// - Returns: whether there is more.
    public mutating func finishSome() -> Bool {
        guard let notices = leftNotices else {
            while workSome() {}
            judgeHole()
            for place in candidatePlaces.sorted() { conclude(candidate: place) }
            decoder.fragments.giveUp()
            takeBeginnings { _ in true }
            take(sipStreams.finish(), at: now)
            settleFarewells(at: nil)
            leftNotices = dialogs.finish()[...]
            return true
        }
        guard notices.isEmpty else {
            apply(Array(notices.prefix(Self.callsAtOnce)))
            leftNotices = notices.dropFirst(Self.callsAtOnce)
            return true
        }
        let places = leftCalls ?? calls.places
        for place in places.prefix(Self.callsAtOnce) { finalise(place, notices: false) }
        leftCalls = places.dropFirst(Self.callsAtOnce)
        return leftCalls?.isEmpty == false
    }

    /// What the probe has told since this was last asked.
    public mutating func takeOutput() -> [ProbeOutput] {
        let taken = output
        output = []
        return taken
    }

    private var hasOutput: Bool { !output.isEmpty }

    /// What was seen so far.
    public var figures: ProbeFigures {
        var figures = counted
        figures.lastFrameAt = counted.frames > 0 ? now.timestamp : nil
        figures.liveStreams = streams.count
        figures.liveCalls = calls.count
        for (reason, count) in decoder.refused { figures.refused[reason.rawValue, default: 0] += count }
        let stranded = decoder.fragments.strandedPieces
        if stranded > 0 { figures.refused["fragments of datagrams whose rest never came"] = stranded }
        if otherDatagrams > 0 { figures.otherPackets["other UDP"] = otherDatagrams }
        for (reason, count) in refusedInStreams { figures.refused[reason, default: 0] += count }
        return figures
    }
}

/// Where the index points: to a stream, or to a candidate for one.
enum Place {
    case stream(Int)
    case candidate(Int)

    init(coded: Int) { self = coded & 1 == 0 ? .stream(coded >> 1) : .candidate(coded >> 1) }

    var coded: Int {
        switch self {
        case .stream(let place): place << 1
        case .candidate(let place): place << 1 | 1
        }
    }
}

/// Packets that may become a stream.
struct StreamCandidate {
    let identity: StreamIdentity
    let openedAt: ArrivalTime
    /// Payload type of its first packet.
    let payloadType: UInt8
    var probation: StreamProbation
    /// What its sender has reported so far.
    var reports: [EarlyReport] = []
}

/// The call and end that the packets of a flow go to.
struct FlowOwner {
    var call: Int
    var end: Int
    /// Streams that use the flow.
    var streams: Int
    /// Whether the call is over, and the streams are those of another.
    var hasLeft = false
}

/// Two addresses, whichever way round.
struct AddressPair: Hashable {
    private let low: IPAddress
    private let high: IPAddress

    init(_ flow: Flow) {
        let (a, b) = (flow.source.address, flow.destination.address)
        (low, high) = (a.high, a.low) < (b.high, b.low) ? (a, b) : (b, a)
    }

    /// Both, or one where they are the same.
    var addresses: Set<IPAddress> { [low, high] }
}
