import CallModel
import CallQuality

extension ProbeRun {
    /// What the fold makes of one end's record; nil where nothing was told of it.
    func summary(of record: Record) -> CallSummary? {
        let facts = (events[record] ?? []).map(Fact.event) + (reports[record] ?? []).map(Fact.wire)
        let identity = CallIdentity(tenant: .default, call: record.call)
        var session = CallSession(key: CallKey(identity: identity, observer: record.observer, attempt: 1))
        _ = session.fold(facts.sorted { $0.key < $1.key })
        return session.summary()
    }
}
