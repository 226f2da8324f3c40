/// What was told under the id of a session, given to the calls that claim it.
///
/// What befalls the whole session (its connection, network, registration) befalls every call that goes on. Everything
/// else is of one call: the only one that goes on at that time. Where two calls go on at once, it is of neither for
/// certain, and stays with the session. The result depends on the facts alone, not on the order in which they came.
package struct SessionShare {
    /// A fact that was told under the session's id.
    package struct Item {
        /// The record it is stored in.
        package var holder: CallKey
        package var fact: Fact

        package init(holder: CallKey, fact: Fact) {
            self.holder = holder
            self.fact = fact
        }
    }

    /// When a call went on, as far as can be told.
    fileprivate struct Span {
        var claim: SessionClaim
        var start: Timestamp
        var end: Timestamp
        /// Whether something said that it ended; else it may go on.
        var isOver: Bool
    }

    private let items: [Item]
    private var spans: [Span] = []
    /// For every span the places of those of other calls at the same time.
    private var rivals: [[Int]] = []
    /// For every item the places in ``spans`` of the calls it is of.
    private var takers: [[Int]] = []

    /// Reports and events further apart than this are of two calls, if nothing says where one ends.
    package static let silenceMilliseconds: Int64 = 300_000
    /// A last report may follow the event that ends a call.
    package static let graceMilliseconds: Int64 = 10_000

    /// - Parameters:
    ///   - claims: All claims on the session.
    ///   - items: All that was told under its id.
    package init(claims: [SessionClaim], items: [Item]) {
        self.items = items.sorted { ($0.fact.key, $0.holder.sortKey) < ($1.fact.key, $1.holder.sortKey) }
        spans = claims.map { span(of: $0, among: claims) }
            .sorted { ($0.start, $0.claim.key.sortKey) < ($1.start, $1.claim.key.sortKey) }
        rivals = spans.map { own in spans.indices.filter { spans[$0].isRival(of: own) } }
        takers = self.items.map { $0.fact.isOfSession ? concerned(by: $0) : owner(of: $0).map { [$0] } ?? [] }
    }

    /// What a call has from the session.
    package func items(of key: CallKey) -> [Item] {
        zip(items, takers).filter { $1.contains { spans[$0].claim.key == key } }.map(\.0)
    }

    /// What goes with calls that went: what is of them, and of no other.
    package func items(of gone: Set<CallKey>) -> [Item] {
        zip(items, takers).filter { _, takers in
            !takers.isEmpty && takers.allSatisfy { gone.contains(spans[$0].claim.key) }
        }.map(\.0)
    }

    /// The calls that go on at the same time as this one, when something is of none of them for certain.
    package func rivals(of key: CallKey) -> [CallIdentity] {
        guard let own = spans.firstIndex(where: { $0.claim.key == key }) else { return [] }
        let contenders = rivals[own] + [own]
        let isInDoubt = zip(items, takers).contains { item, takers in
            takers.isEmpty && item.fact.isOfOneCall && contenders.contains { reaches(item.fact, $0) }
        }
        guard isInDoubt else { return [] }
        return Set(rivals[own].map { spans[$0].claim.key.identity }).sorted { $0.call.rawValue < $1.call.rawValue }
    }

    /// Whether something in a record of the session is of no call.
    package func hasRest(in holder: CallKey) -> Bool {
        zip(items, takers).contains { item, takers in
            item.holder == holder && takers.isEmpty && !item.fact.isOfSession
        }
    }
}

// MARK: - When calls went on

extension SessionShare {
    /// From the first to the last fact under the call's own id. Where none of them says that it began or ended there, it
    /// reaches as far as what was told under the session's id goes on without a break.
    private func span(of claim: SessionClaim, among claims: [SessionClaim]) -> Span {
        let end = max(claim.lastActivity, claim.endedAt ?? claim.lastActivity)
        var span = Span(claim: claim, start: claim.start, end: end, isOver: claim.endedAt != nil)
        let told = items.filter { $0.fact.isOfOneCall && Self.match($0, claim) }.map(\.fact)
        if !claim.isBegun {
            extendBack(&span, over: told.reversed(), after: Self.bound(of: claim, among: claims))
        }
        if claim.endedAt == nil {
            let next = claims.filter { $0.key.isNextAttempt(of: claim.key) }.map(\.start).min()
            extend(&span, over: told, before: next)
        }
        return span
    }

