import CallModel

/// A moment of a call's setup that latencies are measured from or to.
enum SetupMoment: String, Archivable {
    case created, alerted, requestSent, requestAccepted, ringing, ringingShown, earlyMedia, answered, established
    case mediaPending, active, gathered, iceConnected, iceDisconnected, remoteMedia, quality, registering, registered
    case ended

    /// `nil` for what is no moment of a setup.
    init?(_ meaning: EventMeaning) {
        switch meaning {
        case .created: self = .created
        case .alerted: self = .alerted
        case .requestSent: self = .requestSent
        case .requestAccepted: self = .requestAccepted
        case .ringing: self = .ringing
        case .ringingShown: self = .ringingShown
        case .earlyMedia: self = .earlyMedia
        case .answered: self = .answered
        case .established: self = .established
        case .mediaPending: self = .mediaPending
        case .active: self = .active
        case .gathered: self = .gathered
        case .iceConnected: self = .iceConnected
        case .iceDisconnected: self = .iceDisconnected
        case .remoteMedia(isPresent: true): self = .remoteMedia
        case .quality(.some): self = .quality
        case .registering: self = .registering
        case .registered: self = .registered
        case .ended: self = .ended
        default: return nil
        }
    }

    /// Whether it belongs to the call itself, and not to the client's way to its server.
    var isOfCall: Bool { self != .registering && self != .registered }

    /// Happens once in a setup; a second, later one is odd.
    var isOnceOnly: Bool {
        [.created, .requestSent, .ringing, .answered].contains(self)
    }
}

/// When each moment of a setup came first.
struct SetupMoments: Archivable {
    private var times: [SetupMoment: Timestamp] = [:]
    /// The same on a device that keeps milliseconds since 1970 in 32 bits; only while all its times are such.
    private var wrapped: [SetupMoment: Int32] = [:]
    private var hasWholeTimes = false
    private(set) var earliest: Timestamp?

    subscript(moment: SetupMoment) -> Timestamp? { times[moment] }

    /// When this end began to place the call, or was told of it.
    var created: Timestamp? { times[.created] ?? times[.alerted] }
    /// When the call began at this end: a client that was told of a call may begin to make it when it is to be answered.
    var begun: Timestamp? { [times[.created], times[.alerted]].compactMap { $0 }.min() }
    /// When the call was answered, by the clearest word for it.
    var answered: Timestamp? {
        times[.answered] ?? times[.established] ?? times[.mediaPending] ?? times[.active]
    }

    /// - Returns: whether it is the first of its kind.
    mutating func note(_ moment: SetupMoment, of event: CallEvent) -> Bool {
        noteOther(event, isOfSetup: moment.isOfCall)
        guard times[moment] == nil else { return false }
        times[moment] = event.time
        wrapped[moment] = event.wrappedTime
        return true
    }

    /// Notes the time of an event. What is told of sessions and set-ups may well come before the call.
    mutating func noteOther(_ event: CallEvent, isOfSetup: Bool) {
        if isOfSetup { earliest = min(earliest ?? event.time, event.time) }
        if event.wrappedTime == nil { hasWholeTimes = true }
    }

    /// Differences of times that lost their upper bits are right all the same, modulo 2³².
    func unwrapped(_ anomalies: inout Set<String>) -> SetupMoments {
        guard !hasWholeTimes, let base = wrapped.min(by: { $0.key.rawValue < $1.key.rawValue }),
            let anchor = times[base.key]
        else { return self }
        anomalies.insert("absolute_time_unknown")
        var result = self
        for (moment, value) in wrapped {
            result.times[moment] = anchor.advanced(byMilliseconds: Int64(value &- base.value))
        }
        result.earliest = result.times.values.min()
        return result
    }
}

extension CallEvent {
    /// The time as a device sent it that keeps milliseconds since 1970 in 32 bits; `nil` for all others.
    fileprivate var wrappedTime: Int32? {
        members["implausibleTime"]?.wholeNumber.flatMap { Int32(exactly: $0) }
    }
}

// MARK: - Archive

extension SetupMoments {
    func write(to archive: inout ArchiveWriter) {
        archive.put(times, wrapped, hasWholeTimes, earliest)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (times, wrapped, hasWholeTimes, earliest) = try archive.get()
    }
}
