extension RTPStreamMeter {
    /// A step between consecutive numbers that is not the usual one: another packet time, or silence.
    @inline(never)
    mutating func noteUnusualStep(_ step: UInt32, to number: UInt16) {
        noteLongStep(step, to: number, isUpdate: false)
        addSilence(step)
        packetTime.vote(step)
    }

    /// The first packet after comfort noise ends a silence. After anything else, the step says nothing about it.
    @inline(never)
    mutating func noteSilence(_ step: Int32, after predecessor: Predecessor) {
        if predecessor == .noise {
            addSilence(UInt32(bitPattern: step))
        }
    }

    /// Comfort noise after comfort noise is an update of it ([RFC 3389](https://www.rfc-editor.org/rfc/rfc3389)).
    mutating func noteComfortNoise(_ packet: MeteredPacket) {
        noteLongStep(packet.timestamp &- lastTimestamp, to: packet.sequenceNumber, isUpdate: true)
    }

    private mutating func noteLongStep(_ step: UInt32, to number: UInt16, isUpdate: Bool) {
        guard step > packetTime.ticks, Double(step) * secondsPerTick <= GapLedger.longestSpacing else { return }
        longSteps.note(step, to: number, isUpdate: isUpdate)
    }

    /// A step of more than one and a half packets, up to a minute, is a pause in speaking.
    private mutating func addSilence(_ step: UInt32) {
        let usual = UInt64(packetTime.ticks)
        guard packetTime.isKnown, UInt64(step) * 2 > usual * 3, UInt64(step) < UInt64(hertz) * 60 else { return }
        silenceTicks &+= UInt64(step) - usual
        talkspurts &+= 1
        if Double(step) * secondsPerTick >= GapLedger.leastSilence, silences < .max { silences += 1 }
    }

    /// Whether the sender has been seen to send nothing between words, more than once, and to number on all the same: what is
    /// missing then was sent ([RFC 3550, appendix A.3](https://www.rfc-editor.org/rfc/rfc3550#appendix-A.3)).
    private var isVoiceActivated: Bool { silences > 1 && hertz != RTPClock.pictures }

    /// More than a second without a packet. Without a missing number, the sender paused or the network stood still.
    @inline(never)
    mutating func notePause(before packet: MeteredPacket, step: Int64) {
        guard !needsCare, sequence.step(to: packet.sequenceNumber) == 1 else { return }
        guard !gaps.isAnnounced(since: lastArrival, step) else {
            return noteAnnouncedPause(seconds: Double(step) * 1e-9, until: packet.arrival)
        }
        noteStandstill(before: packet, seconds: Double(step) * 1e-9, arrivalStep: step)
    }

    /// What signalling said would not be sent says nothing of the network, whatever the sender's clock did meanwhile.
    private mutating func noteAnnouncedPause(seconds: Double, until end: Int64) {
        gaps.announcement = .none
        gaps.settle(isStall: isCaughtUp)
        gaps.openArrival = end
        gaps.pauseSeconds += Float(seconds)
        hasReference = false
    }

    /// The sender paused if its clock ran on or it says that sound begins. If not, it may have stopped its clock too, as an
    /// application does that takes the microphone off; or the network held the packets back, and they all come now.
    private mutating func noteStandstill(before packet: MeteredPacket, seconds: Double, arrivalStep: Int64) {
        let media = Double(Int32(bitPattern: packet.timestamp &- lastTimestamp)) * secondsPerTick
        gaps.settle(isStall: isCaughtUp)
        if gaps.announcement == .over { gaps.announcement = .none }
        if hertz == 0 || beginsTalkspurt(packet) || media * 2 >= Double(arrivalStep) * 1e-9 {
            gaps.pauseSeconds += Float(seconds)
            gaps.hasPaused = true
        } else {
            gaps.openStart = packet.arrival &- Int64((min(seconds, 9e9) * 1e9).rounded())
            gaps.openArrival = packet.arrival
            gaps.openTimestamp = packet.timestamp
            gaps.openExpected = UInt32(truncatingIfNeeded: sequence.expected)
        }
    }

