import CallModel

/// Tells sound that is missing from silence that was meant, and an interruption from short gaps; `docs/score.md`, "Silence".
struct SilenceMeter: Archivable {
    /// Whether sound was missing when the last report was taken, and still is.
    private var isDark = false
    /// Whether the last interruption may have gone on when the last report was taken: the next one tells.
    private var mayGoOn = false
    /// Whether nothing was made up in it.
    private var isUncounted = false
    /// A concealment that went on when the last report was taken, too short to be called an interruption yet.
    private var pending: Pending?
    /// Seconds of the silence at the end of the last report, so far, whose packets nobody has counted as lost yet.
    private var untoldSeconds = 0.0
    /// Of the last report with packets, seconds for which some were missing that the sender may not have sent.
    private var doubtfulSeconds = 0.0
    /// Whether the receiver plays the sender's own silence without counting it as made up, as it has shown.
    private(set) var leavesSilenceOut = false

    fileprivate struct Pending: Archivable {
        var seconds: Double
        var silentSeconds: Double

        init(_ before: Pending?, seconds: Double, silent: Double) {
            self.seconds = seconds + (before?.seconds ?? 0)
            silentSeconds = silent + (before?.silentSeconds ?? 0)
        }
    }

    /// A sender in DTX speaks up every 400 ms; a second without a packet is no DTX (RFC 7587 §3.1.3, RFC 6716 §2.1.9).
    static let longestDTXSeconds = 1.0
    /// How often an Opus sender speaks up, and how often one with a comfort-noise codec of its own usually does.
    private static let opusNoiseSeconds = 0.4
    private static let otherNoiseSeconds = 0.1
    /// libwebrtc conceals with sound for about this long, or longer, before it fades to silence.
    private static let fadeSeconds = 0.1
    /// A gap this short goes on with the next packet.
    static let packetGapSeconds = 0.1

    /// Measures the span. `codec` is the stream's, `account` what the sender said of it; `hasLiveRate` whether packets
    /// have come before.
    mutating func measure(
        _ delta: inout StreamDelta, codec: CodecDescription?, account: SenderAccount?, hasLiveRate: Bool
    ) {
        if let missing = delta.counted.outageSeconds { return measureOnTheWire(&delta, missing: missing) }
        guard let silent = delta.silentSamples else {
            return measureByPackets(&delta, codec: codec, hasLiveRate: hasLiveRate)
        }
        if codec?.mayUseDTX != false, !delta.leavesSilence { learn(from: delta) }
        // What is told with the next span is no silence of this one.
        let age = delta.sample.lastPacketReceivedAt.map {
            delta.leavesSilence ? 0 : delta.end.seconds(since: $0) - (delta.hold.isOver ? delta.hold.atEndSeconds : 0)
        }
        let endsDark = (age ?? 0) > Self.longestDTXSeconds && !delta.isHeldAtEnd
        if isMeant(delta, silent: silent, codec: codec, endsDark: endsDark) {
            delta.isSilenceByDesign = true
            (isDark, mayGoOn, pending) = (false, false, nil)
            return
        }
        // Where nothing came at all, what was played while the sound faded is no sound either.
        let isStopped = delta.counted.packets == 0 && delta.seconds >= Concealment.leastDarkSeconds
        let made = delta.counted.concealedSamples ?? 0
        let missing = isStopped ? max(silent, made) : silent
        let seconds = max(0, missing - delta.forgivenConcealedSamples) / delta.sampleRate
        delta.silentSeconds = min(delta.activeSeconds, seconds)
        delta.silenceDoubts = seconds > 0 ? doubts(delta, codec: codec, account: account) : []
        if made == 0, endsDark || isDark && isUncounted {
            takeUncounted(&delta, age: age ?? 0, endsDark: endsDark)
        } else {
            judge(&delta, made: made / delta.sampleRate, silent: seconds, age: age, endsDark: endsDark)
        }
        if delta.darkSeconds > 0 { noteEvidence(&delta, codec: codec, account: account, isSeenByAge: endsDark) }
    }

