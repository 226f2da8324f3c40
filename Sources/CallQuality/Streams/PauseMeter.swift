import CallModel

/// Tells a stream that its sender stopped from one that the network swallowed.
///
/// A selective forwarding unit or an application stops single streams: nobody watches, somebody else speaks. Receivers
/// report that like a blackout. The sender's own count (RTCP) tells; engines that send no sender reports for a stopped
/// stream leave only the path itself: what else arrives goes on arriving.
struct PauseMeter: Archivable {
    private var path = PathActivity()
    /// The same of checks of ICE alone.
    private var checks = PathActivity()
    /// When the first span began.
    private var begunAt: Timestamp?
    /// Silence at the end of the last span that nothing has told of yet: the next one says what it was.
    private var openSilence: Concealment?
    /// Whether the stream was stopped when the last report was taken.
    private var isPaused = false
    /// Whether it was when the report before was taken.
    private var wasPaused = false
    /// Whether the path was certainly down when the last report was taken: the silence goes on until a packet comes.
    private var isPathDown = false
    /// Whether the silence at the end of the last span was taken for an interruption for want of knowledge.
    private var isUndecided = false
    /// For how long no picture had come at the end of the last span in which one came; 0 for what is usual between pictures, and
    /// where that was a pause.
    private(set) var stoppedPictureSeconds = 0.0
    /// Whether its own count says that the sender has stopped.
    private var isStoppedBySender = false
    /// Seconds that the sender's last account and those before it have not yet told of, and that were a pause or on hold.
    private var idleSinceAccount = 0.0
    /// For how long the sound has not come, by its packets; for how long no report had any of it, and whether anything else came
    /// over the connection meanwhile.
    private var silentSeconds = 0.0
    private var emptySeconds = 0.0
    private var hasOthers = false
    /// Whether the path was lost in the silence that goes on.
    private var isLost = false
    /// Lost and all packets of the spans so far without a pause.
    private var usualLost = 0.0
    private var usualPackets = 0.0

    /// Without a packet for so long a stream has stopped; DTX speaks up every 0.4 s.
    private static let leastSeconds = SilenceMeter.longestDTXSeconds
    /// Pictures that stop for less while sound comes wait in a queue of their sender, which lets sound pass first.
    static let leastPictureSeconds = 3.0
    /// Without a picture for less at the end of a span, the next one may be on its way: one a second is the least that is usual.
    private static let leastOpenPictureSeconds = 1.0
    /// Of a silence that the path caused, more than this share is missing of other sound and of pictures, too.
    private static let missingShare = 0.4
    /// In a span up to this long, control packets cannot make up for those that were missing.
    private static let longestFineSeconds = 2.0
    /// A sender that was idle for at least this share of the silence stopped; one idle for less than
    /// that share of what its count has seen of the silence did not.
    private static let idleShare = 0.5
    /// So much of a silence, and such a share of its own time, a sender's count must have seen to say that it was none of the
    /// sender's: neither its time nor the usual rate is exact.
    private static let leastSeenSeconds = 0.5
    private static let leastSeenShare = 0.05
    /// ICE asks for an answer more often than this (RFC 7675 §5.1).
    private static let longestConsentSeconds = 5.0
    /// Of two rounds of checks, with a request and an answer each way, an outage swallows one at least.
    private static let leastChecks = 4.0
    /// Feedback of the far end comes more often until it knows the bandwidth, for about 6 s (our recordings).
    private static let setupSeconds = 10.0

    /// Measures the span. `account` is what the sender said of it, `liveRate` how many packets a second came last and `mostRate`
    /// the most so far; `isFirst` whether no packet of the stream had come before.
    mutating func measure(
        _ delta: inout StreamDelta, kind: MediaKind, mayFallSilent: Bool, account: SenderAccount?,
        liveRate: Double?, mostRate: Double?, isFirst: Bool, connection: ConnectionState
    ) {
        guard delta.counted.senderPausedSeconds == nil, delta.counted.outageSeconds == nil else { return }
        wasPaused = isPaused
        begunAt = begunAt ?? delta.start
        noteStop(&delta, account)
        if kind == .audio {
            let continues = delta.counted.concealmentEvents ?? 0 == 0
            let first = isFirst && account == nil ? delta.beginningAccount : nil
            let before = openSilence
            let isPause = measureSound(
                &delta, mayFallSilent: mayFallSilent, account: account, first: first, mostRate: mostRate,
                connection: connection)
            openSilence =
                isPause == nil && canWait(delta, mayFallSilent: mayFallSilent, connection)
                ? delta.takeOpenSilence(age(of: delta)) : nil
            if let before, !(isPause == true && continues) { delta.takeIn(before) }
        } else {
            measurePicture(&delta, account: account, liveRate: liveRate, connection: connection)
        }
    }