    /// What is not after this is not of a call that nothing says the beginning of, for another one was then.
    private static func bound(of claim: SessionClaim, among claims: [SessionClaim]) -> Timestamp? {
        claims.filter { $0.key != claim.key && $0.isOver(before: claim.start) }.map(\.latest).max()?
            .advanced(byMilliseconds: graceMilliseconds)
    }

    /// What was told of a session before this is of none of the calls that stay; `nil` when some of it may be.
    package static func beginning(of staying: [SessionClaim], among claims: [SessionClaim]) -> Timestamp? {
        var first: Timestamp?
        for claim in staying {
            guard let start = claim.isBegun ? claim.start : bound(of: claim, among: claims) else { return nil }
            first = min(first ?? start, start)
        }
        return first
    }

    /// The claims of calls that went which nothing needs any more, for they were over before: all but the last one to end,
    /// which bounds what later calls have of the session.
    package static func spent(_ gone: [SessionClaim], before time: Timestamp) -> [SessionClaim] {
        gone.filter { $0.latest < time }.sorted { ($0.latest, $0.key.sortKey) < ($1.latest, $1.key.sortKey) }.dropLast()
    }

    private func extend(_ span: inout Span, over facts: [Fact], before limit: Timestamp?) {
        for fact in facts where fact.time > span.end {
            guard fact.time.milliseconds(since: span.end) <= Self.silenceMilliseconds, !fact.opensCall,
                limit.map({ fact.time < $0 }) ?? true
            else { return }
            span.end = fact.time
            if fact.endsCall {
                span.isOver = true
                return
            }
        }
    }

    private func extendBack(_ span: inout Span, over facts: some Sequence<Fact>, after limit: Timestamp?) {
        for fact in facts where fact.time < span.start {
            guard span.start.milliseconds(since: fact.time) <= Self.silenceMilliseconds, !fact.endsCall,
                limit.map({ fact.time > $0 }) ?? true
            else { return }
            span.start = fact.time
            if fact.opensCall { return }
        }
    }

    /// Whether a fact lies in a call's time. One that is over may have a last report, if no other has begun by then; one
    /// that is not may go on for as long as silence says nothing.
    private func reaches(_ fact: Fact, _ place: Int) -> Bool {
        let span = spans[place]
        guard fact.time >= span.start else { return false }
        if fact.time <= span.end { return true }
        if fact.isOfSession {
            return !span.isOver
                && fact.time.milliseconds(since: span.end) < CallSummary.silenceLimitMilliseconds
        }
        let isFree = !spans.contains { $0.start > span.end && $0.start <= fact.time }
        return span.isOver && isFree && fact.time.milliseconds(since: span.end) <= Self.graceMilliseconds
    }
}

// MARK: - Whose a fact is

extension SessionShare {
    /// A sender that did not say who it is may be any observer of its session.
    private static func match(_ item: Item, _ claim: SessionClaim) -> Bool {
        let (teller, observer) = (item.holder.observer, claim.key.observer)
        return teller == observer || teller == .client || observer == .client
    }

    private func concerned(by item: Item) -> [Int] {
        guard item.fact.canBeShared else { return [] }
        return spans.indices.filter { reaches(item.fact, $0) && Self.match(item, spans[$0].claim) }
    }

    /// Of several observers of one call it is the one that is named as the teller.
    private func owner(of item: Item) -> Int? {
        let all = concerned(by: item)
        let named = all.filter { spans[$0].claim.key.observer == item.holder.observer }
        let candidates = named.isEmpty ? all : named
        guard candidates.count == 1, let only = candidates.first, rivals[only].isEmpty else { return nil }
        return only
    }
}

extension SessionShare.Span {
    fileprivate func isRival(of other: Self) -> Bool {
        claim.key.identity != other.claim.key.identity && start <= other.end && other.start <= end
    }
}

extension SessionClaim {
    /// The last moment of which something is known.
    fileprivate var latest: Timestamp { max(lastActivity, endedAt ?? lastActivity) }

    fileprivate func isOver(before time: Timestamp) -> Bool { endedAt != nil && latest < time }
}

extension CallKey {
    fileprivate func isNextAttempt(of other: CallKey) -> Bool {
        identity == other.identity && attempt > other.attempt
    }

    fileprivate var sortKey: String { "\(identity.call.rawValue)\u{1}\(attempt)\u{1}\(observer.rawValue)" }
}
