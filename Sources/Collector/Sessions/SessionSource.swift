import CallModel

/// What has to be known of calls and sessions to tell whose a session's facts are.
protocol SessionSource: Sendable {
    /// The records of a call, and the claims on it.
    func standing(of identity: CallIdentity) async throws -> CallStanding
    /// The sessions that a record claims.
    func links(of key: CallKey) async throws -> RecordLinks
    /// What was told of a record under its own id.
    func facts(of key: CallKey) async throws -> [Fact]
}

/// As it is stored.
struct StoredSessions: SessionSource {
    let store: any CallStore

    func standing(of identity: CallIdentity) async throws -> CallStanding { try await store.standing(of: identity) }
    func links(of key: CallKey) async throws -> RecordLinks { try await store.links(of: key) }
    func facts(of key: CallKey) async throws -> [Fact] { try await store.facts(of: key) }
}
