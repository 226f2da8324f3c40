/// Gaps that say nothing of the network: those that signalling announced, and those of the capture itself.
extension RTPStreamMeter {
    /// Does not count the next gap as loss, if it lasts more than a second: the call is put on hold, goes on as a fax, or its
    /// packets go elsewhere.
    ///
    /// Where numbers are missing, the packet after the gap begins a new segment; and the gap is a pause. No pair of packets is
    /// measured across it. Shorter gaps before it are losses as ever, and so are a few numbers beside one in which the sender had
    /// stopped.
    public mutating func forgiveNextGap() {
        gaps.announcement = .open
    }

    /// Takes ``forgiveNextGap()`` back: what comes now is a loss as ever.
    public mutating func endForgiving() {
        gaps.announcement = .none
    }

    /// The same for a stream that flows at `time`.
    public mutating func endForgiving(at time: ArrivalTime) {
        if let gap = openGap(at: time), gap <= 1 { endForgiving() }
    }

    /// Says of a stream of which ``forgiveNextGap()`` was said that its sender has sent all the time, and that its packets are
    /// due again from `time` on: what is missing for more than a second since then is lost.
    public mutating func forgiveGap(until time: ArrivalTime) {
        guard gaps.announcement != .none else { return }
        gaps.settle(isStall: isCaughtUp)
        (gaps.announcement, gaps.openArrival) = (.over, time.nanoseconds)
    }

    /// Takes a packet after a gap, if that is forgiven, which happens once. In a gap that was announced nothing was sent,
    /// whether or not the capture went on.
    /// - Parameters:
    ///   - packet: The packet.
    ///   - missing: The numbers before it that are missing.
    ///   - arrivalStep: For how long nothing came, in nanoseconds.
    ///   - goesOn: Whether the sender numbered on in the gap.
    /// - Returns: Whether the gap is forgiven.
    mutating func takeForgiven(_ packet: MeteredPacket, missing: UInt16, arrivalStep: Int64, goesOn: Bool) -> Bool {
        let (start, isAnnounced) = (lastArrival, gaps.isAnnounced(since: lastArrival, arrivalStep))
        guard isAnnounced || start <= gaps.holeStart else { return false }
        let lost = isAnnounced && goesOn ? numbersDue(before: packet, missing: missing) : 0
        let beside = isAnnounced && lost == 0 ? numbersBeside(missing: missing, arrivalStep: arrivalStep) : 0
        let end = lost > 0 ? gaps.openArrival : packet.arrival
        gaps.announcement = .none
        gaps.holeStart = .min
        if missing < SequenceTracker.maximumDropout {
            gaps.forgivenPackets &+= UInt32(missing) &- lost &- beside
            if !isAnnounced { gaps.missedPackets &+= UInt32(missing) }
        }
        if goesOn { gaps.continuations &+= 1 }
        beginSegment(with: packet)
        if isAnnounced { gaps.pauseSeconds += Float(Double(end &- start) * 1e-9) }
        if isAnnounced, lost == 0 { gaps.openArrival = packet.arrival }
        if lost > 0 {
            lose(lost)
            noteOutage(seconds: Double(packet.arrival &- end) * 1e-9, lost: lost, from: end, to: packet.arrival)
        } else if beside > 0 {
            lose(beside)
        }
        return true
    }

    /// How many numbers are missing since the end of a gap that was announced, where they account for more than a second since
    /// then, and for all of it; else 0.
    private func numbersDue(before packet: MeteredPacket, missing: UInt16) -> UInt32 {
        guard gaps.announcement == .over, let numberSeconds else { return 0 }
        let seconds = Double(packet.arrival &- gaps.openArrival) * 1e-9
        let numbers = (seconds / numberSeconds).rounded(.down)
        return seconds > 1 && numbers <= Double(missing) ? UInt32(numbers) : 0
    }

    /// How many numbers are missing that were sent right before a gap that was announced, or right after it: all, where they are
    /// few and the sender had else stopped for more than a second; else 0.
    private func numbersBeside(missing: UInt16, arrivalStep: Int64) -> UInt32 {
        guard missing <= GapLedger.leastJump, let packetSeconds else { return 0 }
        let stopped = Double(arrivalStep) * 1e-9 - Double(missing + 1) * packetSeconds
        return stopped > 1 ? UInt32(missing) : 0
    }

    private mutating func lose(_ packets: UInt32) {
        closedExpected &+= UInt64(packets)
        ledger.lose(packets)
    }

    /// When packets came again after the gap that ``forgiveNextGap()`` announced; nil before, and where a later gap has taken
    /// its place.
    public var announcedGapEnd: ArrivalTime? {
        gaps.announcement == .none && gaps.openSeconds == 0 ? ArrivalTime(nanoseconds: gaps.openArrival) : nil
    }

    /// Numbers missing in gaps that were forgiven.
    public var forgivenPackets: Int { Int(gaps.forgivenPackets) }

    /// Whether no gap was seen yet over the moment that ``forgiveGap(openSince:)`` named last.
    public var awaitsForgivenGap: Bool { gaps.holeStart != .min }

    /// Numbers missing in gaps that ``forgiveGap(openSince:)`` was told of.
    public var missedPackets: Int { Int(gaps.missedPackets) }

    /// Takes back what ``forgiveGap(openSince:)`` said last, before which there were so many ``missedPackets``: the capture did
    /// not stop then. Numbers that were left out over it since are the sender's.
    public mutating func takeBackGap(missedBefore: Int) {
        gaps.holeStart = .min
        gaps.missedPackets = UInt32(clamping: missedBefore)
    }

    /// Does not count what is missing between packets before and after `start` as loss: the capture had nothing then.
    public mutating func forgiveGap(openSince start: ArrivalTime) {
        gaps.holeStart = start.nanoseconds
    }
}

extension GapLedger {
    /// What signalling has said of the next gap.
    enum Announcement: UInt8 {
        case none
        /// Nothing is sent.
        case open
        /// Nothing was sent until ``openArrival``; since then packets are due.
        case over
    }

    /// Whether a gap that began at `start` and was so many nanoseconds long was announced.
    func isAnnounced(since start: Int64, _ nanoseconds: Int64) -> Bool {
        announcement != .none && nanoseconds > RTPStreamMeter.second
            && (announcement == .open || start <= openArrival)
    }
}
