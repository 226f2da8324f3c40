import CallModel

/// Tells a stream that its sender stopped from one that the network swallowed.
///
/// A selective forwarding unit or an application stops single streams: nobody watches, somebody else speaks. Receivers
/// report that like a blackout. The sender's own count (RTCP) tells; engines that send no sender reports for a stopped
/// stream leave only the path itself: what else arrives goes on arriving.
struct PauseMeter: Archivable {
    var path = PathActivity()
    /// The same of checks of ICE alone.
    var checks = PathActivity()
    /// When the first span began.
    private var begunAt: Timestamp?
    /// Silence at the end of the last span that nothing has told of yet: the next one says what it was.
    private var openSilence: Concealment?
    /// Whether that one follows a hold that events told of: sound may take a moment to come back.
    private var isOpenAfterHold = false
    /// Whether events told of a hold that went on when the last report was taken.
    var wasAgreed = false
    /// Whether the stream was stopped when the last report was taken.
    var isPaused = false
    /// Whether it was when the report before was taken.
    var wasPaused = false
    /// Whether the path was certainly down when the last report was taken: the silence goes on until a packet comes.
    var isPathDown = false
    /// Whether the silence at the end of the last span was taken for an interruption for want of knowledge.
    private var isUndecided = false
    /// For how long no picture had come at the end of the last span in which one came; 0 for what is usual between pictures, and
    /// where that was a pause.
    var stoppedPictureSeconds = 0.0
    /// Whether its own count says that the sender has stopped.
    private var isStoppedBySender = false
    /// Seconds that the sender's last account and those before it have not yet told of, and that were a pause or on hold.
    private var idleSinceAccount = 0.0
    /// The same of silence that was taken for an interruption for want of knowledge.
    private var undecidedSinceAccount = 0.0
    /// For how long the sound has not come, by its packets; for how long no report had any of it, and whether anything else came
    /// over the connection meanwhile.
    private var silentSeconds = 0.0
    var emptySeconds = 0.0
    private var hasOthers = false
    /// Packets that came over the connection beside media while no picture did.
    var emptyPackets = 0.0
    /// Whether the path was lost in the silence that goes on.
    private var isLost = false
    /// Lost and all packets of the spans so far without a pause.
    private var usualLost = 0.0
    private var usualPackets = 0.0

    /// Without a packet for so long a stream has stopped; DTX speaks up every 0.4 s.
    static let leastSeconds = SilenceMeter.longestDTXSeconds
    /// Pictures that stop for less while sound comes wait in a queue of their sender, which lets sound pass first.
    static let leastPictureSeconds = 3.0
    /// Without a picture for less at the end of a span, the next one may be on its way: one a second is the least that is usual.
    static let leastOpenPictureSeconds = 1.0
    /// Of a silence that the path caused, more than this share is missing of other sound and of pictures, too.
    static let missingShare = 0.4
    /// In a span up to this long, control packets cannot make up for those that were missing.
    static let longestFineSeconds = 2.0
    /// A sender that was idle for at least this share of the silence stopped; one idle for less than
    /// that share of what its count has seen of the silence did not.
    private static let idleShare = 0.5
    /// So much of a silence, and such a share of its own time, a sender's count must have seen to say that it was none of the
    /// sender's: neither its time nor the usual rate is exact.
    private static let leastSeenSeconds = 0.5
    private static let leastSeenShare = 0.05
    /// A silence that waits for the next report is no longer than one that may wait in a report of 10 s.
    private static let longestWaitSeconds = 2.5
    /// When something else comes over the path again, sound does, too, within this time: the next packet, and some jitter.
    static let longestUntilSoundSeconds = 0.2
    /// ICE asks for an answer more often than this (RFC 7675 §5.1).
    static let longestConsentSeconds = 5.0
    /// Of two rounds of checks, with a request and an answer each way, an outage swallows one at least.
    static let leastChecks = 4.0
    /// Feedback of the far end comes more often until it knows the bandwidth, for about 6 s (our recordings).
    private static let setupSeconds = 10.0

