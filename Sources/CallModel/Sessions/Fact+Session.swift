extension Fact {
    /// Whether it befalls a whole session, and with it every call that goes on: it is of the client's way to its server.
    package var isOfSession: Bool {
        guard case .event(let event) = self else { return false }
        return Self.actionsOfSessions.contains(event.foldedAction) || event.meanings.contains(where: \.isOfSession)
    }

    private static let actionsOfSessions: Set<String> = ["connection", "network", "registration", "session"]

    /// Whether it may be part of a call of another id. What a probe saw is another observer's view.
    package var canBeShared: Bool {
        switch self {
        case .report: true
        case .event(let event): event.action != "sip"
        case .wire: false
        }
    }
}

extension Fact {
    /// Whether it is of one call, whichever.
    package var isOfOneCall: Bool { canBeShared && !isOfSession }
}

extension SessionClaim {
    /// A claim by what is known of the call's own facts so far.
    package init(on session: CallIdentity, by key: CallKey, at fact: Fact) {
        self.init(session: session, key: key, start: fact.time, lastActivity: fact.time)
        extend(by: fact)
    }

    /// Takes in a fact under the call's own id. Any order and any repeats give the same.
    package mutating func extend(by fact: Fact) {
        start = min(start, fact.time)
        lastActivity = max(lastActivity, fact.time)
        if fact.opensCall { isBegun = true }
        if fact.endsCall { endedAt = max(endedAt ?? fact.time, fact.time) }
    }

    /// When what is told of the session may change what the call has of it.
    package var reach: ClosedRange<Timestamp> {
        let last = max(lastActivity, endedAt ?? lastActivity)
            .advanced(byMilliseconds: SessionShare.graceMilliseconds)
        return (isBegun ? start : .distantPast)...(endedAt == nil ? .distantFuture : last)
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: .min)
    fileprivate static let distantFuture = Timestamp(milliseconds: .max)
}

extension EventMeaning {
    /// Whether the client's way to its server is meant, whatever the action.
    fileprivate var isOfSession: Bool {
        switch self {
        case .connectionRetry, .connectionLost, .connectionRestored, .network, .registering, .registered: true
        default: false
        }
    }
}

extension Fact {
    /// Whether this begins a call.
    package var opensCall: Bool {
        guard case .event(let event) = self else { return false }
        return event.meanings.contains { $0 == .created || $0 == .alerted }
    }

    /// Whether this ends a call.
    package var endsCall: Bool {
        guard case .event(let event) = self else { return false }
        return event.meanings.contains {
            if case .ended = $0 { true } else { false }
        }
    }
}
