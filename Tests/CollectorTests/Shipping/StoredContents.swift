import CallModel

/// All that a store tells of one record.
struct StoredContents: Hashable {
    var facts: [Fact]
    var fold: [UInt8]?
    var record: CallRecord?
    var standsAlone: Bool
    var names: Set<CallName>
    var claims: Set<SessionClaim>
}

extension CallStore {
    /// What is stored of these calls, by record; those evicted and erased are left out.
    func contents(of calls: [CallIdentity]) async throws -> [CallKey: StoredContents] {
        var found: [CallKey: StoredContents] = [:]
        for call in calls {
            for stored in try await summaries(of: call) {
                let key = stored.summary.key
                let links = try await links(of: key)
                found[key] = StoredContents(
                    facts: try await facts(of: key), fold: try await session(of: key), record: try await record(key),
                    standsAlone: stored.standsAlone, names: links.names, claims: Set(links.claims))
            }
        }
        return found
    }

    /// What is known of who claims these ids as sessions. What an erased call is called then is drawn by lot.
    func claims(on sessions: [CallIdentity]) async throws -> Set<SessionClaim> {
        var found: Set<SessionClaim> = []
        for session in sessions {
            for var claim in try await standing(of: session).claims {
                if claim.key.identity.call.rawValue.hasPrefix("erased-") {
                    claim.key.identity.call = CallID(rawValue: "erased")
                }
                found.insert(claim)
            }
        }
        return found
    }

    /// The keys of these calls' records with their facts: what was accepted and must be found again.
    func facts(of calls: [CallIdentity]) async throws -> [CallKey: [Fact]] {
        try await contents(of: calls).mapValues(\.facts)
    }
}