    /// A sender whose count stands still has stopped, until packets come again.
    private mutating func noteStop(_ delta: inout StreamDelta, _ account: SenderAccount?) {
        if delta.counted.packets != 0 {
            isStoppedBySender = false
        } else if let account, account.seconds >= Self.leastSeconds {
            isStoppedBySender = account.packets == 0
        }
        delta.isStoppedBySender = isStoppedBySender
    }

    /// Notes for how long the sender meant to send nothing in the span that was measured last, with the holds in it.
    mutating func noteIdle(_ delta: StreamDelta, account: SenderAccount?) {
        guard delta.counted.senderPausedSeconds == nil, delta.counted.outageSeconds == nil else { return }
        idleSinceAccount = account == nil ? idleSinceAccount + delta.idleSeconds : unseenIdle(delta)
    }

    // MARK: Sound

    /// - Returns: whether the sound was stopped by its sender; `nil` where nothing tells, and where it was not silent for long.
    private mutating func measureSound(
        _ delta: inout StreamDelta, mayFallSilent: Bool, account: SenderAccount?, first: BeginningAccount?,
        mostRate: Double?, connection: ConnectionState
    ) -> Bool? {
        noteSilence(delta, connection)
        let silence = silence(in: delta)
        let continues = delta.counted.concealmentEvents ?? 0 == 0
        isPaused = false
        let without = min(delta.seconds, age(of: delta))
        delta.isPathUp = pathState(silence: without, delta, mayFallSilent: mayFallSilent, connection) == .up
        guard silence > 0 else {
            learn(from: delta, connection)
            return nil
        }
        guard !(isPathDown && continues) else { return false }
        let revokes = isUndecided && continues && !isLost
        let isLost = isPathLost(at: delta.end, connection)
        if !isLost, isHeldBothWays(delta, silence: silence, connection) {
            delta.heldSeconds = min(delta.seconds, silence)
            delta.revokesInterruption = revokes
            (isPaused, isUndecided, self.isLost) = (true, false, false)
            return true
        }
        self.isLost = self.isLost || isLost
        let hadNotBegun = first.map { silence - $0.mostMissingSeconds >= Self.idleShare * silence } ?? false
        let verdict =
            (hadNotBegun ? true : nil)
            ?? word(of: account, silence: silence, delta: delta, mayFallSilent: mayFallSilent, mostRate: mostRate)
            ?? pathState(silence: silence, delta, mayFallSilent: mayFallSilent, connection).map { $0 == .up }
            ?? (wasPaused && continues && !isLost ? true : nil)
        let isStopped = delta.counted.packets == 0
        isPathDown = verdict == false && isStopped
        if verdict == true, !connection.isDark {
            delta.pausedSeconds = min(delta.seconds, silence)
            delta.revokesInterruption = revokes
            isPaused = isStopped || goesOn(silence, delta)
            isUndecided = false
            return true
        }
        isUndecided = verdict == nil || !isStopped
        return isLost || verdict != nil ? false : nil
    }

    /// Whether a silence at the end of the span may wait for the next one to tell: it is too short for the path to show, and nobody
    /// says that it was to be expected, or that the path is lost.
    private func canWait(_ delta: StreamDelta, mayFallSilent: Bool, _ connection: ConnectionState) -> Bool {
        let age = age(of: delta)
        return delta.counted.packets ?? 0 > 0 && !mayFallSilent && !isLost && connection.gapPeriod == nil
            && age > SilenceMeter.packetGapSeconds && age < PathActivity.leastShare * delta.seconds
            && max(delta.heldSeconds, connection.heldSeconds, connection.excusedSeconds, connection.leftSeconds) == 0
    }

    private mutating func noteSilence(_ delta: StreamDelta, _ connection: ConnectionState) {
        let isEmpty = delta.counted.packets == 0
        let missing = isEmpty ? delta.seconds : delta.missingSeconds
        let goesOn = missing > max(SilenceMeter.packetGapSeconds, Self.leastSeenShare * delta.seconds)
        silentSeconds = goesOn ? silentSeconds + missing : 0
        if !goesOn { isLost = false }
        let others = [connection.controlPackets, connection.checksReceived].compactMap(\.self).max()
        hasOthers = isEmpty && (hasOthers && emptySeconds > 0 || others ?? 1 > 0)
        emptySeconds = isEmpty ? emptySeconds + delta.seconds : 0
    }