    /// Joins what was made up with a concealment that had begun before, and decides whether it is an interruption.
    private mutating func judge(
        _ delta: inout StreamDelta, made: Double, silent: Double, age: Double?, endsDark: Bool
    ) {
        let events = delta.counted.concealmentEvents ?? 1
        let continues = made > 0 && (isDark || mayGoOn && events == 0)
        let here = Concealment(
            seconds: made, silentSeconds: silent, events: events + (continues || pending != nil ? 1 : 0))
        let whole = Concealment(
            seconds: made + (pending?.seconds ?? 0), silentSeconds: silent + (pending?.silentSeconds ?? 0),
            events: here.events)
        // Where the client does not say when the last packet came, a silence is taken to go on.
        let mayGoOn = made > 0 && age ?? .infinity > Self.packetGapSeconds && !delta.isHeldAtEnd
        guard whole.isInterruption || continues && events == 0 || endsDark && silent > 0 else {
            let before = delta.counted.packets == 0 ? pending : nil
            pending =
                mayGoOn
                ? age.map { Pending(before, seconds: min(made, $0), silent: min(silent, $0)) } : nil
            delta.endsInterruption = continues
            (isDark, self.mayGoOn) = (false, false)
            return
        }
        delta.darkSeconds = min(delta.activeSeconds, here.longestSeconds)
        let earlier = min(delta.earlierSilenceSeconds, here.longestSeconds - delta.darkSeconds)
        delta.carriedSilenceSeconds = (pending?.seconds ?? 0) + earlier
        if !continues, leavesSilenceOut, whole.seconds - whole.silentSeconds < Self.fadeSeconds / 2 {
            // Without packets a receiver that played comfort noise goes on with it for a second before it fills in silence.
            delta.carriedSilenceSeconds += Self.longestDTXSeconds - Self.noiseSeconds(delta)
        }
        // A sender that is silent between words leaves gaps of its own.
        let ownGap = leavesSilenceOut ? Self.noiseSeconds(delta) : 0
        let isUnheard = age.map { $0 > Self.packetGapSeconds + ownGap } ?? (delta.counted.packets == 0)
        isDark = endsDark || mayGoOn && isUnheard
        (self.mayGoOn, isUncounted, pending) = (mayGoOn, false, nil)
        delta.continuesInterruption = continues
        delta.goesOnDark = isDark
    }

    /// Nothing came for more than a second, and nothing was made up: the receiver goes on with comfort noise as long as it
    /// must (RFC 3389 sets no end). An interruption, though nobody can hear it.
    private mutating func takeUncounted(_ delta: inout StreamDelta, age: Double, endsDark: Bool) {
        defer {
            delta.continuesInterruption = isDark
            isDark = endsDark && !delta.isPathUp
            isUncounted = isDark
            delta.goesOnDark = isDark
        }
        (pending, mayGoOn) = (nil, false)
        guard !delta.isPathUp else { return }
        if endsDark {
            let missing = isDark ? age : max(0, age - Self.noiseSeconds(delta))
            delta.darkSeconds = min(delta.activeSeconds, missing)
            delta.carriedSilenceSeconds = isDark ? 0 : missing - delta.darkSeconds
        } else {
            // How long the packets that came since have lasted: noise if they are few, else sound.
            let packets = delta.counted.packets ?? 0
            let isNoise = packets * Self.otherNoiseSeconds <= delta.seconds
            let since = packets * (isNoise ? Self.otherNoiseSeconds : AudioScore.ordinaryPacketSeconds)
            delta.darkSeconds = max(0, delta.activeSeconds - since)
        }
    }

    /// How often a silent sender speaks up. An interruption begins at some moment between two such packets, and the first
    /// one after it comes as much later: on average the time without packets is longer by this.
    private static func noiseSeconds(_ delta: StreamDelta) -> Double {
        delta.sample.codec?.isOpus ?? true ? opusNoiseSeconds : otherNoiseSeconds
    }

    private func noteEvidence(
        _ delta: inout StreamDelta, codec: CodecDescription?, account: SenderAccount?, isSeenByAge: Bool
    ) {
        let counter = delta.counted.silentConcealedSamples == nil ? "concealedSamples" : "silentConcealedSamples"
        delta.darkEvidence = delta.silentSeconds > 0 ? [counter] : []
        if isSeenByAge || isDark, delta.sample.lastPacketReceivedAt != nil {
            delta.darkEvidence.insert("lastPacketReceivedTimestamp")
        }
        if codec?.mayUseDTX == false { delta.darkEvidence.insert("sdpFmtpLine") }
        // More sent than came, in no more time, and counted when the silence had begun.
        let age = delta.sample.farEnd?.arrivedAt.map { delta.end.seconds(since: $0) } ?? delta.seconds
        if let account, let packets = delta.counted.packets, account.seconds <= delta.seconds,
            account.packets > packets, age + account.lateSeconds < delta.darkSeconds + delta.carriedSilenceSeconds
        {
            delta.darkEvidence.insert("packetsSent")
        }
    }

    /// A probe knows what is missing from the numbers of the packets that come after; an outage may have begun before the span.
    private func measureOnTheWire(_ delta: inout StreamDelta, missing: Double) {
        guard missing > 0 else { return }
        delta.silentSeconds = min(delta.activeSeconds, max(0, missing - Self.fadeSeconds))
        delta.darkSeconds = min(delta.activeSeconds, missing)
        delta.carriedSilenceSeconds = missing - delta.darkSeconds
        delta.darkEvidence = [Self.evidenceOnTheWire(delta)]
    }

