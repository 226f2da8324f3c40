import CallModel
import RTPMeter

// MARK: - Time

extension WireProbe {
    private static let second: Int64 = 1_000_000_000
    /// After a BYE, packets that were on their way still count for so long.
    static let tailSeconds = 1.0
    /// Of a signalled call there is nothing new to tell after so long without any sign of life.
    private static let signalledIdleSeconds = 600.0
    /// How often silent dialogs are looked for.
    private static let expirySeconds: Int64 = 10
    /// How long a window of the score is; see `docs/score.md`.
    private static let windowSeconds: Int64 = 10
    /// Candidates that brought nothing for so long are dropped; accepted ones become streams.
    private static let candidateSeconds = 3.0
    /// Of a stream that signalling announced: a sender that is muted may send a packet only now and then.
    private static let announcedSeconds = 60.0

    /// Does what is due at every whole second up to now.
    mutating func tick() {
        guard nextTick.nanoseconds != .min else {
            counted.firstFrameAt = now.timestamp
            nextTick = wholeSecond(after: now)
            return
        }
        while workSome() {}
    }

    /// Does a part of what is due up to now.
    /// - Returns: whether there is more.
    mutating func workSome() -> Bool {
        guard nextTick.nanoseconds != .min, nextTick <= now else { return false }
        if due.isEmpty {
            passSilence()
            tick(at: nextTick)
        }
        for place in due.prefix(Self.callsAtOnce) { follow(place, at: nextTick) }
        due = due.dropFirst(Self.callsAtOnce)
        // The second is not over before all of its calls were looked at.
        if due.isEmpty { nextTick = nextTick.advanced(byNanoseconds: Self.second) }
        return nextTick <= now
    }

    /// Over a long silence of the whole capture only the first rounds of snapshots are of use, up to the end of a window of the
    /// score, and the last: those between would say the same.
    private mutating func passSilence() {
        let round = Int64(options.snapshotSeconds) * Self.second
        let last = wholeSecond(after: now).advanced(byNanoseconds: -round)
        let first = Self.windowSeconds * Self.second + round
        guard last.nanoseconds(since: silentSince ?? nextTick) > first else {
            silentSince = nil
            return
        }
        let since = silentSince ?? nextTick
        silentSince = since
        guard nextTick.nanoseconds(since: since) >= first else { return }
        nextTick = max(nextTick, last)
        silentSince = nil
    }

    /// So many calls are told of before what was told must be taken.
    static let callsAtOnce = 256

    func wholeSecond(after time: ArrivalTime) -> ArrivalTime {
        let second = time.nanoseconds / Self.second
        return ArrivalTime(nanoseconds: (second &+ 1) &* Self.second)
    }

    private mutating func tick(at time: ArrivalTime) {
        holes.tick(at: time)
        judgeHole()
        sweepCandidates(at: time)
        settleFarewells(at: time)
        takeBeginnings { abs(time.seconds(since: $0.time)) > MessageBeginning.patience }
        take(sipStreams.expire(at: time), at: now)
        // Dialogs end by silence, too, when no message comes that would make them look at the time.
        if time.nanoseconds / Self.second % Self.expirySeconds == 0 { apply(dialogs.expire(at: time)) }
        due = schedule.due(at: time)[...]
    }

    private mutating func follow(_ place: Int, at time: ArrivalTime) {
        guard let call = calls[place] else { return }
        let time = self.time(time, ofCall: place)
        let silence = time.seconds(since: lastActivity(of: call))
        if isOver(call, after: silence, at: time) {
            finalise(place, notices: !call.isSignalled || call.endedAt == nil)
        } else if call.endedAt == nil, !call.isSignalled || silence < Self.signalledIdleSeconds {
            followHold(of: call, at: time)
            watchHold(place, of: call, at: time)
            followAbsences(of: call)
            if let ref = call.ref, call.hasStreams {
                dialogs.noteMedia(of: ref, at: nextTick.advanced(byNanoseconds: -Int64(silence * 1e9)))
            }
            snapshot(place, at: time)
        }
    }

    private mutating func sweepCandidates(at time: ArrivalTime) {
        for place in candidatePlaces.sorted() {
            let own = self.time(time, ofFlow: candidates[place].identity.flow)
            let patience = candidates[place].probation.isAnnounced ? Self.announcedSeconds : Self.candidateSeconds
            guard let last = candidates[place].probation.lastArrival,
                own.seconds(since: last) > patience || isDue(candidates[place], at: time)
            else { continue }
            conclude(candidate: place)
        }
    }

    /// A stream that only waits for its clock is told of with the first snapshot all the same.
    private func isDue(_ candidate: StreamCandidate, at time: ArrivalTime) -> Bool {
        candidate.probation.isAccepted && time.seconds(since: candidate.openedAt) > Double(options.snapshotSeconds) - 1
    }

    private func isOver(_ call: WireCall, after silence: Double, at time: ArrivalTime) -> Bool {
        if let ended = call.endedAt {
            return time.seconds(since: ended) >= Self.tailSeconds && call.ref.map { dialogs.awaitsGoodbye($0) } != true
        }
        // Media may stop for long, on hold, or pass elsewhere: only signalling tells when a call that it set up is over.
        return !call.isSignalled && silence >= Double(options.idleSeconds)
    }

