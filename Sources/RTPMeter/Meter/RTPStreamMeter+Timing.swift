extension RTPStreamMeter {
    /// Measures a packet with a new number, `back` behind the highest one.
    @inline(__always)
    mutating func measure(_ packet: MeteredPacket, back: Int) {
        payloadBytes &+= UInt64(packet.payloadBytes)
        markers &+= packet.hasMarker ? 1 : 0
        recent.note(packet)
        if packet.kind == .media, packet.payloadType == mainPayloadType {
            mainVotes = mainVotes < 64 ? mainVotes &+ 1 : mainVotes
        } else if !measuresTime(packet) {
            noteApart(packet)
            return
        }
        measureTime(packet, back: back)
    }

    /// The same, away from the hot path, whose code stays small.
    @inline(never)
    mutating func measureApart(_ packet: MeteredPacket, back: Int) {
        measure(packet, back: back)
    }

    /// What does not measure time: timing starts afresh after it, except after padding, which repeats the timestamp of the
    /// packet before at a time of its own. That one remains what the next is measured against.
    @inline(never)
    private mutating func noteApart(_ packet: MeteredPacket) {
        guard repeatsInstant(packet) else {
            precededBy = packet.kind == .comfortNoise ? .noise : .other
            return
        }
        guard packet.sequenceNumber &- referenceSequence == 1 else { return }
        referenceSequence = packet.sequenceNumber
        sharedTimestamps &+= 1
    }

    private func repeatsInstant(_ packet: MeteredPacket) -> Bool {
        packet.kind == .padding && hasReference && packet.payloadType == mainPayloadType
            && packet.timestamp == referenceTimestamp
    }

    /// Counts a packet that is not media of the stream's payload type. Whether it measures time all the same.
    @inline(never)
    private mutating func measuresTime(_ packet: MeteredPacket) -> Bool {
        switch packet.kind {
        case .media:
            guard mainVotes == 0 else {
                mainVotes &-= 1
                return false
            }
            adopt(packet.payloadType)
            return true
        case .padding:
            others.padding &+= 1
            if mainVotes == 0 {
                adopt(packet.payloadType)
            }
            return packet.payloadType == mainPayloadType && !repeatsInstant(packet)
        case .comfortNoise:
            others.comfortNoise &+= 1
            noteComfortNoise(packet)
            return false
        case .telephoneEvent:
            // Events have a payload type of their own (RFC 4733 §2.1): what has that of the media only looks like one.
            guard packet.payloadType != mainPayloadType else { return true }
            others.noteEvent(packet)
            return false
        }
    }

    /// The stream has become one of another payload type, and perhaps of another clock: that of RFC 3551, if it has one for
    /// the type. A clock that is known before the first packet that measures time is that of the stream.
    private mutating func adopt(_ payloadType: UInt8) {
        let isFirst = mainPayloadType == 0xff
        mainPayloadType = payloadType
        mainVotes = 1
        hasReference = false
        let table = StaticPayloadType.clock(of: payloadType)
        let isAnother = !isFirst && table.map { $0.hertz != hertz } ?? false
        if hertz == 0 || clockSource == .static || isAnother { goOn(with: table) }
    }

    /// Goes on at once with a payload type that has a clock of its own, as signalling or the pace of its packets tells: the
    /// sender has changed its codec within the stream ([RFC 7160](https://www.rfc-editor.org/rfc/rfc7160)). Timing starts
    /// afresh, and what was measured so far remains.
    /// - Parameters:
    ///   - payloadType: The payload type.
    ///   - clock: Its clock; nil while not known.
    public mutating func change(toPayloadType payloadType: UInt8, clock: RTPClock?) {
        mainPayloadType = payloadType
        mainVotes = 1
        hasReference = false
        goOn(with: clock)
    }

    @inline(__always)
    private mutating func measureTime(_ packet: MeteredPacket, back: Int) {
        let mediaStep = Int32(bitPattern: packet.timestamp &- referenceTimestamp)
        let arrivalStep = Double(packet.arrival &- referenceArrival) * 1e-9
        let follows = packet.sequenceNumber &- referenceSequence == 1
        let predecessor = precededBy
        referenceArrival = packet.arrival
        referenceTimestamp = packet.timestamp
        referenceSequence = packet.sequenceNumber
        precededBy = .media
        guard hasReference else { return beginTiming(at: packet) }

        if mediaStep > 0 {
            if predecessor != .media || !follows {
                noteSilence(mediaStep, after: predecessor)
            } else if !packetTime.confirm(UInt32(bitPattern: mediaStep)) {
                noteUnusualStep(UInt32(bitPattern: mediaStep), to: packet.sequenceNumber)
            }
        } else if mediaStep == 0, follows {
            sharedTimestamps &+= 1
        }
        // After more than a second the sender had paused, or the path was down: neither is jitter.
        let isRegular =
            mediaStep > 0 && arrivalStep <= 1 && predecessor == .media && !beginsTalkspurt(packet)
        guard hertz != 0 else {
            if isRegular {
                deltas.note(seconds: arrivalStep)
            }
            return
        }
        let transitStep = arrivalStep - Double(mediaStep) * secondsPerTick
        if isRegular, UInt32(bitPattern: mediaStep) <= hertz &* 2 {
            jitter.update(transitStep: transitStep)
            deltas.note(seconds: arrivalStep)
            if abs(transitStep) >= 0.050 {
                transitSteps.note(seconds: abs(transitStep))
            }
        }
        measureDelay(packet, transitStep: transitStep, isNewInstant: mediaStep != 0, back: back)
    }

    /// Whether the packet says that sound begins. Where many packets carry the marker, it says nothing of the kind.
    @inline(__always)
    func beginsTalkspurt(_ packet: MeteredPacket) -> Bool { packet.hasMarker && !marksPictures }

    @inline(__always)
    private mutating func measureDelay(_ packet: MeteredPacket, transitStep: Double, isNewInstant: Bool, back: Int) {
        guard isNewInstant else {
            // The later packets of a video frame tell how the sender paced it, not how the network delayed it.
            transit.shift(by: transitStep)
            return
        }
        if abs(transitStep) > 0.02 {
            guard !isOvertakenFirst(back: back) else { return skipDelay(transitStep: transitStep) }
            let isFar = isFarBehind(packet, transitStep: transitStep, back: back)
            if !isFar, isNewTimeline(packet, transitStep: transitStep) { return beginTiming(at: packet) }
        }
        if transit.isIntervalOver(at: packet.arrival) {
            endInterval(at: packet.arrival)
        }
        let delay = transit.delay(step: transitStep)
        guard back == 0 else { return noteOvertaken(delay: delay, back: back) }
        delays.note(seconds: delay)
        if !buffers.take(delay: delay) {
            sequence.discard(back: 0)
        }
    }

    @inline(never)
    private mutating func noteOvertaken(delay: Float, back: Int) {
        delays.note(seconds: delay)
        if !buffers.takeOvertaken(delay: delay, length: Float(packetSeconds ?? 0)) {
            sequence.discard(back: back)
        }
    }

    /// A longer change of the transit time from one packet to the next is another line of time, in seconds.
    private static let longestStep = 3.0

    /// Whether the timestamps begin a new line of time, for which a receiver sets its buffer up afresh: they jumped by more
    /// than 3 s, by more than 0.5 s at the start of a talkspurt, or after more than a second without a packet.
    @inline(never)
    private func isNewTimeline(_ packet: MeteredPacket, transitStep: Double) -> Bool {
        abs(transitStep) > Self.longestStep || abs(transitStep) > 0.5 && beginsTalkspurt(packet)
            || packet.arrival &- lastArrival > Self.second
    }

    /// Whether a packet that others have overtaken is later than any line of time bears out, or the next one is back on the
    /// line: a receiver does not set its buffer up afresh for either.
    @inline(never)
    private mutating func isFarBehind(_ packet: MeteredPacket, transitStep: Double, back: Int) -> Bool {
        guard abs(transitStep) > Self.longestStep, packet.arrival &- lastArrival <= Self.second else { return false }
        let wasFarBehind = followsFarBehind
        followsFarBehind = back > 0 && transitStep > 0
        return followsFarBehind || wasFarBehind && transitStep < 0
    }

    /// Whether a packet `back` behind the highest number is now the first of its segment, which began with a later one: its
    /// delay is measured against the packets that overtook it, and so tells nothing of the path.
    private func isOvertakenFirst(back: Int) -> Bool {
        back > 0 && UInt64(back) &+ 1 == sequence.expected
    }

    /// Takes an overtaken first packet as one in time.
    @inline(never)
    private mutating func skipDelay(transitStep: Double) {
        transit.shift(by: transitStep)
        noteNoDelay()
    }

    @inline(never)
    private mutating func beginTiming(at packet: MeteredPacket) {
        hasReference = true
        transit.begin(at: packet.arrival)
        drift = DriftEstimator()
        guard hertz != 0 else { return }
        noteNoDelay()
    }

    private mutating func noteNoDelay() {
        delays.note(seconds: 0)
        _ = buffers.take(delay: 0)
    }

    @inline(never)
    private mutating func endInterval(at arrival: Int64) {
        let smallest = transit.endInterval(at: arrival)
        buffers.endInterval()
        if gaps.openSeconds > 0 { settleStandstill() }
        if smallest.isFinite {
            drift.note(at: Double(arrival &- firstArrival) * 1e-9, transit: smallest)
        }
    }
}
