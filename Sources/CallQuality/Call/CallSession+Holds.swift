import CallModel

// MARK: - Holds of the sound

extension CallSession {
    /// Seconds since the last report of a connection without sound in which the sound of the others was on hold.
    @inline(__always)
    func heldElsewhere(_ samples: [KeyedSample], since last: Timestamp?, to time: Timestamp) -> Double {
        guard let last, !outages.isEmpty, !samples.contains(where: \.key.isInboundAudio) else { return 0 }
        return outages.map { $0.holds.heldSeconds(from: last, to: time) }.min() ?? 0
    }

    /// Seconds since the last report of a connection in which it was on hold, as engines have it that show no inbound sound
    /// meanwhile: it has gone from the report, and this end sent none either.
    mutating func awaySeconds(
        _ samples: [KeyedSample], of connection: String, since last: Timestamp?, to time: Timestamp
    ) -> Double {
        let away = min(connections.unsent(of: connection).inSpan, last.map { time.seconds(since: $0) } ?? 0)
        guard let last, away > 0, !samples.contains(where: \.key.isInboundAudio) else { return 0 }
        guard let index = outages.lastIndex(where: { $0.stream.connection.rawValue == connection }) else { return 0 }
        let seen = streams.lastSeen(outages[index].stream)
        guard outages[index].isAway || seen == last else { return 0 }
        outages[index].holds.take(from: last, to: time, held: away)
        outages[index].isAway = true
        return away
    }

    /// Notes where the time lies in which media of a stream were not to be expected.
    @inline(__always)
    func noteExcuse(in told: inout ConnectionState, of stream: KeyedSample, at time: Timestamp) {
        guard told.excusedSeconds > 0 || !course.lanes.lanes.isEmpty else { return }
        let kind = stream.key.kind
        told.excusedSinceLastPacket = excusedSeconds(of: kind, since: stream.sample.lastPacketReceivedAt, to: time)
        told.isExcusedAtEnd = excusedSeconds(of: kind, since: time.advanced(byMilliseconds: -1), to: time) > 0
    }

    /// When a client's call ended, or the connection was closed whose report is being read.
    @inline(__always)
    private var overSince: Timestamp? {
        guard let closedAt else { return course.end.endedAt }
        return min(closedAt, course.end.endedAt ?? closedAt)
    }

    /// Seconds for which a client's call was over: its timer may report once more, of a time in which nothing could come.
    @inline(__always)
    func secondsAfterEnd(from start: Timestamp, to end: Timestamp) -> Double {
        guard wire.sensor == nil, let endedAt = overSince else { return 0 }
        return max(0, end.seconds(since: max(start, endedAt)))
    }

    /// Whether a client's call, or the connection, was over when a connection reported last: what it reports now, unless it is the rest of that report,
    /// is of no call.
    @inline(__always)
    func isOver(_ connection: String, at time: Timestamp) -> Bool {
        guard wire.sensor == nil, let endedAt = overSince, let latest = paces[connection]?.latest else {
            return false
        }
        return latest >= endedAt && time.milliseconds(since: latest) >= ReportParts.milliseconds
    }

    /// - Returns: seconds since the last report for which the stream stayed away before it came back from a hold.
    mutating func noteOutage(
        _ delta: StreamDelta, of key: StreamKey, isLeft: Bool, since last: Timestamp?
    ) -> Double {
        let known = outages.indices.first { outages[$0].stream == key }
        if known == nil { outages.append(OutageRecord(stream: key)) }
        let index = known ?? outages.count - 1
        outages[index].tracker.take(delta)
        let gap = last.map { max(0, delta.start.seconds(since: $0)) } ?? 0
        let goesOn = outages[index].holds.isOpen && connections.unsent(of: key.connection.rawValue).inSpan > gap / 2
        let away = outages[index].isAway || goesOn ? gap : 0
        if away > 0, let last { outages[index].holds.take(from: last, to: delta.start, held: away) }
        outages[index].isAway = false
        guard !isLeft else { return away }
        takeHold(of: delta, isNew: known == nil, since: last, at: index)
        return away
    }

    /// Books what of a span was on hold. Of an agreed hold that a new stream ends, what lies before its first packet is told of
    /// the stream before it.
    private mutating func takeHold(of delta: StreamDelta, isNew: Bool, since last: Timestamp?, at index: Int) {
        var delta = delta
        let agreed = excusedSeconds(of: .audio, since: delta.start, to: delta.end)
        if isNew, excusedSeconds(of: .audio, since: last, to: delta.start) > 0 {
            delta.heldSeconds = min(delta.heldSeconds, agreed)
        }
        // What the client names itself is shown under that name.
        let named =
            course.lanes.interruptedSeconds(of: .audio, from: delta.start, to: delta.end)
            + secondsAfterEnd(from: delta.start, to: delta.end)
        guard named < delta.heldSeconds || delta.heldSeconds == 0 else { return }
        let holds = agreed > 0 ? course.lanes.holds(from: delta.start, to: delta.end) : []
        if !holds.isEmpty { delta.heldSeconds -= named }
        outages[index].holds.take(delta, isAgreed: agreed > 0, holds: holds)
    }
}