    /// Numbers that are missing; that nothing came, where none came after it either; that what came was old, where the network
    /// had held it back.
    private static func evidenceOnTheWire(_ delta: StreamDelta) -> String {
        guard let outage = delta.sample.lastOutage, outage.start < delta.end, outage.end ?? delta.end >= delta.start
        else { return "lastPacketReceivedTimestamp" }
        guard let end = outage.end else { return "packetsReceived" }
        let isNoneMissing = delta.counted.packetsLost == 0 && delta.counted.sequenceRestarts ?? 0 <= 0
        return end <= delta.end && isNoneMissing ? "lastPacketReceivedTimestamp" : "sequenceNumber"
    }
}

// MARK: - Without concealment figures

extension SilenceMeter {
    /// Of the usual packets, fewer than this share of another medium come while the path is down.
    private static let missingShare = 0.4
    /// Of the packets of an outage, an engine that counts them as lost counts more than this share.
    private static let toldShare = 0.5
    /// Rates are not exact: of a span, less than this share is not missing.
    private static let leastShare = 0.05

    /// Sound of which less is missing, in a span with packets, had none but short gaps. Reports of every second come a little
    /// early.
    static func leastMissingSeconds(of delta: StreamDelta) -> Double {
        max(longestDTXSeconds - packetGapSeconds, leastShare * delta.seconds)
    }

    /// Notes for how long the usual packets of a client's stream did not come, though some came in the span.
    ///
    /// It is none of the sender's silence where the codec has none, where pictures are missing as well, or where nothing had
    /// come in the report before. `rate` is how many packets a second are usual, where it is known.
    mutating func noteMissing(
        _ delta: inout StreamDelta, rate: Double?, codec: CodecDescription?, connection: ConnectionState
    ) {
        guard delta.counted.outageSeconds == nil else { return }
        if let rate, let packets = delta.counted.packets, packets > 0 {
            let lost = max(0, delta.counted.packetsLost ?? 0)
            // Engines that follow every number count those of an outage when the next packet comes.
            let without = max(0, delta.seconds - packets / rate)
            let isTold = untoldSeconds > 0 && lost >= Self.toldShare * untoldSeconds * rate
            let told = isTold ? min(lost, (doubtfulSeconds + untoldSeconds + without) * rate) : 0
            let missing = max(0, delta.seconds - (packets + lost - told) / rate)
            doubtfulSeconds = missing
            let isSure =
                codec?.mayUseDTX == false || untoldSeconds > 0
                || connection.missingPictureSeconds ?? 0 > Self.missingShare * missing
            // Who falls silent while others are heard over the same connection is no outage: a pause, where it is long.
            let areOthersHeard = connection.otherMissingSeconds.map { $0 < Self.missingShare * missing } ?? false
            guard isSure, !areOthersHeard || missing >= Self.leastMissingSeconds(of: delta) else {
                return inferSilence(&delta)
            }
            (delta.missingSeconds, delta.missingPackets) = (missing, told)
        }
        inferSilence(&delta)
    }

    /// Where silence is not counted, what was made up at a stretch is silence but for the fading at its beginning: by the mean
    /// length of a stretch, or as far as it was missing.
    private func inferSilence(_ delta: inout StreamDelta) {
        guard delta.counted.silentConcealedSamples == nil, let made = delta.counted.concealedSamples else { return }
        let seconds = max(0, made) / delta.sampleRate
        let events = max(1, delta.counted.concealmentEvents ?? .infinity)
        var silent = 0.0
        if seconds >= Concealment.leastDarkSeconds * events {
            silent = seconds - Self.fadeSeconds * events
        } else if delta.missingSeconds >= Self.leastMissingSeconds(of: delta) || delta.counted.packets == 0 {
            silent = min(seconds, delta.counted.packets == 0 ? seconds : delta.missingSeconds) - Self.fadeSeconds
        }
        delta.inferredSilentSamples = max(0, silent) * delta.sampleRate
    }

