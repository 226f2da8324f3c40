import CallModel
import RTPMeter

// MARK: - A clock that is set back

/// A call whose packets go on while the clock of the capture is set back keeps the time that it had, for its facts are
/// read in order of their times. Calls that begin later have the time of the clock.
extension WireProbe {
    /// Interfaces that are recorded together are no further apart: their buffers are read several times a second.
    static let orderSeconds = 1.0
    static let disorderSeconds = 10.0
    static let mostFramesBehind = 200

    /// The time of a frame as a stream has it: that of its call.
    @inline(never)
    func time(_ time: ArrivalTime, ofStream place: Int) -> ArrivalTime {
        let own = time.advanced(byNanoseconds: calls[streams[place].call]?.clockStep ?? 0)
        return continued(own, after: streams[place].meter.latestArrival)
    }

    /// The same as the call has it that a flow belongs to, or will.
    func time(_ time: ArrivalTime, ofFlow flow: Flow) -> ArrivalTime {
        guard wasSetBack else { return time }
        let call = owner(of: flow)?.call ?? match(flow)?.call ?? owner(of: flow.reversed)?.call
        return time.advanced(byNanoseconds: call.flatMap { calls[$0]?.clockStep } ?? 0)
    }

    /// The same as a call has it.
    func time(_ time: ArrivalTime, ofCall place: Int) -> ArrivalTime {
        guard let call = calls[place], call.clockStep | stepBack != 0 else { return time }
        return continued(time.advanced(byNanoseconds: call.clockStep), after: lastPacket(of: call))
    }

    /// An event with the time that its call has.
    func dated(_ event: CallEvent, as place: Int) -> CallEvent {
        let told = ArrivalTime(nanoseconds: event.time.milliseconds &* 1_000_000)
        let step = time(told, ofCall: place).nanoseconds(since: told) / 1_000_000
        guard step != 0 else { return event }
        var dated = event
        dated.time = event.time.advanced(byMilliseconds: step)
        dated.receivedAt = event.receivedAt.advanced(byMilliseconds: step)
        return dated
    }

    /// The time of a frame that is far behind what came before it is taken to go on from there.
    private func continued(_ time: ArrivalTime, after last: ArrivalTime?) -> ArrivalTime {
        guard stepBack > 0, let last, last.seconds(since: time) > Self.disorderSeconds else { return time }
        return time.advanced(byNanoseconds: stepBack)
    }

    /// The clock was set back: the calls of which packets came since then go on in their own time.
    mutating func keepTime(step: Int64) {
        for place in calls.places {
            let streams = calls[place]?.ends.flatMap(\.streams) ?? []
            guard step != 0, streams.contains(where: { hasGoneOn($0) }) else { continue }
            calls[place]?.clockStep += step
            wasSetBack = true
        }
    }

    /// Whether packets of a stream came since the clock was set back: nothing else is later than before.
    private func hasGoneOn(_ stream: Int) -> Bool {
        streams[stream].meter.latestArrival.map { $0 > now } ?? false
    }
}