    /// Whether nothing came for long, not even checks of ICE, or ICE has gone down since sound came last: where sound came after
    /// it, nobody told that it was up again.
    private func isPathLost(at end: Timestamp, _ connection: ConnectionState) -> Bool {
        let downSeconds = connection.disconnectedAt.map { end.seconds(since: $0) } ?? .infinity
        let isStill = !hasOthers && emptySeconds >= Self.longestConsentSeconds
        return isStill || downSeconds <= silentSeconds + Self.leastSeconds
    }

    /// Whether both ends stopped sending at once, as on hold, where no playout clock tells: where the network fails, this
    /// end goes on, for seconds at least. A silence that ends in this span, and in which the path was lost, was none.
    private func isHeldBothWays(_ delta: StreamDelta, silence: Double, _ connection: ConnectionState) -> Bool {
        guard delta.counted.samples == nil, !isLost || delta.counted.packets == 0,
            min(connection.unsentSeconds, silentSeconds) >= Self.idleShare * max(silence, silentSeconds),
            !(connection.isSending && delta.counted.packets == 0)
        else { return false }
        let difference = abs(connection.unsentSeconds - silentSeconds)
        return difference <= Self.leastSeconds + Self.leastSeenShare * delta.seconds
    }

    /// Whether the silence that was a pause is that at the end of the span, or the sender's count has seen that one, too.
    private func goesOn(_ silence: Double, _ delta: StreamDelta) -> Bool {
        let age = age(of: delta)
        let isSame = age + SilenceMeter.packetGapSeconds >= silence || accountAge(delta) <= age
        return isSame && age > SilenceMeter.packetGapSeconds
    }

    /// In a conference over one connection somebody is silent while others speak: what stops a path stops them all.
    ///
    /// With pictures the far end asks for more and reports more often after an interruption: over a long span that hides
    /// what was missing, and the pictures themselves tell. Where no sound came since it fell silent there was no time after an
    /// interruption: the next packet of sound is due in 20 ms, of DTX in 400 ms.
    private func pathState(
        silence: Double, _ delta: StreamDelta, mayFallSilent: Bool, _ connection: ConnectionState
    ) -> PathActivity.State? {
        if let missing = connection.otherMissingSeconds, missing < Self.missingShare * silence { return .up }
        let goesOn = !mayFallSilent && age(of: delta) + SilenceMeter.packetGapSeconds >= silence
        let isEmpty = delta.counted.packets == 0
        if let missing = connection.missingPictureSeconds, isEmpty || delta.seconds > Self.longestFineSeconds {
            if missing < Self.missingShare * silence { return .up }
            guard goesOn || isEmpty else { return nil }
        }
        let counted = stateByCount(silence: silence, delta, isEven: !mayFallSilent, connection)
        if counted == nil, goesOn, hasOutlasted(silence, delta) { return .up }
        return counted
    }

    /// Whether something else came over the path late in a silence that goes on, by when its last packet came. In a short span that
    /// may have been just before the first packet of sound after an interruption, and how much came tells.
    private func hasOutlasted(_ silence: Double, _ delta: StreamDelta) -> Bool {
        guard delta.seconds > Self.longestFineSeconds, let last = delta.sample.lastPacketOnPathAt else { return false }
        let without = max(0, delta.end.seconds(since: last))
        return without < Self.missingShare * silence && age(of: delta) - without >= Concealment.leastDarkSeconds
    }

    /// By how much else came over the connection. What came before the silence is no sign that the path was up.
    private func stateByCount(
        silence: Double, _ delta: StreamDelta, isEven: Bool = true, _ connection: ConnectionState
    ) -> PathActivity.State? {
        let state =
            path.state(packets: connection.controlPackets, silence: silence, of: delta.seconds, isEven: isEven)
            ?? stateByChecks(silence: silence, delta, connection)
        guard state == .up, let last = delta.sample.lastPacketOnPathAt else { return state }
        let isOld = delta.end.seconds(since: last) + SilenceMeter.packetGapSeconds >= silence
        return isOld ? nil : .up
    }