    /// Without concealment figures only packets tell: a second without any where there were some is a blackout, however many
    /// reports that takes. The age of the last one tells, too.
    private mutating func measureByPackets(_ delta: inout StreamDelta, codec: CodecDescription?, hasLiveRate: Bool) {
        let (before, wasDark, untold) = (pending, isDark, untoldSeconds)
        (isDark, pending, untoldSeconds) = (false, nil, 0)
        guard let packets = delta.counted.packets, hasLiveRate, delta.activeSeconds > 0 else { return }
        if wasDark, delta.missingPackets > 0 { delta.counted.packetsLostInOutages = delta.missingPackets }
        let isEmpty = packets == 0
        let age = delta.sample.lastPacketReceivedAt.map { delta.end.seconds(since: $0) }
        let old = age.flatMap { $0 > Self.longestDTXSeconds ? $0 : nil } ?? 0
        let missing = isEmpty ? delta.seconds : max(delta.missingSeconds, old)
        let here = min(delta.activeSeconds, isEmpty ? missing : missing - delta.heldSeconds)
        guard here > max(Self.packetGapSeconds, isEmpty ? 0 : Self.leastShare * delta.seconds) else { return }
        let least = isEmpty ? Self.longestDTXSeconds - Self.packetGapSeconds : Self.leastMissingSeconds(of: delta)
        guard wasDark || (before?.seconds ?? 0) + here >= least else {
            let tail = isEmpty ? here : min(here, age ?? here)
            pending = tail > Self.packetGapSeconds ? Pending(before, seconds: tail, silent: tail) : nil
            untoldSeconds = pending?.seconds ?? 0
            return
        }
        delta.carriedSilenceSeconds = wasDark ? 0 : before?.seconds ?? 0
        delta.silentSeconds = here
        delta.darkSeconds = here
        if delta.missingPackets > 0 { delta.counted.packetsLostInOutages = delta.missingPackets }
        // Where the client does not say when the last packet came, what began in the report may go on.
        isDark = isEmpty || (age.map { $0 > Self.packetGapSeconds } ?? !wasDark)
        untoldSeconds = isDark ? untold + here : 0
        delta.continuesInterruption = wasDark
        delta.goesOnDark = isDark
        delta.darkEvidence = ["packetsReceived"]
        guard !isEmpty else { return }
        if old > 0 { delta.darkEvidence.insert("lastPacketReceivedTimestamp") }
        if codec?.mayUseDTX == false { delta.darkEvidence.insert("sdpFmtpLine") }
    }
}

// MARK: - The sender's own silence

extension SilenceMeter {
    /// Of the packets that a full span has, fewer than this share come while the sender is silent.
    private static let thinShare = 0.75
    /// Of the time without packets, more than this share is made up where it counts as made up.
    private static let countedShare = 0.25

    /// Few packets came, none was lost, the playout ran on, and next to nothing was made up: the receiver played the
    /// sender's silence (comfort noise) and did not count it. What it counts later is none of it.
    private mutating func learn(from delta: StreamDelta) {
        guard let packets = delta.counted.packets, packets > 0, let made = delta.counted.concealedSamples,
            delta.heldSeconds == 0, delta.seconds >= 0.9
        else { return }
        let expected = delta.seconds / AudioScore.ordinaryPacketSeconds
        guard packets + max(0, delta.counted.packetsLost ?? 0) < Self.thinShare * expected else { return }
        let without = delta.seconds - packets * AudioScore.ordinaryPacketSeconds
        if made / delta.sampleRate < Self.countedShare * without { leavesSilenceOut = true }
    }

    /// Whether silence that was filled in may be the sender's own: it may go silent, speaks up meanwhile, and the receiver
    /// has not shown that it counts no such silence.
    private func isMeant(
        _ delta: StreamDelta, silent: Double, codec: CodecDescription?, endsDark: Bool
    ) -> Bool {
        guard silent > 0, codec?.mayUseDTX == true, !endsDark, !isDark, pending == nil, !leavesSilenceOut,
            let packets = delta.counted.packets
        else { return false }
        let silence = min(delta.seconds, silent / delta.sampleRate)
        let spoken = (delta.seconds - silence) / AudioScore.ordinaryPacketSeconds
        return packets - spoken >= 0.5 * silence / Self.opusNoiseSeconds
    }

    /// The members without which it cannot be told whether a silence was meant; empty where one of them is there.
    private func doubts(_ delta: StreamDelta, codec: CodecDescription?, account: SenderAccount?) -> Set<String> {
        let isKnown =
            account != nil || delta.sample.farEnd?.packetsSent != nil || delta.sample.lastPacketReceivedAt != nil
            || codec?.mayUseDTX != nil || leavesSilenceOut
        guard !isKnown else { return [] }
        let members: Set = ["packetsSent", "lastPacketReceivedTimestamp"]
        return codec == nil ? members.union(["codecId"]) : members
    }
}

// MARK: - Archive

extension SilenceMeter {
    func write(to archive: inout ArchiveWriter) {
        archive.put(isDark, mayGoOn, isUncounted, pending)
        archive.put(leavesSilenceOut, untoldSeconds, doubtfulSeconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (isDark, mayGoOn, isUncounted, pending) = try archive.get()
        (leavesSilenceOut, untoldSeconds, doubtfulSeconds) = try archive.get()
    }
}

extension SilenceMeter.Pending {
    func write(to archive: inout ArchiveWriter) {
        archive.put(seconds, silentSeconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (seconds, silentSeconds) = try archive.get()
    }
}
