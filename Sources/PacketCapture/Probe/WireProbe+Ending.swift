import CallModel
import RTPMeter

// MARK: - The end of a call

extension WireProbe {
    /// Tells the last of a call and lets go of it.
    ///
    /// A call that signalling ended goes on swallowing its stragglers until the dialog is forgotten.
    mutating func finalise(_ place: Int, notices: Bool) {
        guard let call = calls[place] else { return }
        if !call.isConcluded {
            for end in 0...1 where isDue(call, end) { conclude(place, end) }
            calls[place]?.isConcluded = true
            for stream in call.ends.flatMap(\.streams) { streams[stream].closesAt = .min }
            output.append(.ended(call: call.id))
        }
        if notices { close(place) }
    }

    private mutating func conclude(_ place: Int, _ end: Int) {
        let now = self.time(now, ofCall: place)
        if calls[place]?.ends[end].pending != nil { settle(place, end, at: now) }
        guard let call = calls[place] else { return }
        calls[place]?.ends[end].pending = nil
        var time = conclusion(of: call, now)
        settleStreams(of: call, end)
        let pending =
            call.ends[end].pending ?? silence(of: call, end, in: report(of: call, end, at: time), at: time)
        // What is still on its way after the hang-up makes the record longer, but no silence.
        let over = min(time, call.endedAt ?? time)
        if var pending, let cause = cause(of: pending, of: call, end, until: over) {
            pending.end(at: time)
            emit(pending.settled(as: cause, upTo: nil, dueFrom: due(pending)), place, end)
            let last = report(of: call, end, at: time, watchedUntil: now)
            return tell(pending.settled(last, at: over, as: cause, dueFrom: due(pending)), place, end, at: time)
        }
        // Reports of one millisecond would be one fact that contradicts itself. Where no event ends the call, the last one says
        // until when was watched, though there is nothing else to tell.
        if let reported = calls[place]?.ends[end].reportedUpTo, time.timestamp <= reported.timestamp {
            guard call.endedAt == nil || call.ends[end].isUntold || hasNews(call, end, since: reported) else { return }
            time = reported.advanced(byNanoseconds: 1_000_000)
        }
        tell(report(of: call, end, at: time, watchedUntil: max(now, time)), place, end, at: time)
    }

    /// When a call ended. The silence after the last packet is no part of it, but for a hold, and where an answered call was hung
    /// up in it.
    private func conclusion(of call: WireCall, _ now: ArrivalTime) -> ArrivalTime {
        let time = min(call.endedAt ?? (call.isHeld ? now : lastPacket(of: call)) ?? now, now)
        guard !call.isHeld, let last = lastPacket(of: call),
            last > time || time.seconds(since: last) > Self.tailSeconds && !isHungUpInSilence(call, since: last)
        else { return time }
        return last
    }

    private func isHungUpInSilence(_ call: WireCall, since last: ArrivalTime) -> Bool {
        call.isAnswered && call.endedAt != nil && !mayPassElsewhere(call, since: last)
    }

    /// Whether media that stopped may have gone on past the probe: an end had just named another place, or another leg has them.
    private func mayPassElsewhere(_ call: WireCall, since last: ArrivalTime) -> Bool {
        call.ends.contains(where: \.isServedElsewhere)
            || call.movedAt.map { last.seconds(since: $0) <= Self.tailSeconds } ?? false
    }

    /// What a silence was in which a call ended: no numbers tell. Nil where it is no part of the call.
    private func cause(
        of pending: PendingReports, of call: WireCall, _ end: Int, until time: ArrivalTime
    ) -> PendingReports.Cause? {
        guard time.seconds(since: pending.since) > 1 else { return nil }
        if isOutage(pending, of: call, end) { return .outage }
        return mayPassElsewhere(call, since: pending.since) ? nil : .pause
    }

    /// Whether a silence in which a call ended was none of the sender: by its own count, or because it had sent all the time
    /// before, does not say itself that it sends nothing, and the other end was still being sent to. Of a call that signalling
    /// set up and has not ended, the capture alone is over: its sender may have spoken again.
    private func isOutage(_ pending: PendingReports, of call: WireCall, _ end: Int) -> Bool {
        guard !call.isHeld, !call.ends[end].isServedElsewhere, !isAbsent(pending.stream) else { return false }
        if wasSent(in: pending, of: call, end) { return true }
        guard !call.isSignalled || call.isAnswered && call.endedAt != nil,
            !hasStoppedWithMove(pending.stream, of: call),
            !isSilentByChoice(pending.stream, since: pending.since)
        else { return false }
        return call.ends[1 - end].streams.contains { place in
            isSound(place)
                && (streams[place].meter.latestArrival.map { $0.seconds(since: pending.since) > 2 } ?? false)
        }
    }

    /// Whether a stream that had come before stopped just when an end named another place: an end that goes over to another host
    /// sends from there, too, and that may pass elsewhere. Where the agreement says where the stream itself is to go, that counts.
    func hasStoppedWithMove(_ stream: Int, of call: WireCall) -> Bool {
        guard absences[stream] == nil, let movedAt = call.movedAt, let first = streams[stream].meter.earliestArrival,
            let last = streams[stream].meter.latestArrival
        else { return false }
        return first < movedAt && abs(last.seconds(since: movedAt)) <= Self.tailSeconds
    }

    /// Whether the sender of a stream tells that it sends nothing, in a silence that began at `start`: by RTCP, by a goodbye, or
    /// because it has fallen silent before or describes its silence.
    func isSilentByChoice(_ stream: Int, since start: ArrivalTime) -> Bool {
        hasLeft(stream) || control[stream]?.tellsOfSilence(since: start) == true || streams[stream].mayFallSilent
    }

    /// Whether packets were sent in a silence: the sender's own reports count some, or they came to the relay before.
    func wasSent(in pending: PendingReports, of call: WireCall, _ end: Int) -> Bool {
        if isAbsent(pending.stream) { return false }
        if control[pending.stream]?.tellsOfMissing == true { return true }
        let before = hop(of: pending.stream, among: call.ends[end].streams)
        return before.flatMap { streams[$0].meter.latestArrival }.map { $0.seconds(since: pending.since) > 1 } ?? false
    }

    /// Whether packets came, or reports of them, of which a report of `time` does not tell: those of its very instant come
    /// after it. Or whether packets did not come that it waited for.
    private func hasNews(_ call: WireCall, _ end: Int, since time: ArrivalTime) -> Bool {
        call.ends[end].streams.contains { place in
            let news = [streams[place].meter.latestArrival, control[place]?.lastControlAt]
            return news.compactMap(\.self).contains { $0 >= time } || streams[place].meter.isWaiting(at: time)
        }
    }

    /// Lets go of a call and its streams.
    mutating func close(_ place: Int) {
        guard let call = calls[place] else { return }
        for stream in call.ends.flatMap(\.streams) { forget(stream: stream) }
        if let ref = call.ref { signalled[ref] = nil }
        directory.forget(place)
        unseenSources[place] = nil
        holdWatches[place] = nil
        schedule.remove(place)
        if let pair = call.pair { pairedCalls.remove(place, from: pair) }
        placedCalls.remove(place)
        stopAwaitingDescriptions(of: place)
        calls.remove(at: place, leaving: nil)
    }
}
