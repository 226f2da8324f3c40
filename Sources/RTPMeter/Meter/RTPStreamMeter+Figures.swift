extension RTPStreamMeter {
    /// Everything measured so far. Changes nothing.
    ///
    /// With a time the stream goes on, and what may only have been overtaken by then is not lost; see ``isWaiting(at:)``.
    public func figures(waitingAt time: ArrivalTime? = nil) -> RTPStreamFigures {
        var settled = ledger
        let numbers = time.flatMap { filled(at: $0) } ?? sequence
        if sequence.unique > 0 {
            numbers.settleAll(in: &settled)
        }
        let expected = closedExpected &+ sequence.expected
        let counts = settled.burstGap.closed()
        let openSeconds = gaps.openSeconds
        let isStall = isCaughtUp
        let hasTalkspurts = packetSeconds != nil && !sharesTimestamps
        return RTPStreamFigures(
            packets: Int(sequence.packets), unique: Int(sequence.unique), duplicates: Int(sequence.duplicates),
            closeDuplicates: Int(closeDuplicates), reordered: Int(reordered), rejected: Int(sequence.rejected),
            expected: Int(expected), lost: Int(expected &- numbers.unique), segments: Int(segments),
            restarts: max(0, Int(segments) - 1 - Int(gaps.continuations)),
            forgivenPackets: Int(gaps.forgivenPackets), missedPackets: Int(gaps.missedPackets),
            payloadBytes: Int(payloadBytes), markers: Int(markers),
            telephoneEventPackets: Int(others.eventPackets), telephoneEvents: Int(others.events),
            comfortNoisePackets: Int(others.comfortNoise), paddingPackets: Int(others.padding),
            firstArrival: sequence.unique > 0 ? ArrivalTime(nanoseconds: firstArrival) : nil,
            lastArrival: sequence.unique > 0 ? ArrivalTime(nanoseconds: lastArrival) : nil,
            payloadType: payloadType, clock: clock, packetSeconds: packetSeconds,
            jitter: jitter.figures, plainJitter: plainJitter.figures, delta: deltas.figures,
            longestGapSeconds: sequence.packets > 1 ? Double(max(longestGapSeconds, deltas.largest)) : nil,
            transitSteps: transitSteps, delays: delays,
            skewSeconds: hertz != 0 && hasReference ? Double(-transit.extreme) : nil,
            driftPartsPerMillion: drift.partsPerMillion,
            talkspurtSeconds: hasTalkspurts ? packetSeconds.map { $0 * Double(buffers.packets) } : nil,
            silenceSeconds: hasTalkspurts ? Double(silenceTicks) * secondsPerTick : nil,
            talkspurts: hasTalkspurts ? Int(talkspurts) + 1 : nil,
            lossRuns: settled.runs, burstGapCounts: counts,
            burstGap: counts.metrics(packetSeconds: numberSeconds), buffers: buffers.figures,
            lossGapSeconds: Double(gaps.lossSeconds), lossGapPackets: Int(gaps.lossPackets),
            lossGaps: Int(lossGaps),
            pauseSeconds: Double(gaps.pauseSeconds) + (isStall == false ? openSeconds : 0),
            stallSeconds: Double(gaps.stallSeconds) + (isStall == true ? openSeconds : 0),
            lastLossGap: lastLossGap)
    }

    /// Whether numbers are missing at `time` of which it is not known yet that they are lost.
    ///
    /// Where packets have overtaken others, those that are missing among the numbers of the last 200 ms may still come. That
    /// holds while the stream flows, and not of an interruption.
    public func isWaiting(at time: ArrivalTime) -> Bool {
        filled(at: time).map { $0.unique > sequence.unique } ?? false
    }

    /// How long an overtaken packet is waited for, in nanoseconds.
    private static let longestWait: Int64 = 200_000_000

    /// The numbers as if those had come that may still come; nil where there are none.
    private func filled(at time: ArrivalTime) -> SequenceTracker? {
        let start = time.nanoseconds &- Self.longestWait
        guard reordered > 0, lastArrival >= start, gaps.lastLost == 0 || gaps.lastEnd < start, let numberSeconds else {
            return nil
        }
        var numbers = sequence
        let count = Double(Self.longestWait) * 1e-9 / numberSeconds
        numbers.fillLatest(Int(min(count, Double(SequenceTracker.window))))
        return numbers
    }

    /// ``RTPStreamFigures/lastLossGap``, without the rest.
    public var lastLossGap: LossGap? {
        if isCaughtUp == true {
            return LossGap(
                start: ArrivalTime(nanoseconds: gaps.openStart), end: ArrivalTime(nanoseconds: gaps.openArrival),
                lostPackets: 0)
        }
        guard gaps.lastLost > 0 || gaps.lastLost == 0 && gaps.lastStart < gaps.lastEnd else { return nil }
        return LossGap(
            start: ArrivalTime(nanoseconds: gaps.lastStart), end: ArrivalTime(nanoseconds: gaps.lastEnd),
            lostPackets: Int(gaps.lastLost))
    }

    /// Whether several packets make up one instant, as in video: more than one in ten has the timestamp of the one before.
    var sharesTimestamps: Bool {
        UInt64(sharedTimestamps) * 10 > sequence.unique
    }

    /// Seconds from one number to the next: the packet time, or, where packets share timestamps, the mean.
    var numberSeconds: Double? {
        guard sharesTimestamps else { return packetSeconds }
        let numbers = closedExpected &+ sequence.expected
        let seconds = Double(lastArrival &- firstArrival) * 1e-9
        return numbers > 1 && seconds > 0 ? seconds / Double(numbers - 1) : nil
    }
}
