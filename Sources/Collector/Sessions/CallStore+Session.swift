public import CallModel

extension CallStore {
    /// What was reported of a record last at a moment, also under the ids of its sessions; otherwise as
    /// ``CallStore/facts(of:at:limit:)`` gives it.
    /// - Throws: ``CallStoreError``.
    public func factsWithSessions(of key: CallKey, at moment: Timestamp?, limit: Int) async throws -> [Fact] {
        let own = try await facts(of: key, at: moment, limit: limit)
        guard try await !links(of: key).claims.isEmpty else { return own }
        let shared = try await SessionLinker(store: self).part(of: key).facts
        var latest: [String: Fact] = [:]
        for fact in Fact.united(own + shared) where fact.isReport && moment.map({ fact.time <= $0 }) ?? true {
            latest[fact.key.name] = fact
        }
        let reports = latest.values.sorted { ($1.time, $0.key.name) < ($0.time, $1.key.name) }.prefix(max(0, limit))
        return Fact.united(Array(reports)) + own.filter { !$0.isReport }
    }
}
