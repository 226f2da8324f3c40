import CallModel
import RTPMeter

// MARK: - How well the capture did

extension WireProbe {
    /// The faults of the capture while a call went on, at the end that receives these streams.
    func sensor(of call: WireCall, holes: [TimeSpan], _ streams: [WireStream]) -> SensorHealth {
        let twice = streams.reduce(0.0) { $0 + ($1[.packetsRecordedTwice] ?? 0) }
        var sensor = SensorHealth(
            holes: holes, packetsRecordedTwice: Int(twice),
            packetsCutShort: call.packetsCutShort + cutMessages(of: call),
            unseenMedia: unseenMedia(of: call))
        if let statistics {
            let before = isOfWholeFile ? nil : call.statisticsAtStart
            sensor.packetsDroppedByKernel = statistics.droppedByKernel - (before?.droppedByKernel ?? 0)
            sensor.packetsDroppedByInterface = statistics.droppedByInterface - (before?.droppedByInterface ?? 0)
        }
        return sensor
    }

    /// SIP messages that were cut between the hosts of a call since it began.
    private func cutMessages(of call: WireCall) -> Int {
        guard !cutMessages.isEmpty, let pair = call.pair ?? call.signallingWay.map(AddressPair.init) else { return 0 }
        return max(0, (cutMessages[pair] ?? 0) - call.cutMessagesAtStart)
    }

    /// What of a call's media the capture cannot have.
    private func unseenMedia(of call: WireCall) -> UnseenMedia? {
        // Of a path of several parts as a closure the compiler makes an object that is interpreted, for every snapshot.
        guard let silent = call.ends.firstIndex(where: { $0.streams.isEmpty }) else { return nil }
        if counted.streams == 0 { return .all }
        if let unseen = unseenReception(in: call) { return unseen }
        if call.ends[silent].isServedElsewhere { return .otherLeg }
        let sender = call.ref.flatMap { dialogs.unseenEnd(of: $0) }
        if let sender, call.ends[sender.other.index].streams.isEmpty { return .oneDirection }
        let receivesUnseen = call.ends[1 - silent].streams.contains { control[$0]?.unseenSources.areReceived == true }
        if receivesUnseen { return .oneDirection }
        return call.hasStreams || couldSeeMedia(of: call) ? nil : .all
    }

    /// What RTCP tells of a call whose media the capture has none of: at which ends packets come in.
    private func unseenReception(in call: WireCall) -> UnseenMedia? {
        guard !call.hasStreams, let ends = call.ref.flatMap({ signalled[$0] }).flatMap({ unseenSources[$0] }) else {
            return nil
        }
        let count = ends.count(where: \.areReceived)
        return count == 0 ? nil : count == ends.count ? .all : .oneDirection
    }

    // MARK: Holes

    /// When the capture itself had holes while a call went on.
    func holes(of call: WireCall, at time: ArrivalTime) -> [TimeSpan] {
        holeSpans.filter { ($0.end ?? $0.start) >= call.startedAt.timestamp && $0.start <= time.timestamp }
    }

    /// The capture had nothing for a while although it should have: what is missing is its fault.
    mutating func noteHole(from start: ArrivalTime, to end: ArrivalTime) {
        guard suspectedHole == nil, hostPairs.count >= Self.leastHostPairs else { return }
        suspectedHole = TimeSpan(start: start.timestamp, end: end.timestamp)
        suspectedStreams = liveStreams.map { place in
            let meter = streams[place].meter
            let isFlowing = meter.latestArrival.map { start.seconds(since: $0) < 1 } ?? false
            return SuspectedStream(
                place: place, isFlowing: isFlowing, missedBefore: meter.missedPackets, arrival: meter.latestArrival,
                timestamp: meter.latestTimestamp)
        }
        for stream in suspectedStreams { streams[stream.place].meter.forgiveGap(openSince: start) }
    }

    /// A stream that there was before a silence of the whole capture.
    struct SuspectedStream {
        let place: Int
        /// Whether it flowed until then.
        let isFlowing: Bool
        /// Packets of it that the capture had missed before.
        let missedBefore: Int
        /// When its last packet came before, and the timestamp of that.
        let arrival: ArrivalTime?
        let timestamp: UInt32
    }

    /// A silence in which nothing got lost was none of the capture's: most streams must have gone on, and most of those have
    /// jumped.
    mutating func judgeHole() {
        guard let hole = suspectedHole else { return }
        defer { (suspectedHole, suspectedStreams) = (nil, []) }
        let resumed = suspectedStreams.filter {
            streams[$0.place].meter.latestArrival.map { $0.timestamp >= hole.end ?? hole.start } ?? false
        }
        let jumped = resumed.count { !streams[$0.place].meter.awaitsForgivenGap }
        guard 2 * jumped >= max(1, resumed.count), 2 * resumed.count >= suspectedStreams.count(where: \.isFlowing)
        else {
            for stream in suspectedStreams {
                streams[stream.place].meter.takeBackGap(missedBefore: stream.missedBefore)
            }
            if 2 * jumped < resumed.count, isClockStep(hole, of: resumed) { counted.clockSteps += 1 }
            return
        }
        holeSpans.append(hole)
        counted.holes += 1
        if holeSpans.count > 1_000 { holeSpans.removeFirst() }
    }

    /// Whether the clock of the capture was set forward: most streams, between several hosts and both ways, went on over the
    /// silence as if no time had passed. Who pauses lets his clock run on
    /// ([RFC 3550 §5.1](https://www.rfc-editor.org/rfc/rfc3550#section-5.1)), and not all stop theirs at once.
    private func isClockStep(_ silence: TimeSpan, of resumed: [SuspectedStream]) -> Bool {
        let seconds = silence.milliseconds.map { Double($0) / 1000 } ?? 0
        guard seconds >= Self.leastStepSeconds, resumed.count >= 2 * Self.leastHostPairs else { return false }
        let still = resumed.count { stream in
            let meter = streams[stream.place].meter
            guard let clock = meter.clock, let before = stream.arrival, let last = meter.latestArrival else {
                return false
            }
            let passed = last.seconds(since: before) - seconds
            let media = Double(Int32(bitPattern: meter.latestTimestamp &- stream.timestamp)) / Double(clock.hertz)
            return abs(media - passed) < seconds / 4
        }
        return 4 * still >= 3 * resumed.count
    }

    /// Shorter steps of the clock are like jitter.
    private static let leastStepSeconds = 1.0

    /// Calls of one pair of hosts stall together for reasons of their own.
    private static let leastHostPairs = 3

    private var liveStreams: [Int] { calls.places.flatMap { calls[$0]?.ends.flatMap(\.streams) ?? [] } }

    private var hostPairs: Set<AddressPair> { Set(liveStreams.map { AddressPair(streams[$0].identity.flow) }) }
}