    /// Whether the packets since an undecided standstill brought more sound than time, so that they had been held back;
    /// nil when there is none, or not enough came since.
    ///
    /// Both the timestamps and the numbers must have caught up: the timestamps alone jump when a sender that had stopped
    /// goes on after a packet of padding, the numbers alone run ahead when it pads.
    var isCaughtUp: Bool? {
        let seconds = gaps.openSeconds
        guard seconds > 0 else { return nil }
        let media = Double(Int32(bitPattern: lastTimestamp &- gaps.openTimestamp)) * secondsPerTick
        let numbers = Double(UInt32(truncatingIfNeeded: sequence.expected) &- gaps.openExpected) * (packetSeconds ?? 0)
        let passed = Double(lastArrival &- gaps.openArrival) * 1e-9
        if min(media, packetSeconds == nil ? media : numbers) - passed >= seconds / 2 { return true }
        return passed >= GapLedger.catchUp ? false : nil
    }

    /// Whether it is not known yet what a standstill of more than a second was, before the packets that came last: whether
    /// they had been held back.
    public var awaitsVerdict: Bool { gaps.openSeconds > 0 && isCaughtUp == nil }

    /// Books a standstill that is not decided yet, where no packet has come since in time to tell: the sender had paused.
    public mutating func settleStandstill(at time: ArrivalTime) {
        if awaitsVerdict, openGap(at: time) ?? 0 > GapLedger.catchUp { gaps.settle(isStall: false) }
    }

    /// Books a standstill that is decided: a silence that comes later must not decide it anew.
    @inline(never)
    mutating func settleStandstill() {
        if let isStall = isCaughtUp { gaps.settle(isStall: isStall) }
    }

    /// Whether numbers are missing that were never sent: the sender had stopped for so long that they do not explain the gap,
    /// and numbered on elsewhere. Few of them are lost packets.
    func isRenumbered(_ packet: MeteredPacket, lost: UInt16, arrivalStep: Int64) -> Bool {
        guard lost > GapLedger.leastJump, !isVoiceActivated, let packetSeconds else { return false }
        let gap = Double(arrivalStep) * 1e-9
        return gap - Double(UInt32(lost) + 1) * packetSeconds > 1
            && sparseSeconds(before: packet, lost: lost, gap: gap) == nil
    }

    /// Books the standstill before such a packet.
    mutating func noteRenumbering(before packet: MeteredPacket, lost: UInt16, arrivalStep: Int64) {
        gaps.forgivenPackets &+= UInt32(lost)
        noteStandstill(before: packet, seconds: Double(arrivalStep) * 1e-9, arrivalStep: arrivalStep)
        noteDoubt(before: packet, lost: lost)
    }

    /// Keeps a pause of pictures over which numbers are missing, until it is known whether the path was down.
    private mutating func noteDoubt(before packet: MeteredPacket, lost: UInt16) {
        guard hertz == RTPClock.pictures, gaps.openSeconds == 0 else { return }
        (gaps.lastStart, gaps.lastEnd, gaps.lastLost) = (lastArrival, packet.arrival, -Int32(lost))
    }

    /// The last gap of a stream of pictures, if numbers are missing over it and the sender was taken to have stopped all the
    /// same, for far fewer are than would have come: a sender that gets no answer sends less, too. Nil for any other gap.
    public var doubtfulPause: LossGap? {
        guard gaps.lastLost < 0 else { return nil }
        return LossGap(
            start: ArrivalTime(nanoseconds: gaps.lastStart), end: ArrivalTime(nanoseconds: gaps.lastEnd),
            lostPackets: Int(-gaps.lastLost))
    }

    /// Counts ``doubtfulPause`` as an outage, and its numbers as lost: something else tells that the path was down.
    public mutating func countDoubtfulPauseAsOutage() {
        guard let pause = doubtfulPause else { return }
        let lost = UInt32(pause.lostPackets)
        var paused = pause.seconds
        if lost > GapLedger.leastJump {
            gaps.forgivenPackets &-= lost
            gaps.continuations &+= 1
            closedExpected &+= UInt64(lost)
            ledger.lose(lost)
        } else {
            paused -= Double(lost) * (packetSeconds ?? 0)
        }
        gaps.pauseSeconds = max(0, gaps.pauseSeconds - Float(paused))
        noteOutage(seconds: pause.seconds, lost: lost, from: gaps.lastStart, to: gaps.lastEnd)
    }