    private func lastActivity(of call: WireCall) -> ArrivalTime {
        lastPacket(of: call).map { max($0, call.lastActivityAt) } ?? call.lastActivityAt
    }

    func lastPacket(of call: WireCall) -> ArrivalTime? {
        // Loops, for this is asked of every call every few seconds.
        var last: ArrivalTime?
        for end in call.ends {
            for place in end.streams {
                if let latest = streams[place].meter.latestArrival { last = last.map { max($0, latest) } ?? latest }
            }
        }
        return last
    }
}

// MARK: - Snapshots

extension WireProbe {
    private mutating func snapshot(_ place: Int, at time: ArrivalTime) {
        for end in 0...1 {
            guard let call = calls[place], isDue(call, end), !awaitsVerdict(call, end, at: time) else { continue }
            if call.ends[end].pending != nil { settle(place, end, at: time) }
            if calls[place]?.ends[end].pending != nil { continue }
            settleStreams(of: call, end)
            let unripe = Set(call.ends[end].streams.filter { !isRipe($0, at: time) })
            guard call.isSignalled || unripe.count < call.ends[end].streams.count else { continue }
            let report = report(of: call, end, at: time, leavingOut: unripe)
            if let pending = silence(of: call, end, in: report, at: time) {
                calls[place]?.ends[end].pending = pending
            } else if isSilent(call, at: time) {
                calls[place]?.ends[end].deferred.append(report)
            } else {
                tellDeferred(place, end)
                tell(report, place, end, at: time)
                calls[place]?.ends[end].isUntold = !unripe.isEmpty
            }
        }
    }

    /// Whether nothing comes of a call without signalling: nobody tells its end, and the silence after its last packet is no part
    /// of it.
    private func isSilent(_ call: WireCall, at time: ArrivalTime) -> Bool {
        guard !call.isSignalled, let last = lastPacket(of: call) else { return false }
        return time.seconds(since: last) > Self.tailSeconds
    }

    /// Tells what was held back of a silence that is over.
    private mutating func tellDeferred(_ place: Int, _ end: Int) {
        guard let deferred = calls[place]?.ends[end].deferred, !deferred.isEmpty else { return }
        calls[place]?.ends[end].deferred = []
        emit(deferred, place, end)
    }

    /// Media are told of once there are some, or once the call was answered and there ought to be.
    func isDue(_ call: WireCall, _ end: Int) -> Bool {
        !call.ends[end].streams.isEmpty || call.isSignalled && call.isAnswered
    }

    /// The audio stream of an end that has stood still for more than a second, if it is the end's latest and no one said
    /// that it would.
    private func stalledStream(of call: WireCall, _ end: Int, at time: ArrivalTime) -> Int? {
        guard !call.isHeld else { return nil }
        let audio = call.ends[end].streams.filter { isAudio($0) }
        guard let latest = audio.max(by: { isEarlier(streams[$0], streams[$1]) }),
            let start = silenceStart(of: latest, call), time.seconds(since: start) > 1
        else { return nil }
        return latest
    }

    /// A report to be held back, because the sound of the end stands still.
    func silence(
        of call: WireCall, _ end: Int, in report: @autoclosure () -> WireReport, at time: ArrivalTime
    ) -> PendingReports? {
        stalledStream(of: call, end, at: time).map { stalled in
            PendingReports(
                report: report(), stream: stalled, streamID: streams[stalled].name,
                since: silenceStart(of: stalled, call) ?? time, at: time)
        }
    }

    /// Whether sound has come again just now, after a silence of which the packets of the next half second tell what it was.
    private func awaitsVerdict(_ call: WireCall, _ end: Int, at time: ArrivalTime) -> Bool {
        call.ends[end].streams.contains { place in
            isSound(place) && streams[place].meter.awaitsVerdict && streams[place].meter.openGap(at: time) ?? 0 <= 1
        }
    }

    /// When a stream of a call began to stand still: with its last packet, and not before a hold was over.
    private func silenceStart(of stream: Int, _ call: WireCall) -> ArrivalTime? {
        streams[stream].meter.latestArrival.map { last in call.resumedAt.map { max(last, $0) } ?? last }
    }

    /// Whether the source of a stream said goodbye, and has sent nothing since.
    func hasLeft(_ place: Int) -> Bool {
        guard let last = streams[place].meter.latestArrival else { return false }
        return control[place]?.hasLeft(lastPacketAt: last) ?? false
    }

    /// Whether a stream carries sound itself, if only the noise of a sender that is silent
    /// ([RFC 3389](https://www.rfc-editor.org/rfc/rfc3389)).
    func isSound(_ place: Int) -> Bool {
        isAudio(place) && (streams[place].meter.payloadType != nil || streams[place].meter.hasComfortNoise)
    }

    /// Whether it carries sound or telephone events.
    private func isAudio(_ place: Int) -> Bool {
        streams[place].kind == .audio && streams[place].role == .primary && streams[place].hasPayload
    }

