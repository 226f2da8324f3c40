extension RTPStreamMeter {
    /// Takes a packet that is not simply the next one.
    @inline(never)
    mutating func takeWithCare(_ packet: MeteredPacket, arrivalStep: Int64) -> Verdict {
        guard sequence.unique > 0 else {
            firstArrival = packet.arrival
            needsCare = false
            beginSegment(with: packet)
            return .inOrder
        }
        if candidate.isWaiting, let verdict = settleCandidate(before: packet) {
            return verdict
        }
        let step = sequence.step(to: packet.sequenceNumber)
        guard !hasBegunAgain(packet, step: step, arrivalStep: arrivalStep) else {
            return takeJump(packet, step: step, arrivalStep: arrivalStep)
        }
        switch step {
        case 0:
            return takeDuplicate(packet, back: 0)
        case 1:
            sequence.advance(settling: &ledger)
            measureApart(packet, back: 0)
            return .inOrder
        case 2..<SequenceTracker.maximumDropout:
            return takeAfterGap(packet, step: step, arrivalStep: arrivalStep)
        case (0 &- SequenceTracker.maximumMisorder &+ 1)...:
            return takeLate(packet, back: Int(0 &- step))
        default:
            if isMissing(packet, back: 0 &- step) { return takeLate(packet, back: Int(0 &- step)) }
            return takeJump(packet, step: step, arrivalStep: arrivalStep)
        }
    }

    mutating func beginSegment(with packet: MeteredPacket) {
        gaps.settle(isStall: isCaughtUp)
        closedExpected &+= sequence.expected
        if sequence.unique > 0 {
            sequence.settleAll(in: &ledger)
        }
        sequence.begin(at: packet.sequenceNumber)
        segments &+= 1
        hasReference = false
        measureApart(packet, back: 0)
    }

    private mutating func takeDuplicate(_ packet: MeteredPacket, back: Int) -> Verdict {
        sequence.duplicates &+= 1
        if back < 8 || late.contains(packet.sequenceNumber), recent.isClose(packet) {
            closeDuplicates &+= 1
        }
        // The first packet of a stream is sometimes sent twice, the second time on the beat of those that follow.
        if sequence.unique == 1 {
            referenceArrival = packet.arrival
            referenceTimestamp = packet.timestamp
            transit.begin(at: packet.arrival)
        }
        return .duplicate
    }

    private mutating func takeLate(_ packet: MeteredPacket, back: Int) -> Verdict {
        guard sequence.fill(back: back) else {
            return takeDuplicate(packet, back: back)
        }
        reordered &+= 1
        late.note(packet.sequenceNumber)
        measureApart(packet, back: back)
        return .late
    }

    private mutating func takeAfterGap(_ packet: MeteredPacket, step: UInt16, arrivalStep: Int64) -> Verdict {
        guard !takeForgiven(packet, missing: step &- 1, arrivalStep: arrivalStep, goesOn: true) else { return .restart }
        guard !isRenumbered(packet, lost: step &- 1, arrivalStep: arrivalStep) else {
            beginSegment(with: packet)
            noteRenumbering(before: packet, lost: step &- 1, arrivalStep: arrivalStep)
            return .restart
        }
        guard !leavesNoRoom(packet, lost: step &- 1, arrivalStep: arrivalStep) else {
            beginSegment(with: packet)
            gaps.forgivenPackets &+= UInt32(step &- 1)
            return .restart
        }
        noteLossGap(before: packet, lost: step &- 1, arrivalStep: arrivalStep)
        sequence.advance(by: step, settling: &ledger)
        measureApart(packet, back: 0)
        return .inOrder
    }

    /// Whether numbers are missing for which there was no time: the timestamps go on as from one packet to the next, and so do
    /// the packets. What is lost takes its time with it, for the timestamp tells when the sound of a packet began
    /// ([RFC 3550 §5.1](https://www.rfc-editor.org/rfc/rfc3550#section-5.1)): the sender numbers on elsewhere. Not so of
    /// pictures, which have as many packets as they need.
    private func leavesNoRoom(_ packet: MeteredPacket, lost: UInt16, arrivalStep: Int64) -> Bool {
        guard lost >= GapLedger.leastUntimed, packet.kind == .media, hertz != 0, hertz != RTPClock.pictures else {
            return false
        }
        let media = Double(Int32(bitPattern: packet.timestamp &- lastTimestamp)) * secondsPerTick
        return media > 0 && max(media, Double(arrivalStep) * 1e-9) <= GapLedger.longestPacket
    }

    /// A number so far off that it may be a stray: it waits for the next packet to confirm it.
    private mutating func takeJump(_ packet: MeteredPacket, step: UInt16, arrivalStep: Int64) -> Verdict {
        let goesOn = isLongOutage(before: packet, step: step, arrivalStep: arrivalStep)
        guard !takeForgiven(packet, missing: step &- 1, arrivalStep: arrivalStep, goesOn: goesOn) else {
            return .restart
        }
        candidate = JumpCandidate(packet, back: 0 &- step)
        if goesOn {
            candidate.isAfterOutage = true
            gaps.settle(isStall: isCaughtUp)
            gaps.announcement = .none
            gaps.openArrival = lastArrival
        }
        needsCare = true
        sequence.rejected &+= 1
        return .rejected
    }

    /// Decides about the jump before `packet`; nil when `packet` itself is still to be taken.
    private mutating func settleCandidate(before packet: MeteredPacket) -> Verdict? {
        let jump = candidate
        let number = UInt16(truncatingIfNeeded: sequence.highest) &- jump.back
        if packet.sequenceNumber == number {
            candidate.copies &+= 1
            sequence.rejected &+= 1
            return .rejected
        }
        candidate.isWaiting = false
        needsCare = false
        let waiting = jump.packet(arrival: lastArrival, timestamp: lastTimestamp, number: number)
        let isNext = packet.sequenceNumber == number &+ 1
        let isCopy = isKnown(waiting, back: jump.back) && !(isNext && isPaced(packet, after: waiting))
        guard isCopy || isNext || jump.back < SequenceTracker.maximumStray else { return nil }

        sequence.rejected &-= 1 &+ UInt32(jump.copies)
        sequence.duplicates &+= UInt32(jump.copies)
        guard isNext, !isCopy else {
            // Later than the RFC allows, yet the window still knows whether it is new.
            _ = takeLate(waiting, back: Int(jump.back))
            return nil
        }
        beginSegment(with: waiting)
        if jump.isAfterOutage { noteLongOutage(until: lastArrival, missing: 0 &- jump.back &- 1) }
        sequence.advance(settling: &ledger)
        measureApart(packet, back: 0)
        return .restart
    }

    /// Whether a packet from so far behind that it may begin another segment is one of this one that has not arrived: it was
    /// sent again, or another path held it back. No other packet has to confirm that.
    private func isMissing(_ packet: MeteredPacket, back: UInt16) -> Bool {
        back < SequenceTracker.window && sequence.isMissing(back: Int(back)) && isOnTimeline(packet)
    }

    /// Whether such a packet is one of this segment at all, arrived or not.
    private func isKnown(_ packet: MeteredPacket, back: UInt16) -> Bool {
        back < SequenceTracker.window && UInt64(back) < sequence.expected && isOnTimeline(packet)
    }

    /// Whether a packet came after another one when it was due, and not at once: a sender that begins anew where it once
    /// began, as one that plays a recording over and over, keeps its pace, and copies come in a group or between others.
    private func isPaced(_ packet: MeteredPacket, after other: MeteredPacket) -> Bool {
        let media = Double(Int32(bitPattern: packet.timestamp &- other.timestamp)) * secondsPerTick
        return media > 0 && Double(packet.arrival &- other.arrival) * 1e-9 * 2 >= media
    }

    /// Whether the timestamp of a packet from far behind is as old as its number: a sender that begins anew takes another one
    /// at random ([RFC 3550, section 5.1](https://www.rfc-editor.org/rfc/rfc3550#section-5.1)). False without a clock.
    ///
    /// It is older than that of the latest packet, by no more than the stream lasts; and where each packet has one of its own,
    /// by at least half of what so many last, for silences only add to that.
    private func isOnTimeline(_ packet: MeteredPacket) -> Bool {
        guard hasReference, hertz != 0 else { return false }
        var numbers = Int(Int16(bitPattern: referenceSequence &- packet.sequenceNumber))
        var ticks = Int(Int32(bitPattern: referenceTimestamp &- packet.timestamp))
        // One of a group is ahead of the one before, which came late, too.
        if numbers < 0 { (numbers, ticks) = (-numbers, -ticks) }
        let passed = Double(packet.arrival &- firstArrival) * 1e-9
        guard ticks >= 0, Double(ticks) * secondsPerTick <= passed + Self.timelineTolerance else { return false }
        return sharesTimestamps || !packetTime.isKnown || 2 * ticks >= numbers * Int(packetTime.ticks)
    }

    /// The first packet may have come late, by so many seconds.
    private static let timelineTolerance = 1.0
}

/// A packet whose number jumped, and that waits for the next one to confirm it.
///
/// It is the last packet that arrived, so the meter knows its arrival and timestamp already.
struct JumpCandidate: Sendable {
    var isWaiting = false
    /// How far behind the highest number it is, modulo 65,536.
    var back: UInt16 = 0
    /// How many times it came again while it waited.
    var copies: UInt16 = 0
    private var payloadBytes: UInt16 = 0
    private var payloadType: UInt8 = 0
    private var hasMarker = false
    /// Whether the path was down before it, since ``GapLedger/openArrival``; else the sender began anew.
    var isAfterOutage = false
    private var kind = PacketKind.media

    init() {}

    init(_ packet: MeteredPacket, back: UInt16) {
        self.back = back
        payloadBytes = packet.payloadBytes
        payloadType = packet.payloadType
        hasMarker = packet.hasMarker
        kind = packet.kind
        isWaiting = true
    }

    /// The packet again.
    func packet(arrival: Int64, timestamp: UInt32, number: UInt16) -> MeteredPacket {
        MeteredPacket(
            arrival: arrival, timestamp: timestamp, sequenceNumber: number, payloadBytes: payloadBytes,
            payloadType: payloadType, hasMarker: hasMarker, kind: kind)
    }
}