    /// Books an outage over which numbers are missing that count as lost.
    mutating func noteOutage(seconds: Double, lost: UInt32, from start: Int64, to end: Int64) {
        gaps.lossSeconds += Float(seconds)
        gaps.lossPackets &+= lost
        if lossGaps < .max { lossGaps += 1 }
        (gaps.lastStart, gaps.lastEnd, gaps.lastLost) = (start, end, Int32(lost))
    }

    /// A run of missing numbers: how much sound or picture is missing with them, at most as much as time passed. A sender
    /// that numbers on elsewhere loses by the RFC what it left out; it leaves no gap.
    mutating func noteLossGap(before packet: MeteredPacket, lost: UInt16, arrivalStep: Int64) {
        let gap = Double(arrivalStep) * 1e-9
        var seconds = gap
        let media = hertz == 0 ? 0 : Double(Int32(bitPattern: packet.timestamp &- lastTimestamp)) * secondsPerTick
        if let packetSeconds {
            seconds = Double(lost) * packetSeconds
            if let sparse = sparseSeconds(before: packet, lost: lost, gap: gap) {
                seconds = sparse
            } else if gap - seconds - packetSeconds > 1 {
                // Far fewer are missing than would have come: the sender had stopped.
                noteStandstill(before: packet, seconds: gap - seconds, arrivalStep: arrivalStep)
                guard isVoiceActivated else { return noteDoubt(before: packet, lost: lost) }
                return noteLossBesideSilence(before: packet, lost: lost, seconds: seconds)
            }
        }
        seconds = min(seconds, gap, media > 0 ? media : gap)
        guard seconds >= GapLedger.dark else { return }
        noteOutage(seconds: seconds, lost: UInt32(lost), from: lastArrival, to: packet.arrival)
    }

    /// Books what was lost of a voice-activated sender's sound beside a silence of it. Where sound begins with the packet, the
    /// silence lies before it, and what is missing before that.
    private mutating func noteLossBesideSilence(before packet: MeteredPacket, lost: UInt16, seconds: Double) {
        guard seconds >= GapLedger.dark else { return }
        let length = Int64((seconds * 1e9).rounded())
        let start = beginsTalkspurt(packet) ? lastArrival : packet.arrival &- length
        noteOutage(seconds: seconds, lost: UInt32(lost), from: start, to: start &+ length)
    }

    /// Whether a jump of the numbers beyond what the RFC counts as loss is that of a sender that went on all the time: time,
    /// timestamp and numbers, which begin again after 65,536, agree on how long nothing came.
    func isLongOutage(before packet: MeteredPacket, step: UInt16, arrivalStep: Int64) -> Bool {
        let gap = Double(arrivalStep) * 1e-9
        guard hertz != 0, gap > 1, let numberSeconds else { return false }
        let media = Double(Int32(bitPattern: packet.timestamp &- lastTimestamp)) * secondsPerTick
        let due = gap / numberSeconds
        let off = abs((due - Double(step)).remainder(dividingBy: GapLedger.numbers))
        // Where they may have begun again, any number is near to some of those that were due.
        let most = due < GapLedger.nearlyAllNumbers ? 0.2 * due : Double(SequenceTracker.maximumDropout)
        return abs(media - gap) < 0.1 * gap && off < most
    }

    /// Whether such an outage lasted for so long that the step says nothing of itself: the numbers have begun again.
    func hasBegunAgain(_ packet: MeteredPacket, step: UInt16, arrivalStep: Int64) -> Bool {
        guard arrivalStep > Self.second, let numberSeconds else { return false }
        return Double(arrivalStep) * 1e-9 > GapLedger.nearlyAllNumbers * numberSeconds
            && isLongOutage(before: packet, step: step, arrivalStep: arrivalStep)
    }