    func isEarlier(_ stream: StreamState, _ other: StreamState) -> Bool {
        guard let one = stream.meter.latestArrival, let another = other.meter.latestArrival else { return false }
        return one < another
    }

    /// Looks whether a silence is over, and what it was.
    mutating func settle(_ place: Int, _ end: Int, at time: ArrivalTime) {
        guard var pending = calls[place]?.ends[end].pending, let call = calls[place] else { return }
        let meter = streams[pending.stream].meter
        let hasResumed = (meter.latestArrival ?? pending.since) > pending.since
        let isReplaced = stalledStream(of: call, end, at: time) != pending.stream && !hasResumed
        if hasResumed {
            let gap = meter.lastLossGap
            let isOutage = gap.map { $0.start >= pending.since } ?? false
            let cause: PendingReports.Cause = isOutage ? .outage : .pause
            // Where nothing is missing, no numbers tell of it.
            let isTold = isOutage && gap?.lostPackets != 0
            let due = isTold ? dueFrom(pending, meter) : due(pending)
            emit(pending.settled(as: cause, upTo: isTold ? gap?.end : nil, dueFrom: due), place, end)
        } else if isReplaced || pending.isFull || hasLeft(pending.stream) {
            let cause: PendingReports.Cause = wasSent(in: pending, of: call, end) ? .outage : .pause
            emit(pending.settled(as: cause, upTo: nil, dueFrom: due(pending)), place, end)
        } else {
            pending.add(
                time, streams(of: call, end, beside: pending, ripeAt: time),
                own: ownAudio(of: call, end, at: time))
            calls[place]?.ends[end].pending = pending
            return
        }
        calls[place]?.ends[end].pending = nil
    }

    /// From when on packets were due in a silence of which numbers tell: beside what was lost, the sender may have paused.
    private func dueFrom(_ pending: PendingReports, _ meter: RTPStreamMeter) -> ArrivalTime {
        let due = due(pending)
        guard let gap = meter.lastLossGap, meter.figures().pauseSeconds > pending.pausedBefore else { return due }
        return max(due, gap.start)
    }

    /// What an end receives while one of its streams stands still; nothing where that is all it receives.
    private mutating func streams(
        of call: WireCall, _ end: Int, beside pending: PendingReports, ripeAt time: ArrivalTime? = nil
    ) -> [WireStream] {
        guard call.ends[end].streams.count > 1 else { return [] }
        settleStreams(of: call, end)
        let hasHoles = !holes(of: call, at: now).isEmpty
        return call.ends[end].streams
            .filter { place in place != pending.stream && time.map { isRipe(place, at: $0) } ?? true }
            .map { stream($0, hasHoles: hasHoles, goingOnAt: time) }
    }

    mutating func emit(_ reports: [WireReport], _ place: Int, _ end: Int) {
        guard let call = calls[place] else { return }
        for report in reports { tell(.wire(report), of: call, call.ends[end]) }
        if let last = reports.last {
            calls[place]?.ends[end].reportedUpTo = ArrivalTime(nanoseconds: last.time.milliseconds * 1_000_000)
        }
    }

    mutating func tell(_ report: WireReport, _ place: Int, _ end: Int, at time: ArrivalTime) {
        guard let call = calls[place] else { return }
        tell(.wire(report), of: call, call.ends[end])
        calls[place]?.ends[end].reportedUpTo = time
        calls[place]?.ends[end].isUntold = false
    }

    mutating func tell(_ fact: Fact, of call: WireCall, _ end: WireCall.End) {
        output.append(.fact(call: call.id, observer: end.observer, fact))
    }

    func report(
        of call: WireCall, _ end: Int, at time: ArrivalTime, leavingOut unripe: Set<Int> = [],
        watchedUntil: ArrivalTime? = nil
    ) -> WireReport {
        let holes = holes(of: call, at: time)
        let list = call.ends[end].streams.filter { !unripe.contains($0) }.map {
            stream($0, hasHoles: !holes.isEmpty, goingOnAt: watchedUntil == nil ? time : nil)
        }
        var sensor = sensor(of: call, holes: holes, list)
        sensor.watchedUntil = watchedUntil?.timestamp
        return WireReport(list, sensor, ownAudio(of: call, end, at: time), at: time.timestamp)
    }

    private func stream(_ place: Int, hasHoles: Bool, goingOnAt time: ArrivalTime?) -> WireStream {
        var stream = WireStream(
            streams[place], terms: tellingTerms(of: place), hasHoles: hasHoles, goingOnAt: time)
        control[place]?.fill(&stream)
        if let packets = undeliverable[place] { stream[.packetsUndeliverable] = Double(packets) }
        fillSilence(before: place, &stream)
        return stream
    }

    /// What signalling says of a stream's packets; what it said before, where that alone tells of their payload type.
    private func tellingTerms(of place: Int) -> MediaTerms? {
        let type = streams[place].mediaType
        guard let former = formerTerms[place], former[type] != nil, terms[place]?[type] == nil else {
            return terms[place]
        }
        return former
    }
}
