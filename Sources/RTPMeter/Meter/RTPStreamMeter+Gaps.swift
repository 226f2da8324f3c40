extension RTPStreamMeter {
    /// A step between consecutive numbers that is not the usual one: another packet time, or silence.
    @inline(never)
    mutating func noteUnusualStep(_ step: UInt32) {
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

    /// A step of more than one and a half packets, up to a minute, is a pause in speaking.
    private mutating func addSilence(_ step: UInt32) {
        let usual = UInt64(packetTime.ticks)
        guard packetTime.isKnown, UInt64(step) * 2 > usual * 3, UInt64(step) < UInt64(hertz) * 60 else { return }
        silenceTicks &+= UInt64(step) - usual
        talkspurts &+= 1
    }

    /// More than a second without a packet. Without a missing number, the sender paused or the network stood still.
    @inline(never)
    mutating func notePause(before packet: MeteredPacket, step: Int64) {
        guard !needsCare, sequence.step(to: packet.sequenceNumber) == 1 else { return }
        gaps.isForgiving = false
        let media = Double(Int32(bitPattern: packet.timestamp &- lastTimestamp)) * secondsPerTick
        let seconds = Double(step) * 1e-9
        if hertz == 0 || packet.hasMarker || media * 2 >= seconds {
            gaps.pauseSeconds += Float(seconds)
        } else {
            gaps.stallSeconds += Float(seconds)
        }
    }

    /// A run of missing numbers: how much sound or picture is missing with them.
    mutating func noteLossGap(before packet: MeteredPacket, lost: UInt16, arrivalStep: Int64) {
        var seconds = Double(arrivalStep) * 1e-9
        if let packetSeconds {
            seconds = Double(lost) * packetSeconds
        }
        let media = Int32(bitPattern: packet.timestamp &- lastTimestamp)
        if hertz != 0, media > 0 {
            seconds = min(seconds, Double(media) * secondsPerTick)
        }
        guard seconds >= GapLedger.dark else { return }
        gaps.lossSeconds += Float(seconds)
        gaps.lastStart = lastArrival
        gaps.lastEnd = packet.arrival
        gaps.lastLost = UInt32(lost)
    }

    /// How long a packet lasts, in seconds; nil while that or the clock is not known.
    var packetSeconds: Double? {
        packetTime.isKnown && hertz != 0 ? Double(packetTime.ticks) * secondsPerTick : nil
    }
}

/// Times without packets.
struct GapLedger: Sendable {
    var lastStart: Int64 = 0
    var lastEnd: Int64 = 0
    var lossSeconds: Float = 0
    var pauseSeconds: Float = 0
    var stallSeconds: Float = 0
    var lastLost: UInt32 = 0
    /// Numbers missing in gaps that were forgiven.
    var forgivenPackets: UInt32 = 0
    /// The next gap of more than a second is no loss.
    var isForgiving = false

    /// Missing sound from this on is an interruption, not a dropout; in seconds.
    static let dark = 0.4

    /// When the capture stopped recording, and so the last moment from which on a gap may be its; far back without one.
    var holeStart = Int64.min

    /// Whether a gap between a packet of `before` and one `arrivalStep` nanoseconds later is forgiven, which happens once.
    mutating func forgives(since before: Int64, _ arrivalStep: Int64, missing: UInt16) -> Bool {
        guard before <= holeStart || isForgiving && arrivalStep > RTPStreamMeter.second else { return false }
        isForgiving = false
        holeStart = .min
        if missing < SequenceTracker.maximumDropout { forgivenPackets &+= UInt32(missing) }
        return true
    }
}

/// Packets that are neither sound nor picture.
struct OtherPackets: Sendable {
    var comfortNoise: UInt32 = 0
    var padding: UInt32 = 0
    var eventPackets: UInt32 = 0
    var events: UInt32 = 0
    private var lastEvent: UInt32 = 0

    /// All packets of one event share its timestamp; one that is older belongs to an event already counted.
    mutating func noteEvent(timestamp: UInt32) {
        eventPackets &+= 1
        guard events == 0 || Int32(bitPattern: timestamp &- lastEvent) > 0 else { return }
        events &+= 1
        lastEvent = timestamp
    }
}

/// Time between packets.
struct DeltaStatistics: Sendable {
    private var sum = 0.0
    private var smallest: Float = .infinity
    private var largest: Float = -.infinity
    private var count: UInt32 = 0

    @inline(__always)
    mutating func note(seconds: Double) {
        let rounded = Float(seconds)
        sum += seconds
        smallest = rounded < smallest ? rounded : smallest
        largest = rounded > largest ? rounded : largest
        count &+= 1
    }

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