    /// Books such a gap: its numbers are not counted as lost ([RFC 3550, appendix A.1](https://www.rfc-editor.org/rfc/rfc3550#appendix-A.1)),
    /// the time without sound or picture is.
    mutating func noteLongOutage(until end: Int64, missing: UInt16) {
        let seconds = Double(end &- gaps.openArrival) * 1e-9
        let turns = numberSeconds.map { ((seconds / $0 - Double(missing)) / GapLedger.numbers).rounded() } ?? 0
        let lost = Int32(clamping: Int(missing) + Int(turns * GapLedger.numbers))
        gaps.lossSeconds += Float(seconds)
        (gaps.lastStart, gaps.lastEnd, gaps.lastLost) = (gaps.openArrival, end, lost)
    }

    /// Between words a sender speaks up only now and then ([RFC 6716, section 2.1.9](https://www.rfc-editor.org/rfc/rfc6716#section-2.1.9):
    /// every 400 ms), and its packets may just have become longer. When more than a second of that is missing, the path was
    /// down all the time, though few numbers tell. A sender that has not been seen to do so had stopped: nil, as where more
    /// of the time is missing than that explains.
    private func sparseSeconds(before packet: MeteredPacket, lost: UInt16, gap: Double) -> Double? {
        let (media, steps) = (packet.timestamp &- lastTimestamp, UInt64(lost) + 1)
        let usual = UInt64(packetTime.ticks)
        guard gap > 1, UInt64(media) > steps * usual, UInt64(media) <= steps * (UInt64(longSteps.ticks) + usual) else {
            return nil
        }
        let seconds = Double(media) * secondsPerTick
        return min(gap, seconds) - seconds / Double(steps)
    }

    /// How long a packet lasts, in seconds; nil while that or the clock is not known.
    var packetSeconds: Double? {
        packetTime.isKnown && hertz != 0 ? Double(packetTime.ticks) * secondsPerTick : nil
    }
}

/// The steps from number to number by which a sender has been seen to go on that are longer than its usual packets.
///
/// The first packet after a pause has a long step, too, but the next one has not: only a second one in a row tells, of the
/// same length or between packets of comfort noise.
struct LongSteps: Sendable {
    /// The longest one seen, in ticks; 0 without.
    private(set) var ticks: UInt16 = 0
    private var latest: UInt16 = 0
    private var number: UInt16 = 0

    /// Notes a long step.
    mutating func note(_ step: UInt32, to number: UInt16, isUpdate: Bool) {
        let step = UInt16(clamping: step)
        if number == self.number &+ 1, isUpdate || step == latest { ticks = max(ticks, step) }
        (latest, self.number) = (step, number)
    }
}

/// Times without packets.
struct GapLedger: Sendable {
    var lastStart: Int64 = 0
    var lastEnd: Int64 = 0
    var lossSeconds: Float = 0
    var pauseSeconds: Float = 0
    var stallSeconds: Float = 0
    /// Numbers missing in the last gap; 0 where they came late, negative where the sender was taken to have stopped
    /// (``RTPStreamMeter/doubtfulPause``).
    var lastLost: Int32 = 0
    /// Numbers missing in the gaps of ``lossSeconds``.
    var lossPackets: UInt32 = 0
    /// Of a standstill that may have been a pause or a stall: the timestamp of the packet that ended it, when it began, when
    /// that packet came, and the numbers so far. Without one, the beginning is far ahead, and the arrival may be that of the
    /// packet before an outage (``JumpCandidate/isAfterOutage``), of the packet after a gap that was announced, or when packets
    /// are due (``Announcement/over``).
    var openTimestamp: UInt32 = 0
    var openStart = Int64.max
    var openArrival: Int64 = 0
    var openExpected: UInt32 = 0
    /// Of ``forgivenPackets``, those missing because the capture stopped recording.
    var missedPackets: UInt32 = 0
    /// Numbers missing in gaps that were forgiven.
    var forgivenPackets: UInt32 = 0
    /// Whether the next gap of more than a second is no loss.
    var announcement = Announcement.none
    /// Whether any of ``pauseSeconds`` was the sender's own, and not announced.
    var hasPaused = false
    /// Segments that began after a gap that was forgiven, though the sender numbered on.
    var continuations: UInt16 = 0

