import CallModel

/// The states of a call, one machine for all vocabularies.
///
/// No order of events is an error. What belongs to the setup is passed over once the call is further on: SDKs tell of
/// ringing after early media, and of waiting for media before ringing.
struct PhaseTracker: Archivable {
    private(set) var changes: [PhaseChange] = []
    private var hasPath = false
    private(set) var wasAnswered = false
    private(set) var wasActive = false

    private static let mostChanges = 400

    private var current: CallPhase? { changes.last?.phase }

    /// Whether the other end rang, or sent what is heard before an answer.
    var wasRinging: Bool { hadEarlyMedia || changes.contains { $0.phase == .ringing } }
    /// Whether what came before an answer was told as such.
    var hadEarlyMedia: Bool { changes.contains { $0.phase == .earlyMedia } }

    /// Whether this end was told of a call to it.
    var wasAlerting: Bool { changes.contains { $0.phase == .alerting } }

    mutating func take(_ meaning: EventMeaning, at time: Timestamp) {
        switch meaning {
        case .created, .requestSent, .requestAccepted: advance(to: .setup, at: time)
        case .alerted: advance(to: .alerting, at: time)
        case .ringing, .ringingShown: advance(to: .ringing, at: time)
        case .earlyMedia: advance(to: .earlyMedia, at: time)
        case .answered, .mediaPending, .preparingViews: answer(at: time)
        case .established where hasPath || wasActive: activate(at: time)
        case .established where current == .held: enter(.connecting, at: time)
        case .established: answer(at: time)
        case .iceConnected:
            hasPath = true
            if current == .connecting { activate(at: time) }
        case .active: activate(at: time)
        case .resumed where current == .held || current == .interrupted:
            enter(wasActive || hasPath ? .active : .connecting, at: time)
        case .held: enter(.held, at: time)
        case .condition(.interrupted, let isOn): isOn ? enter(.interrupted, at: time) : endInterruption(at: time)
        case .ended: enter(.ended, at: time)
        case .failed where !wasActive: enter(.ended, at: time)
        default: break
        }
    }

    private mutating func answer(at time: Timestamp) {
        wasAnswered = true
        advance(to: hasPath ? .active : .connecting, at: time)
        if current == .active { wasActive = true }
    }

    private mutating func activate(at time: Timestamp) {
        (wasAnswered, wasActive) = (true, true)
        enter(.active, at: time)
    }

    private mutating func endInterruption(at time: Timestamp) {
        guard current == .interrupted else { return }
        enter(changes.dropLast().last?.phase ?? .active, at: time)
    }

    /// To a state of the setup, unless the call is further on.
    private mutating func advance(to phase: CallPhase, at time: Timestamp) {
        guard let rank = Self.order.firstIndex(of: phase) else { return }
        if let current, Self.order.firstIndex(of: current).map({ $0 >= rank }) ?? true { return }
        enter(phase, at: time)
    }

    private mutating func enter(_ phase: CallPhase, at time: Timestamp) {
        guard current != phase, current != .ended, changes.count < Self.mostChanges else { return }
        changes.append(PhaseChange(time: time, phase: phase))
    }

    private static let order: [CallPhase] = [.setup, .alerting, .ringing, .earlyMedia, .connecting, .active]
}

// MARK: - Archive

extension PhaseTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(changes, hasPath, wasAnswered, wasActive)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (changes, hasPath, wasAnswered, wasActive) = try archive.get()
    }
}
