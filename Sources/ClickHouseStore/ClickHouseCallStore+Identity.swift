public import CallModel
import StoreParts

extension ClickHouseCallStore {
    public func standing(of identity: CallIdentity) async throws -> CallStanding {
        CallStanding(heads: try await records(of: identity), claims: try await claims(on: identity))
    }

    public func links(of key: CallKey) async throws -> RecordLinks {
        guard try await head(of: key) != nil else { return RecordLinks() }
        return RecordLinks(
            names: Set(try await names(where: Condition.record(key)).compactMap(\.name)),
            claims: try await claims(where: Condition.record(key)).map(\.claim)
                .sorted { $0.session.call.rawValue < $1.session.call.rawValue })
    }

    public func ties(of key: CallKey) async throws -> CallTies {
        guard let head = try await head(of: key) else { return CallTies() }
        return try await ties(of: head)
    }

    func ties(of head: RecordHeadRow) async throws -> CallTies {
        let names = try await names(where: Condition.record(head.key)).compactMap(\.name)
        let sessions = try await claims(where: Condition.record(head.key)).map(\.claim.session)
        var known = LoadedTies()
        try await known.load(from: self, for: head.key, names: names, sessions: sessions)
        return try TieSearch(known, of: TiedRecord(head), names: names, sessions: sessions).ties()
    }

    /// The claims on a session, in order of start.
    private func claims(on session: CallIdentity) async throws -> [SessionClaim] {
        try await claims(where: Condition.calls([session], column: "session")).map(\.claim).sorted { left, right in
            let (own, other) = (left.key, right.key)
            return (left.start, own.identity.call.rawValue, own.attempt, own.observer.rawValue)
                < (right.start, other.identity.call.rawValue, other.attempt, other.observer.rawValue)
        }
    }

    func claims(where condition: String) async throws -> [ClaimRow] {
        try await rows(where: "deleted = 0 AND \(condition)")
    }

    func names(where condition: String) async throws -> [NameRow] {
        try await rows(where: condition)
    }
}

extension TiedRecord {
    init(_ head: RecordHeadRow) {
        self.init(key: head.key, start: head.start, lastActivity: head.lastActivity, standsAlone: head.standsAlone)
    }
}