    /// Checks of ICE come at the same pace all the time (RFC 7675 §5.1), and are not made up for.
    private func stateByChecks(
        silence: Double, _ delta: StreamDelta, _ connection: ConnectionState
    ) -> PathActivity.State? {
        guard silence >= Self.longestConsentSeconds else { return nil }
        let state = checks.state(
            packets: connection.checksReceived, silence: silence, of: delta.seconds, least: Self.leastChecks)
        return state == .up ? .up : nil
    }

    /// Seconds without a packet at the end of the span that no hold explains.
    private func age(of delta: StreamDelta) -> Double {
        delta.sample.lastPacketReceivedAt.map { max(0, delta.end.seconds(since: $0) - delta.hold.atEndSeconds) } ?? 0
    }

    /// Seconds of sound that were missing for lack of packets: not what was made up for single losses.
    private func silence(in delta: StreamDelta) -> Double {
        guard let made = delta.counted.concealedSamples, let silent = delta.silentSamples else {
            if delta.counted.packets == 0 { return delta.seconds }
            return delta.missingSeconds >= SilenceMeter.leastMissingSeconds(of: delta) ? delta.missingSeconds : 0
        }
        let concealment = Concealment(
            seconds: made / delta.sampleRate, silentSeconds: silent / delta.sampleRate,
            events: delta.counted.concealmentEvents ?? 1)
        let isLong = concealment.isInterruption || age(of: delta) > Self.leastSeconds
        return isLong || wasPaused && silent > 0 ? concealment.longestSeconds : 0
    }

    /// What the sender's own count says: whether it had stopped. `nil` when it does not say.
    ///
    /// Between words a sender in DTX sends little, so of such a one only a count that stands still tells.
    private func word(
        of account: SenderAccount?, silence: Double, delta: StreamDelta, mayFallSilent: Bool, mostRate: Double?
    ) -> Bool? {
        guard let account, account.seconds >= Self.leastSeconds else { return nil }
        if account.packets == 0, delta.counted.packets == 0 { return true }
        guard !mayFallSilent, let mostRate, mostRate > 0 else { return nil }
        // What arrives is less than what is sent by what is usually lost.
        let rate = min(mostRate * (1 + usualLossShare), 1 / AudioScore.ordinaryPacketSeconds)
        let age = accountAge(delta)
        // Some of the pauses and holds before the span fell into the time of the count, too, and those before the silence in it.
        let earlier = min(idleSinceAccount, max(0, account.seconds + age - delta.seconds))
        let idle = max(0, account.idleSeconds(rate: rate) - earlier - delta.hold.beforeEndSeconds)
        let hasBegun = delta.sample.farEnd?.arrivedAt == nil || !goesOn(silence, delta) || age < self.age(of: delta)
        if idle >= Self.idleShare * silence, hasBegun { return true }
        // The count is that of an earlier time: it has seen what of the silence does not fit into the time since, and of one
        // that lasts from before what lies before that.
        let seen = max(silence - age, isUndecided ? min(silence, delta.seconds - age) : 0)
        let isSeen = seen >= max(Self.leastSeenSeconds, Self.leastSeenShare * account.seconds)
        return isSeen && idle < Self.idleShare * seen && account.seconds >= silence ? false : nil
    }

    /// Seconds of the pause or hold in a span of which the account that came in it cannot tell: no more than since it came, and of
    /// one that ended in this span, what did not end before the account came.
    private func unseenIdle(_ delta: StreamDelta) -> Double {
        let age = accountAge(delta)
        let hasEnded = !isPaused && delta.hold.atEndSeconds == 0
        return min(delta.idleSeconds, max(0, hasEnded ? delta.idleSeconds - (delta.seconds - age) : age))
    }

    /// Seconds since the sender's last account came; the whole span where that is not known.
    private func accountAge(_ delta: StreamDelta) -> Double {
        max(0, delta.sample.farEnd?.arrivedAt.map { delta.end.seconds(since: $0) } ?? delta.seconds)
    }

    private var usualLossShare: Double { usualPackets > 0 ? usualLost / usualPackets : 0 }

    private mutating func learn(from delta: StreamDelta, _ connection: ConnectionState) {
        isPathDown = false
        isUndecided = false
        guard let packets = delta.counted.packets, packets > 0, age(of: delta) < Self.leastSeconds else { return }
        learnPath(from: delta, connection)
        guard !wasPaused else { return }
        usualLost += max(0, delta.counted.packetsLost ?? 0)
        usualPackets += packets
    }

