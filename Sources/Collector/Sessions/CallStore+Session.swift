public import CallModel

extension CallStore {
    /// What was reported of a record last at a moment, also under the ids of its sessions; otherwise as
    /// ``CallStore/facts(of:at:limit:)`` gives it.
    /// - Throws: ``CallStoreError``.
    public func factsWithSessions(of key: CallKey, at moment: Timestamp?, limit: Int) async throws -> PartlyRead<[Fact]>
    {
        var own = try await facts(of: key, at: moment, limit: limit)
        guard try await !links(of: key).claims.isEmpty else { return own }
        let shared: [Fact]
        var linker = SessionLinker(store: self)
        do {
            shared = try await linker.part(of: key).facts
        } catch CallStoreError.damaged(let place, let reason) {
            own.damage.append(RecordDamage(.reports, of: place, reason: reason))
            return own
        }
        var latest: [String: Fact] = [:]
        for fact in Fact.united(own.value + shared) where fact.isReport && moment.map({ fact.time <= $0 }) ?? true {
            latest[fact.key.name] = fact
        }
        let reports = latest.values.sorted { ($1.time, $0.key.name) < ($0.time, $1.key.name) }.prefix(max(0, limit))
        own.value = Fact.united(Array(reports)) + own.value.filter { !$0.isReport }
        return own
    }
}
