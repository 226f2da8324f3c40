package import CallModel

/// Finds the calls that are the same as one record's, by the names they have in common.
///
/// A name that says which call is meant ties them wherever they lie in time, for clocks differ; of several attempts the
/// one at the same time is meant. What a whole session has in common, or what may be chance, ties only what overlaps.
package struct TieSearch<Source: TieSource> {
    private let source: Source
    private let key: CallKey
    private let span: ClosedRange<Int64>
    private let sessions: [CallIdentity]
    private let ownNames: [CallName]

    /// - Parameters:
    ///   - source: what is stored.
    ///   - record: the record.
    ///   - names: what it is called.
    ///   - sessions: what it claims.
    package init(_ source: Source, of record: TiedRecord, names: [CallName], sessions: [CallIdentity]) {
        self.source = source
        self.sessions = sessions
        key = record.key
        span = record.span
        ownNames = names
    }

    /// A record that has a name in common.
    private struct Candidate {
        var record: TiedRecord
        var link: CallName

        var key: CallKey { record.key }
        var span: ClosedRange<Int64> { record.span }
    }

    private struct Call: Hashable {
        var identity: CallIdentity
        var attempt: Int
    }

    package func ties() throws -> CallTies {
        let borrowed = try sessions.flatMap { try source.names(ofSession: $0) }
        let told = ownNames + sessions.map { Self.name(of: $0) }
        var links: [Call: Set<CallName>] = [:]
        for candidate in try byID(told) + sharing(Array(Set(ownNames + borrowed))) {
            guard candidate.key.identity != key.identity else { continue }
            links[Call(identity: candidate.key.identity, attempt: candidate.key.attempt), default: []]
                .insert(candidate.link)
        }
        return CallTies(
            names: Set(told + borrowed.filter { $0.kind == .userToUser }).sorted(),
            related: links.map { RelatedCall(identity: $0.identity, attempt: $0.attempt, links: $1.sorted()) }
                .sorted { ($0.identity.call.rawValue, $0.attempt) < ($1.identity.call.rawValue, $1.attempt) })
    }

    private static func name(of session: CallIdentity) -> CallName {
        CallName(.session, session.call.rawValue, source: "sessionId")
    }

    // MARK: By an id

    /// Calls whose id or session is one of the names, and calls that have the id or a session of this one as a name.
    private func byID(_ names: [CallName]) throws -> [Candidate] {
        var found: [Candidate] = []
        for name in names where name.kind == .header {
            found += try nearest(records(of: identity(name.text), link: name))
            found += try claimants(of: identity(name.text), link: name)
        }
        for own in [key.identity] + sessions {
            let text = own.call.rawValue
            found += try nearest(holders(of: [CallName(.header, text, source: "")]))
            // Its own call is no other one, and may have thousands of records.
            guard own != key.identity else { continue }
            found += try records(of: own, link: Self.name(of: own)).filter(\.record.standsAlone)
        }
        return try found + claimants(of: key.identity, link: Self.name(of: key.identity))
    }

    private func identity(_ text: String) -> CallIdentity {
        CallIdentity(tenant: key.identity.tenant, call: CallID(rawValue: text))
    }

    /// Of each call the attempts at the same time; all of them when there are none.
    private func nearest(_ candidates: [Candidate]) -> [Candidate] {
        Dictionary(grouping: candidates, by: \.key.identity).values.flatMap { attempts in
            let overlapping = attempts.filter { $0.span.overlaps(span) }
            return overlapping.isEmpty ? attempts : overlapping
        }
    }

    // MARK: By what they share

    /// Calls at the same time that have a name with the same meaning. What stands under the id of a session is its calls'.
    private func sharing(_ names: [CallName]) throws -> [Candidate] {
        let wanted = names.filter { $0.kind != .header && $0.kind != .session }
        let found = try holders(of: wanted.map { CallName($0.counterpart, $0.text, source: $0.source) })
        return try found.flatMap { holder in
            let calls = try claimants(of: holder.key.identity, link: holder.link)
            return calls.isEmpty || holder.record.standsAlone ? calls + [holder] : calls
        }
        .filter { $0.span.overlaps(span) }
    }

    // MARK: Rows

    private func holders(of names: [CallName]) throws -> [Candidate] {
        try Set(names.map { CallName($0.kind, $0.text, source: "") }).flatMap { name in
            try source.holders(of: name, in: key.identity.tenant).map { Candidate(record: $0.record, link: $0.name) }
        }
    }

    private func records(of identity: CallIdentity, link: CallName) throws -> [Candidate] {
        try source.records(of: identity).map { Candidate(record: $0, link: link) }
    }

    private func claimants(of session: CallIdentity, link: CallName) throws -> [Candidate] {
        try source.claimants(of: session).map { Candidate(record: $0, link: link) }
    }
}