    /// Missing sound from this on is an interruption, not a dropout; in seconds.
    static let dark = 0.4
    /// So many numbers there are.
    static let numbers = 65_536.0
    static let nearlyAllNumbers = 60_000.0
    /// Fewer numbers than this are lost, not skipped.
    static let leastJump: UInt16 = 10
    /// From one number to the next, no packet lasts so long, in seconds: the sender had nothing to say.
    static let leastSilence = longestPacket
    /// Sound in one packet at most ([RFC 3551 §4.2](https://www.rfc-editor.org/rfc/rfc3551#section-4.2)).
    static let longestPacket = 0.2
    /// So many packets last half a second at least: 2.5 ms each ([RFC 6716 §2](https://www.rfc-editor.org/rfc/rfc6716#section-2)).
    static let leastUntimed: UInt16 = 200
    /// Packets that the network had held back have come after so many seconds.
    static let catchUp = 0.5
    /// The longest time between the packets of a sender in discontinuous transmission, and some jitter; in seconds.
    static let longestSpacing = 0.45

    /// Books an undecided standstill; one that nobody can decide any more was a pause.
    mutating func settle(isStall: Bool?) {
        guard openSeconds > 0 else { return }
        if isStall == true {
            stallSeconds += Float(openSeconds)
            (lastStart, lastEnd, lastLost) = (openStart, openArrival, 0)
        } else {
            pauseSeconds += Float(openSeconds)
            hasPaused = true
        }
        openStart = .max
    }

    /// How long the undecided standstill lasted; 0 without one.
    var openSeconds: Double { openStart == .max ? 0 : Double(openArrival &- openStart) * 1e-9 }

    /// When the capture stopped recording, and so the last moment from which on a gap may be its; far back without one.
    var holeStart = Int64.min
}

/// Packets that are neither sound nor picture.
struct OtherPackets: Sendable {
    var comfortNoise: UInt32 = 0
    var padding: UInt32 = 0
    var eventPackets: UInt32 = 0
    var events: UInt32 = 0
    private var lastEvent: UInt32 = 0

    /// What one segment of an event lasts at most, in ticks
    /// ([RFC 4733, section 2.5.1.3](https://www.rfc-editor.org/rfc/rfc4733#section-2.5.1.3)).
    private static let longestSegment: UInt32 = 0xffff

    /// All packets of one event share its timestamp; one that is older belongs to an event already counted. A key that
    /// is held for longer than a segment can say goes on in another one.
    mutating func noteEvent(_ packet: MeteredPacket) {
        eventPackets &+= 1
        let step = packet.timestamp &- lastEvent
        guard events == 0 || Int32(bitPattern: step) > 0 else { return }
        if events == 0 || step != Self.longestSegment || packet.hasMarker { events &+= 1 }
        lastEvent = packet.timestamp
    }
}

/// Time between packets.
struct DeltaStatistics: Sendable {
    private var sum = 0.0
    private var smallest: Float = .infinity
    /// The longest, in seconds; −∞ without any.
    private(set) var largest: Float = -.infinity
    private var count: UInt32 = 0

    @inline(__always)
    mutating func note(seconds: Double) {
        let rounded = Float(seconds)
        sum += seconds
        smallest = rounded < smallest ? rounded : smallest
        largest = rounded > largest ? rounded : largest
        count &+= 1
    }

    /// The mean, in seconds; nil without any.
    var meanSeconds: Double? { count > 0 ? sum / Double(count) : nil }

    var figures: DeltaFigures? {
        guard count > 0 else { return nil }
        return DeltaFigures(
            minimumMilliseconds: Double(smallest) * 1000, meanMilliseconds: sum / Double(count) * 1000,
            maximumMilliseconds: Double(largest) * 1000)
    }
}

/// Time from one packet to the next, over the same pairs as ``RTPStreamFigures/jitter``.
public struct DeltaFigures: Hashable, Sendable {
    /// The shortest, in milliseconds. Negative where the times of a file run backwards.
    public var minimumMilliseconds: Double
    /// The mean, in milliseconds.
    public var meanMilliseconds: Double
    /// The longest, in milliseconds.
    public var maximumMilliseconds: Double
}
