import CallModel

/// The calls that something was heard of lately: how many go on, of which tenant, and when one is over.
///
/// Each observer of a call has a record; a call goes on as long as one of its records does. What is told under the id of
/// a session that a call claims belongs to that call and counts as none.
struct LiveCalls {
    /// Records known at a time; those beyond are not followed.
    static let limit = 200_000
    /// How long a call that was ended is waited for: the last reports come after the end, and change the score.
    static let graceMilliseconds: Int64 = 30_000
    /// How long a record is known after it was last heard of, so that what comes late does not count a call twice.
    static let memoryMilliseconds: Int64 = 300_000

    private struct Record {
        var heardAt: Timestamp
        var hasEnded = false
        /// Whether it has ended, or its probe stopped to watch.
        var isClosed = false
        var ending: CallEnding
        /// The sessions that it claims.
        var sessions: [CallIdentity]
        /// Whether it was told of as over, or was erased.
        var isCounted = false

        var isLive: Bool { !isClosed && !isCounted }

        mutating func take(_ summary: CallSummary) {
            (hasEnded, isClosed) = (summary.endedAt != nil, summary.closedAt != nil)
            ending = CallEnding(summary)
        }
    }

    /// What is known of one id.
    private struct Tally {
        var records = 0
        var live = 0
        /// Records that claim it as their session.
        var claims = 0

        var isLiveCall: Bool { live > 0 && claims == 0 }
        var isEmpty: Bool { records == 0 && claims == 0 }
    }

    private var records: [CallKey: Record] = [:]
    private var tallies: [CallIdentity: Tally] = [:]
    private var liveCalls: [TenantID: Int] = [:]

    /// Calls that go on.
    private(set) var count = 0

    /// Whether nothing is remembered.
    var isEmpty: Bool { records.isEmpty && tallies.isEmpty && liveCalls.isEmpty }

    /// Whether a call goes on, or did lately.
    func knows(_ call: CallIdentity) -> Bool { tallies[call] != nil }

    /// Whether facts of a call may be taken: of one that is known always, of another while its tenant has room.
    /// - Parameters:
    ///   - call: the call that facts came for.
    ///   - others: new calls of the tenant that are admitted already and not noted yet.
    ///   - limit: calls of one tenant that may go on at a time.
    /// - Returns: false when it would be one more than may go on.
    func admits(_ call: CallIdentity, besides others: Int, limit: Int) -> Bool {
        tallies[call] != nil || liveCalls[call.tenant, default: 0] + others < limit
    }

    /// Takes in how a record stands. One that was over long ago, and is imported, goes on for nobody.
    /// - Parameters:
    ///   - summary: the record.
    ///   - claims: sessions that it is found to claim.
    ///   - isNews: whether a fact came, or what was known was only derived anew.
    ///   - now: the collector's clock.
    mutating func note(_ summary: CallSummary, claims: [CallIdentity] = [], isNews: Bool, now: Timestamp) {
        if isNews, let other = summary.key.otherEnd { hearOfOtherEnd(other, now: now) }
        if var record = records[summary.key] {
            if isNews { record.heardAt = now }
            record.take(summary)
            record.sessions += claims.filter { !record.sessions.contains($0) }
            replace(summary.key, by: record)
        } else if isNews, !summary.isOfThePast(at: now), records.count < Self.limit {
            var record = Record(heardAt: now, ending: CallEnding(summary), sessions: claims)
            record.take(summary)
            replace(summary.key, by: record)
        }
    }

    /// Takes in a record that went on when the program before this one ended. What was heard of since stands.
    mutating func adopt(_ summary: CallSummary, claims: [CallIdentity]) {
        guard records[summary.key] == nil else { return }
        note(summary, claims: claims, isNews: true, now: summary.lastReceivedAt)
    }

    /// What a probe tells of one end of a call is a sign of life of its record of the other.
    private mutating func hearOfOtherEnd(_ key: CallKey, now: Timestamp) {
        guard let record = records[key], record.isLive else { return }
        records[key]?.heardAt = max(record.heardAt, now)
    }

    /// Takes in that a call was erased: it goes on no more, and was not over, either. It stays known, so that what comes for
    /// it is refused for that, and not for want of room; what it claimed does not belong to it any more.
    mutating func erase(_ call: CallIdentity) {
        for key in records.keys.filter({ $0.identity == call }) {
            guard var record = records[key] else { continue }
            record.isCounted = true
            record.sessions = []
            replace(key, by: record)
        }
    }

    /// How the records went that are over and were not told of yet.
    mutating func takeEndings(now: Timestamp) -> [CallEnding] {
        var over: [CallKey] = []
        var old: [CallKey] = []
        for (key, record) in records {
            let silence = now.milliseconds(since: record.heardAt)
            let patience = record.hasEnded ? Self.graceMilliseconds : CallSummary.silenceLimitMilliseconds
            if !record.isCounted, silence >= patience { over.append(key) }
            if silence >= Self.memoryMilliseconds { old.append(key) }
        }
        let endings = over.compactMap { records[$0]?.ending }
        for key in over {
            guard var record = records[key] else { continue }
            record.isCounted = true
            replace(key, by: record)
        }
        for key in old { replace(key, by: nil) }
        return endings
    }

    /// Puts a record in the place of what was known of it, and keeps the tallies in step.
    private mutating func replace(_ key: CallKey, by record: Record?) {
        let before = records[key]
        records[key] = record
        update(key.identity) { tally in
            tally.records += (record == nil ? 0 : 1) - (before == nil ? 0 : 1)
            tally.live += (record?.isLive == true ? 1 : 0) - (before?.isLive == true ? 1 : 0)
        }
        let (sessions, earlier) = (record?.sessions ?? [], before?.sessions ?? [])
        guard sessions != earlier else { return }
        for session in earlier { update(session) { $0.claims -= 1 } }
        for session in sessions { update(session) { $0.claims += 1 } }
    }

    private mutating func update(_ identity: CallIdentity, _ change: (inout Tally) -> Void) {
        var tally = tallies[identity] ?? Tally()
        let wasLive = tally.isLiveCall
        change(&tally)
        tallies[identity] = tally.isEmpty ? nil : tally
        guard tally.isLiveCall != wasLive else { return }
        count += wasLive ? -1 : 1
        let left = liveCalls[identity.tenant, default: 0] + (wasLive ? -1 : 1)
        liveCalls[identity.tenant] = left > 0 ? left : nil
    }
}

extension CallSummary {
    /// Whether what it tells of was received so long ago that the call does not go on: it is imported.
    func isOfThePast(at now: Timestamp) -> Bool {
        now.milliseconds(since: lastReceivedAt) >= Self.silenceLimitMilliseconds
    }
}

extension Submission {
    /// Whether all of it was received so long ago that the call does not go on: it is imported.
    func isOfThePast(at now: Timestamp) -> Bool {
        facts.allSatisfy { now.milliseconds(since: $0.fact.receivedAt) >= CallSummary.silenceLimitMilliseconds }
    }
}
