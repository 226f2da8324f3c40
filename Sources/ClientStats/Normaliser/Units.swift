import CallModel

/// Brings the members that some engines print in other units to those of W3C.
enum Units {
    static func apply(to objects: inout [StatsObject], reportTime: Timestamp, notes: inout Set<String>) {
        let reader = RTCPUnits(objects)
        for index in objects.indices {
            AudioLevel.apply(to: &objects[index], notes: &notes)
            LimitationDurations.apply(to: &objects[index], notes: &notes)
            MemberTimes.apply(to: &objects[index], reportTime: reportTime, notes: &notes)
            Underflow.apply(to: &objects[index], notes: &notes)
            reader.apply(to: &objects[index], notes: &notes)
            RoundTrips.apply(to: &objects[index], notes: &notes)
        }
        Jitters.apply(to: &objects, notes: &notes)
    }
}

/// Levels as 16-bit samples (Chromium up to 87) become 0...1; −1 stood for "unknown".
private enum AudioLevel {
    static func apply(to object: inout StatsObject, notes: inout Set<String>) {
        guard let level = object.members["audioLevel"]?.number, !(0...1).contains(level) else { return }
        let isSample = (1...32767).contains(level)
        object.members["audioLevel"] = isSample ? JSONValue(fraction: level / 32767) : nil
        if isSample { notes.insert("audioLevel as 16-bit samples, converted to 0...1") }
    }
}

/// A round trip, or a mean of all of them, of more than 10 s can only be in milliseconds; one of more than 10,000 s is nonsense.
///
/// But where the others are less than 1 s, it is that of a far end that slept, and answered when it woke.
private enum RoundTrips {
    private static let usual = 0..<1.0
    private static let mostSeconds = 10.0
    private static let mostMilliseconds = 10_000.0

    static func apply(to object: inout StatsObject, notes: inout Set<String>) {
        let mean = mean(of: object)
        let isInSeconds = [mean, others(of: object)].compactMap(\.self).contains(where: usual.contains)
        for name in ["roundTripTime", "currentRoundTripTime"] {
            guard let time = object.members[name]?.number, time > mostSeconds else { continue }
            if isInSeconds, time <= mostMilliseconds { continue }
            object.members[name] = time <= mostMilliseconds ? JSONValue(fraction: time / 1000) : nil
            notes.insert("\(name) in milliseconds, converted to seconds")
        }
        guard let total = object.members["totalRoundTripTime"]?.number, let mean, mean > mostSeconds else { return }
        if isInSeconds, mean <= mostMilliseconds { return }
        object.members["totalRoundTripTime"] = mean <= mostMilliseconds ? JSONValue(fraction: total / 1000) : nil
        notes.insert("totalRoundTripTime in milliseconds, converted to seconds")
    }

    /// `nil` where there is none, or it is not counted.
    private static func mean(of object: StatsObject) -> Double? {
        totals(of: object).map { $0.total / $0.count }
    }

    /// The last round trip, or where that is long the mean of those before it; `nil` where there are none.
    private static func others(of object: StatsObject) -> Double? {
        guard let last = (object.members["roundTripTime"] ?? object.members["currentRoundTripTime"])?.number, last > 0,
            let totals = totals(of: object)
        else { return nil }
        guard last > mostSeconds else { return last }
        return totals.count > 1 ? (totals.total - last) / (totals.count - 1) : nil
    }

    private static func totals(of object: StatsObject) -> (total: Double, count: Double)? {
        guard let total = object.members["totalRoundTripTime"]?.number,
            let count = (object.members["roundTripTimeMeasurements"] ?? object.members["responsesReceived"])?.number,
            count > 0
        else { return nil }
        return (total, count)
    }
}

/// One unit for all jitters of a report, those of its receivers and those of far ends each: where one is above 10, none is in
/// seconds. A mean deviation of a second and more (RFC 3550 §6.4.1) is none, whatever the unit.
private enum Jitters {
    private static let mostSeconds = 1.0
    private static let leastMilliseconds = 10.0

    static func apply(to objects: inout [StatsObject], notes: inout Set<String>) {
        for isOwn in [true, false] {
            let places = objects.indices.filter {
                objects[$0].members["jitter"] != nil && objects[$0].type.isRemoteRTP != isOwn
            }
            let isMilliseconds = places.contains { objects[$0].members["jitter"]?.number ?? 0 > leastMilliseconds }
            for place in places {
                if objects[place].isOfPion {
                    objects[place].members["jitter"] = nil
                    notes.insert("jitter of Pion, which is no time, left out")
                } else {
                    convert(&objects[place].members, isMilliseconds: isMilliseconds, notes: &notes)
                }
            }
        }
    }

    private static func convert(_ members: inout JSONObject, isMilliseconds: Bool, notes: inout Set<String>) {
        guard let value = members["jitter"]?.number else { return }
        let seconds = isMilliseconds ? value / 1000 : value
        guard seconds < mostSeconds else {
            members["jitter"] = nil
            notes.insert("jitter of a second or more, left out")
            return
        }
        guard isMilliseconds else { return }
        members["jitter"] = JSONValue(fraction: seconds)
        notes.insert("jitter in milliseconds, converted to seconds")
    }
}

