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
        duplicates &+= 1
        if back < 8, recent.isClose(packet) {
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
        noteLossGap(before: packet, lost: step &- 1, arrivalStep: arrivalStep)
        sequence.advance(by: step, settling: &ledger)
        measureApart(packet, back: 0)
        return .inOrder
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
        rejected &+= 1
        return .rejected
    }

    /// Decides about the jump before `packet`; nil when `packet` itself is still to be taken.
    private mutating func settleCandidate(before packet: MeteredPacket) -> Verdict? {
        let jump = candidate
        let number = UInt16(truncatingIfNeeded: sequence.highest) &- jump.back
        if packet.sequenceNumber == number {
            candidate.copies &+= 1
            rejected &+= 1
            return .rejected
        }
        candidate.isWaiting = false
        needsCare = false
        let isConfirmed = packet.sequenceNumber == number &+ 1
        guard isConfirmed || jump.back < SequenceTracker.window else { return nil }

        let waiting = jump.packet(arrival: lastArrival, timestamp: lastTimestamp, number: number)
        rejected &-= 1 &+ UInt32(jump.copies)
        duplicates &+= UInt32(jump.copies)
        guard isConfirmed else {
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