    /// Measures the span. `account` is what the sender said of it, `liveRate` how many packets a second came last and `mostRate`
    /// the most that were sent so far; `isFirst` whether no packet of the stream had come before.
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
            let wasAfterHold = isOpenAfterHold
            let isPause = measureSound(
                &delta, mayFallSilent: mayFallSilent, account: account, first: first, mostRate: mostRate,
                connection: connection)
            noteUndecided(delta, account)
            let isAfterHold = delta.hold.isOver && (wasAgreed || connection.excusedSeconds > 0)
            openSilence =
                isPause == nil && canWait(delta, mayFallSilent: mayFallSilent, isAfterHold: isAfterHold, connection)
                ? delta.takeOpenSilence(age(of: delta)) : nil
            isOpenAfterHold = isAfterHold && openSilence != nil
            // What nothing tells of, and sound ends, is the way back from the hold.
            let isResumption = wasAfterHold && isPause == nil && delta.counted.packets ?? 0 > 0
            if let before, !isResumption, !(isPause == true && continues) { delta.takeIn(before) }
        } else {
            measurePicture(&delta, account: account, liveRate: liveRate, connection: connection)
        }
        wasAgreed = connection.isExcusedAtEnd
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
        idleSinceAccount = account == nil ? idleSinceAccount + delta.idleSeconds : unseenIdle(delta, account)
    }

    // MARK: Sound

    /// - Returns: whether the sound was stopped by its sender; `nil` where nothing tells, and where it was not silent for long.
    private mutating func measureSound(
        _ delta: inout StreamDelta, mayFallSilent: Bool, account: SenderAccount?, first: BeginningAccount?,
        mostRate: Double?, connection: ConnectionState
    ) -> Bool? {
        noteSilence(delta, connection)
        let whole = silence(in: delta)
        // A hold that events told of is over, and what it explains is no part of what follows.
        let silence = delta.hold.isOver ? min(whole, age(of: delta)) : whole
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
        let idle = mayFallSilent ? nil : idleSeconds(by: account, delta, mostRate: mostRate)
        // A far end that slept has sent nothing, and has not meant to.
        let isDown = !wasPaused && isDisconnected(at: delta.end, within: delta.seconds, connection)
        let verdict =
            (hadNotBegun ? true : nil) ?? (isDown ? false : nil)
            ?? word(of: account, idle: idle, silence: silence, delta: delta)
            ?? (isDownAfterHold(whole, delta, mayFallSilent: mayFallSilent, connection) ? false : nil)
            ?? pathState(silence: silence, delta, mayFallSilent: mayFallSilent, connection).map { $0 == .up }
            ?? (wasPaused && !wasAgreed && continues && !isLost ? true : nil)
        let isStopped = delta.counted.packets == 0
        isPathDown = verdict == false && isStopped
        if connection.isDark || mayFallSilent || delta.hold.isOver {
            guard verdict == true, !connection.isDark else { return conclude(verdict, isStopped: isStopped, isLost) }
            delta.pausedSeconds = min(delta.seconds, whole)
        } else {
            let missing =
                isDown ? silence : missingSeconds(in: silence, isPause: verdict, idle: idle, account, delta, connection)
            delta.pausedSeconds = min(delta.seconds, silence - missing)
            guard missing == 0 else {
                let age = age(of: delta)
                let gap = SilenceMeter.packetGapSeconds
                delta.isPauseOver = age > gap && age <= missing + gap
                let isOpen = verdict == true && age + Self.leastSeenSeconds >= missing
                let known = verdict ?? (missing < silence ? false : nil)
                return conclude(isOpen ? nil : known, isStopped: isStopped, isLost)
            }
        }
        delta.revokesInterruption = revokes
        isPaused = isStopped || goesOn(silence, delta, account)
        isUndecided = false
        return true
    }

    /// What is left of a silence, or all of it, is no pause, as far as is known.
    private mutating func conclude(_ verdict: Bool?, isStopped: Bool, _ isLost: Bool) -> Bool? {
        isUndecided = verdict == nil || !isStopped
        return isLost || verdict != nil ? false : nil
    }

    /// Seconds of a silence that are no pause, 0 where all of it is one. A pause and an interruption may lie in one span: the sender's
    /// count tells for how long it had stopped, and of sound that is missing for longer than pictures, the rest was stopped.
    private func missingSeconds(
        in silence: Double, isPause: Bool?, idle: Double?, _ account: SenderAccount?, _ delta: StreamDelta,
        _ connection: ConnectionState
    ) -> Double {
        let isSplit = (delta.counted.concealmentEvents ?? 0) + (wasPaused || isUndecided ? 1 : 0) > 1
        let counted = isSplit ? idle : nil
        let pictures = delta.seconds > Self.longestFineSeconds ? connection.mostMissingPictureSeconds : nil
        guard isPause == true else {
            let paused = max(counted ?? 0, pictures.map { silence - $0 } ?? 0)
            return paused >= Self.leastSeconds ? max(0, silence - paused) : silence
        }
        guard let counted, let account else { return 0 }
        let missing = silence - counted
        // Where the sound of somebody else, or pictures, came meanwhile the path was up for what the count has not seen.
        if let others = connection.otherMissingSeconds, others < Self.missingShare * missing { return 0 }
        if let pictures, pictures < Self.missingShare * missing { return 0 }
        let isSeen =
            missing - age(of: account, delta) >= Self.leastSeenSeconds
            || max(age(of: delta), pictures ?? 0) + Self.leastSeenSeconds >= missing
        return isSeen && missing >= max(Self.leastSeenSeconds, Self.leastSeenShare * account.seconds) ? missing : 0
    }

    /// Whether a silence at the end of the span may wait for the next one to tell: it is too short for the path to show, and nobody
    /// says that it was to be expected, or that the path is lost; or it follows a hold that events told of.
    private func canWait(
        _ delta: StreamDelta, mayFallSilent: Bool, isAfterHold: Bool, _ connection: ConnectionState
    ) -> Bool {
        let age = age(of: delta)
        guard !mayFallSilent, !isLost, connection.gapPeriod == nil, connection.leftSeconds == 0,
            age > SilenceMeter.packetGapSeconds
        else { return false }
        if isAfterHold { return age < Self.longestWaitSeconds }
        let longest = delta.seconds > Self.longestFineSeconds ? Self.longestWaitSeconds : 0
        return delta.counted.packets ?? 0 > 0 && age < max(longest, PathActivity.leastShare * delta.seconds)
            && max(delta.heldSeconds, connection.heldSeconds, connection.excusedSeconds) == 0
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
        let isStill = !hasOthers && emptySeconds >= Self.longestConsentSeconds
        return isStill || isDisconnected(at: end, within: Self.leastSeconds, connection)
    }

    private func isDisconnected(at end: Timestamp, within seconds: Double, _ connection: ConnectionState) -> Bool {
        connection.disconnectedAt.map { end.seconds(since: $0) <= silentSeconds + seconds } ?? false
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
    private func goesOn(_ silence: Double, _ delta: StreamDelta, _ account: SenderAccount?) -> Bool {
        let age = age(of: delta)
        let isSame = age + SilenceMeter.packetGapSeconds >= silence || self.age(of: account, delta) <= age
        return isSame && age > SilenceMeter.packetGapSeconds
    }

    /// Seconds without a packet at the end of the span that no hold explains.
    func age(of delta: StreamDelta) -> Double {
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

    /// Seconds for which the sender had stopped, by its own count, without the pauses and holds that are known; `nil` without.
    private func idleSeconds(by account: SenderAccount?, _ delta: StreamDelta, mostRate: Double?) -> Double? {
        guard let account, account.seconds >= Self.leastSeconds, let mostRate, mostRate > 0 else { return nil }
        let rate = min(mostRate, 1 / AudioScore.ordinaryPacketSeconds)
        // That of longer packets was measured of few.
        let isMeasured = rate * AudioScore.ordinaryPacketSeconds < StreamMeter.nearlyAll
        // Some of the pauses and holds before the span fell into the time of the count, too, and those before the silence in it.
        let earlier = min(idleSinceAccount, max(0, account.seconds + age(of: account, delta) - delta.seconds))
        let seconds = account.idleSeconds(rate: rate) - (isMeasured ? Self.leastSeenShare * account.seconds : 0)
        return max(0, seconds - earlier - delta.hold.beforeEndSeconds)
    }

    /// What the sender's own count says: whether it had stopped. `nil` when it does not say.
    ///
    /// Between words a sender in DTX sends little, so of such a one only a count that stands still tells.
    private func word(of account: SenderAccount?, idle: Double?, silence: Double, delta: StreamDelta) -> Bool? {
        guard let account, account.seconds >= Self.leastSeconds else { return nil }
        if account.packets == 0, delta.counted.packets == 0 { return true }
        guard let idle else { return nil }
        let age = age(of: account, delta)
        let hasBegun =
            delta.sample.farEnd?.arrivedAt == nil || !goesOn(silence, delta, account) || age < self.age(of: delta)
        // It may have been idle in what was taken for an interruption before, for want of knowledge.
        if idle - undecidedSinceAccount >= Self.idleShare * silence, hasBegun { return true }
        // The count is that of an earlier time: it has seen what of the silence does not fit into the time since, and of one
        // that lasts from before what lies before that.
        let seen = max(silence - age, isUndecided ? min(silence, delta.seconds - age) : 0)
        let isSeen = seen >= max(Self.leastSeenSeconds, Self.leastSeenShare * account.seconds)
        return isSeen && idle < Self.idleShare * seen && account.seconds >= silence ? false : nil
    }

    /// Notes for how long a silence was taken for an interruption for want of knowledge, of which the sender's count has not told.
    private mutating func noteUndecided(_ delta: StreamDelta, _ account: SenderAccount?) {
        let seconds = isUndecided ? max(0, silence(in: delta) - delta.pausedSeconds) : 0
        undecidedSinceAccount = account == nil ? undecidedSinceAccount + seconds : min(seconds, age(of: account, delta))
    }

    /// Seconds of the pause or hold in a span of which the account that came in it cannot tell: no more than since it came, and of
    /// one that ended in this span, what did not end before the account came.
    private func unseenIdle(_ delta: StreamDelta, _ account: SenderAccount?) -> Double {
        let age = age(of: account, delta)
        let hasEnded = !isPaused && delta.hold.atEndSeconds == 0
        return min(delta.idleSeconds, max(0, hasEnded ? delta.idleSeconds - (delta.seconds - age) : age))
    }

    /// Seconds since the sender's last account came, or was due where it was held back; the whole span where that is not known.
    private func age(of account: SenderAccount?, _ delta: StreamDelta) -> Double {
        let age = delta.sample.farEnd?.arrivedAt.map { delta.end.seconds(since: $0) } ?? delta.seconds
        return max(0, age) + (account?.lateSeconds ?? 0)
    }

    var usualLossShare: Double { usualPackets > 0 ? usualLost / usualPackets : 0 }

    private mutating func learn(from delta: StreamDelta, _ connection: ConnectionState) {
        isPathDown = false
        isUndecided = false
        guard let packets = delta.counted.packets, packets > 0, age(of: delta) < Self.leastSeconds else { return }
        learnPath(from: delta, connection)
        guard !wasPaused else { return }
        usualLost += max(0, delta.counted.packetsLost ?? 0)
        usualPackets += packets
    }

    mutating func learnPath(from delta: StreamDelta, _ connection: ConnectionState) {
        let isSetup = begunAt.map { delta.start.seconds(since: $0) < Self.setupSeconds } ?? true
        path.learn(packets: connection.controlPackets, seconds: delta.seconds, isSetup: isSetup)
        checks.learn(packets: connection.checksReceived, seconds: delta.seconds, isSetup: isSetup)
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
        let hasMore = isOpenAfterHold || wasAgreed || undecidedSinceAccount != 0 || emptyPackets != 0
        archive.put(stoppedPictureSeconds, hasMore)
        if hasMore { archive.put(isOpenAfterHold, wasAgreed, undecidedSinceAccount, emptyPackets) }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (path, isPaused, wasPaused, isPathDown) = try archive.get()
        (isUndecided, idleSinceAccount, usualLost, usualPackets) = try archive.get()
        (isStoppedBySender, silentSeconds, emptySeconds, hasOthers) = try archive.get()
        (isLost, checks, begunAt, openSilence) = try archive.get()
        let hasMore: Bool
        (stoppedPictureSeconds, hasMore) = try archive.get()
        if hasMore { (isOpenAfterHold, wasAgreed, undecidedSinceAccount, emptyPackets) = try archive.get() }
    }
}