    private mutating func learnPath(from delta: StreamDelta, _ connection: ConnectionState) {
        let isSetup = begunAt.map { delta.start.seconds(since: $0) < Self.setupSeconds } ?? true
        path.learn(packets: connection.controlPackets, seconds: delta.seconds, isSetup: isSetup)
        checks.learn(packets: connection.checksReceived, seconds: delta.seconds, isSetup: isSetup)
    }

    // MARK: Picture

    /// A picture of which nothing has come for a whole report, or for long, while sound came all the time, the sender's count stands
    /// still, or the path was up. Over a long span what else came tells only where no picture came since, or the sound, which
    /// would have come at once, was found to be stopped, too.
    private mutating func measurePicture(
        _ delta: inout StreamDelta, account: SenderAccount?, liveRate: Double?, connection: ConnectionState
    ) {
        let isEmpty = delta.counted.packets == 0
        let stopped = isEmpty ? delta.seconds : min(delta.seconds, age(of: delta))
        guard isEmpty || stopped >= Self.leastPictureSeconds else {
            // What is called frozen when the picture returns is what is left of the pause.
            delta.endsPause = isPaused
            isPaused = false
            delta.stoppedSecondsBefore = stoppedPictureSeconds
            stoppedPictureSeconds = stopped >= Self.leastOpenPictureSeconds ? stopped : 0
            if !wasPaused { delta.pausedSeconds = pause(within: delta, liveRate: liveRate, connection) }
            return learnPath(from: delta, connection)
        }
        if !isEmpty { stoppedPictureSeconds = 0 }
        let canTell = isEmpty || connection.isSoundPaused || delta.seconds <= Self.longestFineSeconds
        let isUp =
            account?.packets == 0 || connection.isSoundFlowing
            || canTell && stateByCount(silence: stopped, delta, connection) == .up
        isPaused = isUp && !connection.isDark
        if isPaused { delta.pausedSeconds = stopped }
    }

    /// Seconds for which a picture was stopped within the span, 0 where that cannot be told: it stood still once, while sound came
    /// all the time, no packet was lost, and as many were not sent as the time takes, but for what of it lies before the span. What
    /// a sender holds back comes later.
    private func pause(within delta: StreamDelta, liveRate: Double?, _ connection: ConnectionState) -> Double {
        guard connection.isSoundFlowing, !connection.isDark, delta.standstills == 1,
            let still = delta.standstillSeconds, still >= Self.leastPictureSeconds,
            max(delta.counted.packetsLost ?? 0, delta.counted.retransmittedPackets ?? 0) <= 0,
            let packets = delta.counted.packets, let liveRate, liveRate > 0
        else { return 0 }
        let paused = still - delta.stoppedSecondsBefore
        let missing = delta.seconds - packets / liveRate
        return abs(missing - paused) <= Self.missingShare * paused ? min(delta.seconds, paused) : 0
    }

    // MARK: Numbers that jump

    /// Fewer numbers than this are an ordinary loss.
    private static let leastJump = 10.0

    /// Packets called lost when a stopped stream resumes, if they were never sent: many more than were lost before, and
    /// nothing was made up for them.
    func jump(_ delta: StreamDelta) -> Double? {
        guard wasPaused || delta.pausedSeconds > 0, let lost = delta.counted.packetsLost else { return nil }
        let ordinary = 2 * usualLossShare * (max(0, lost) + (delta.counted.packets ?? 0))
        guard lost > Self.leastJump + ordinary else { return nil }
        guard let made = delta.counted.concealedSamples else { return lost }
        return made / delta.sampleRate < lost * AudioScore.ordinaryPacketSeconds / 2 ? lost : nil
    }
}

// MARK: - Archive

extension PauseMeter {
    func write(to archive: inout ArchiveWriter) {
        archive.put(path, isPaused, wasPaused, isPathDown)
        archive.put(isUndecided, idleSinceAccount, usualLost, usualPackets)
        archive.put(isStoppedBySender, silentSeconds, emptySeconds, hasOthers)
        archive.put(isLost, checks, begunAt, openSilence)
        archive.put(stoppedPictureSeconds)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (path, isPaused, wasPaused, isPathDown) = try archive.get()
        (isUndecided, idleSinceAccount, usualLost, usualPackets) = try archive.get()
        (isStoppedBySender, silentSeconds, emptySeconds, hasOthers) = try archive.get()
        (isLost, checks, begunAt, openSilence) = try archive.get()
        stoppedPictureSeconds = try archive.get()
    }
}