/// Older Chromium counts the time an encoder was limited in milliseconds.
///
/// Only the frames encoded in that time can tell: fewer than one in five seconds is taken for a wrong unit. Seconds are
/// printed with a fraction, so whole numbers are asked for too.
private enum LimitationDurations {
    static func apply(to object: inout StatsObject, notes: inout Set<String>) {
        let name = "qualityLimitationDurations"
        guard let durations = object.members[name]?.members, let frames = object.members["framesEncoded"]?.number,
            durations.values.allSatisfy({ if case .integer = $0 { true } else { false } })
        else { return }
        let sum = durations.values.compactMap(\.number).reduce(0, +)
        guard frames > 0, sum >= 1000, frames / sum < 0.2, frames * 1000 / sum <= 240 else { return }
        object.members[name] = .object(durations.mapValues { JSONValue(fraction: ($0.number ?? 0) / 1000) })
        notes.insert("\(name) in milliseconds, converted to seconds")
    }
}

/// Moments inside objects become milliseconds since 1970. Chromium up to 90 counts some from the start of the machine.
private enum MemberTimes {
    private static let dayMilliseconds: Int64 = 86_400_000

    static func apply(to object: inout StatsObject, reportTime: Timestamp, notes: inout Set<String>) {
        for name in ["lastPacketReceivedTimestamp", "lastPacketSentTimestamp"] {
            guard let value = object.members[name] else { continue }
            guard value.number != 0 else {
                // Firefox says that there was no packet yet.
                object.members[name] = nil
                continue
            }
            let time = EpochTime(value)
            if let time, abs(time.timestamp.milliseconds(since: reportTime)) <= dayMilliseconds {
                if time.unit != .milliseconds { object.members[name] = .integer(time.timestamp.milliseconds) }
            } else {
                object.members[name] = nil
                notes.insert("\(name) does not count from 1970, left out")
            }
        }
        if let value = object.members["remoteTimestamp"], let time = EpochTime(value), time.unit != .milliseconds {
            object.members["remoteTimestamp"] = .integer(time.timestamp.milliseconds)
        }
    }
}

/// Numbers below 0 that were printed in 32 bits without a sign.
private enum Underflow {
    private static let range: ClosedRange<Int64> = 1 << 31...(1 << 32) - 1

    static func apply(to object: inout StatsObject, notes: inout Set<String>) {
        guard object.type == .inboundRTP || object.type == .remoteInboundRTP else { return }
        // Late and duplicate packets are subtracted, and RTCP has 24 bits for it (RFC 3550 §6.4.1).
        if case .integer(let lost) = object.members["packetsLost"], range.contains(lost) {
            object.members["packetsLost"] = .integer(lost - 1 << 32)
            notes.insert("packetsLost below 0 in 32 bits without a sign, read with one")
        }
        // Firefox lets the packets that a far end received run below 0 (w3c/webrtc-stats#772).
        guard object.type == .remoteInboundRTP, case .integer(let received) = object.members["packetsReceived"],
            received >= range.lowerBound
        else { return }
        object.members["packetsReceived"] = nil
        notes.insert("packetsReceived of the far end below 0 in 32 bits, left out")
    }
}

/// aiortc prints jitter and loss as RTCP carries them: in ticks of the RTP clock and in 256ths.
///
/// It is known by a jitter that is a whole number above 1 where W3C has seconds, in a report without codecs, and by
/// ids made of type and object number. Once known, a jitter of 1 is a tick too.
private struct RTCPUnits {
    private let isAIORTC: Bool
    private let hasCodecs: Bool

    init(_ objects: [StatsObject]) {
        hasCodecs = objects.contains { $0.type == .codec }
        isAIORTC = !hasCodecs && objects.contains { $0.hasTypedID }
    }

    func apply(to object: inout StatsObject, notes: inout Set<String>) {
        guard object.type == .inboundRTP || object.type.isRemoteRTP else { return }
        if !hasCodecs, case .integer(let ticks) = object.members["jitter"], ticks > (isAIORTC ? 0 : 1) {
            let rate = Self.assumedClockRate(of: object)
            let seconds = Double(ticks) / rate
            object.members["jitter"] = seconds <= 10 ? JSONValue(fraction: seconds) : nil
            notes.insert("jitter in RTP ticks, converted to seconds assuming \(Int(rate)) ticks a second")
        }
        guard let lost = object.members["fractionLost"]?.number, lost > 1 || isAIORTC && lost == 1 else { return }
        object.members["fractionLost"] = lost <= 255 ? JSONValue(fraction: lost / 256) : nil
        notes.insert("fractionLost in 256ths, converted to 0...1")
    }

    /// Without a codec object: Opus and every video codec have one clock rate each (RFC 7587 §4.1, RFC 3551 §5).
    private static func assumedClockRate(of object: StatsObject) -> Double {
        object.members["kind"]?.text == "video" ? 90_000 : 48_000
    }
}

extension StatsObject {
    /// Whether the id is the type, an underscore and digits.
    fileprivate var hasTypedID: Bool {
        guard id.hasPrefix(type.rawValue + "_") else { return false }
        let rest = id.dropFirst(type.rawValue.count + 1)
        return !rest.isEmpty && rest.allSatisfy(\.isWholeNumber)
    }
}

extension JSONValue {
    /// A computed number; whole ones are integers, as the reader has them.
    init(fraction value: Double) {
        if let whole = Int64(exactly: value) { self = .integer(whole) } else { self = .double(value) }
    }
}
