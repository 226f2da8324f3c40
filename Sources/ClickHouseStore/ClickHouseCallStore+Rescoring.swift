public import CallModel

extension ClickHouseCallStore {
    public func outdatedRecords(
        _ query: RescoreQuery, before: Int64?, limit: Int
    ) async throws -> [OutdatedRecord] {
        guard limit > 0 else { return [] }
        var found: [OutdatedRecord] = []
        for condition in Self.conditions(query) {
            found += try await rows(
                """
                SELECT number, tenant, call_id, attempt, observer, score FROM records FINAL
                WHERE \(condition) AND number < \(before ?? .max) ORDER BY number DESC LIMIT \(limit)
                """
            ) { OutdatedRecord(number: try $0.int64(), key: try $0.callKey(), score: try $0.score()) }
        }
        return Array(found.sorted { $0.number > $1.number }.prefix(limit))
    }

    public func countOutdated(_ query: RescoreQuery) async throws -> Int {
        var count = 0
        for condition in Self.conditions(query) {
            count +=
                try await rows("SELECT count() FROM records FINAL WHERE \(condition)") { try $0.count() }
                .first ?? 0
        }
        return count
    }

    /// What follows `WHERE`, in as many statements as it takes.
    private static func conditions(_ query: RescoreQuery) -> [String] {
        let outdated = "deleted = 0 AND (dirty = 1 OR rules_version != \(query.rulesVersion))"
        guard !query.calls.isEmpty else { return [outdated] }
        return Array(query.calls).parts(of: Condition.keysInStatement).map {
            "\(outdated) AND \(Condition.calls($0))"
        }
    }
}
