import CallModel

/// When and why a call ended, from what was said and how far it had come.
struct EndTracker: Archivable {
    private var cause: CallEndCause?
    /// The same if the call was up, though no event told of an answer.
    private var causeIfUp: CallEndCause?
    /// The first event that ended the call, and no later one.
    private(set) var endedAt: Timestamp?
    /// What that event says of it, in the client's words and code.
    private(set) var reason: String?
    /// When the app itself asked to end it.
    private var askedAt: Timestamp?

    /// What is told of one end by several events comes within this time.
    private static let sameEndMilliseconds: Int64 = 5_000

    /// The app asked to end the call.
    mutating func ask(at time: Timestamp) { askedAt = time }

    mutating func end(_ told: CallEndCause?, by event: CallEvent, phases: PhaseTracker) {
        let time = event.time
        var found = resolve(told, at: time, wasAnswered: phases.wasAnswered)
        if !phases.wasAnswered, phases.wasAlerting, told == .localHangup || told == nil && isAsked(at: time) {
            found = .declined
        }
        let foundIfUp = resolve(told, at: time, wasAnswered: true)
        guard let endedAt else {
            (self.endedAt, cause, causeIfUp, reason) = (time, found, foundIfUp, Self.reason(of: event))
            return
        }
        guard time.milliseconds(since: endedAt) <= Self.sameEndMilliseconds, let cause else { return }
        if Self.rank(found) > Self.rank(cause) { (self.cause, causeIfUp) = (found, foundIfUp) }
    }

    /// Why it ended. `isUp` says that media flowed, and not before an answer that never came.
    func cause(isUp: Bool) -> CallEndCause? { isUp ? causeIfUp : cause }

    private static func reason(of event: CallEvent) -> String? {
        if event.action == "sip", event.type.hasPrefix("BYE") {
            return (event.type == "BYE" ? event.members["reason"]?.text : nil) ?? "BYE"
        }
        let code = ["statusCode", "code", "endType"].lazy.compactMap { event.detail($0) }.first
        let words = [event.detail("reason")?.text, code.flatMap { $0.text ?? $0.wholeNumber.map(String.init) }]
        let reason = words.compactMap { $0 }.joined(separator: ", ")
        return reason.isEmpty ? nil : reason
    }

    private func resolve(_ told: CallEndCause?, at time: Timestamp, wasAnswered: Bool) -> CallEndCause {
        switch told {
        // Also stands for "no reason given" and for messages the SDK does not handle.
        case .remoteHangup where !wasAnswered: .unknown
        case .localHangup where !wasAnswered: .cancelled
        case .some(let cause): cause
        case nil where !wasAnswered: .cancelled
        case nil: isAsked(at: time) ? .localHangup : .hangup
        }
    }

    /// Whether the app had asked for it.
    private func isAsked(at time: Timestamp) -> Bool {
        askedAt.map { time.milliseconds(since: $0) <= Self.sameEndMilliseconds } == true
    }

    /// What says more takes the place of what says less.
    private static func rank(_ cause: CallEndCause) -> Int {
        switch cause {
        case .unknown: 0
        case .hangup, .cancelled: 1
        case .error: 2
        default: 3
        }
    }
}

// MARK: - Archive

extension EndTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(cause, causeIfUp, endedAt, reason)
        archive.put(askedAt)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (cause, causeIfUp, endedAt, reason) = try archive.get()
        askedAt = try archive.get()
    }
}
