import CallModel

/// What ``SessionShare`` divides, by the rules as they are said: every call is held against every fact, and every other
/// call.
struct PlainSessionShare {
    private struct Span {
        var claim: SessionClaim
        var start: Timestamp
        var end: Timestamp
        var isOver: Bool
    }

    private let items: [SessionShare.Item]
    private var spans: [Span] = []

    init(claims: [SessionClaim], items: [SessionShare.Item]) {
        self.items = items.sorted { ($0.fact.key, $0.holder.sortKey) < ($1.fact.key, $1.holder.sortKey) }
        spans = claims.map { span(of: $0, among: claims) }
    }

    func items(of key: CallKey) -> [SessionShare.Item] {
        items.filter { takers(of: $0).contains(key) }
    }

    func items(of gone: Set<CallKey>) -> [SessionShare.Item] {
        items.filter { item in
            let takers = takers(of: item)
            return !takers.isEmpty && gone.isSuperset(of: takers)
        }
    }

    func rivals(of key: CallKey) -> [CallIdentity] {
        guard let own = spans.first(where: { $0.claim.key == key }) else { return [] }
        let rivals = rivals(of: own)
        let isInDoubt = items.contains { item in
            item.fact.isOfOneCall && takers(of: item).isEmpty
                && (rivals + [own]).contains { reaches(item.fact, $0) }
        }
        guard isInDoubt else { return [] }
        return Set(rivals.map(\.claim.key.identity)).sorted { $0.call.rawValue < $1.call.rawValue }
    }

    func hasRest(in holder: CallKey) -> Bool {
        items.contains { $0.holder == holder && !$0.fact.isOfSession && takers(of: $0).isEmpty }
    }

    // MARK: When calls went on

    private func span(of claim: SessionClaim, among claims: [SessionClaim]) -> Span {
        let end = max(claim.lastActivity, claim.endedAt ?? claim.lastActivity)
        var span = Span(claim: claim, start: claim.start, end: end, isOver: claim.endedAt != nil)
        let told = items.filter { $0.fact.isOfOneCall && Self.match($0, claim) }.map(\.fact)
        if !claim.isBegun { extendBack(&span, over: told.reversed(), among: claims) }
        if claim.endedAt == nil { extend(&span, over: told, among: claims) }
        return span
    }

    private func extend(_ span: inout Span, over facts: [Fact], among claims: [SessionClaim]) {
        let key = span.claim.key
        let limit = claims.filter { $0.key.identity == key.identity && $0.key.attempt > key.attempt }.map(\.start).min()
        for fact in facts where fact.time > span.end {
            guard fact.time.milliseconds(since: span.end) <= SessionShare.silenceMilliseconds, !fact.opensCall,
                limit.map({ fact.time < $0 }) ?? true
            else { return }
            span.end = fact.time
            guard !fact.endsCall else {
                span.isOver = true
                return
            }
        }
    }

    private func extendBack(_ span: inout Span, over facts: [Fact], among claims: [SessionClaim]) {
        let (key, start) = (span.claim.key, span.claim.start)
        let others = claims.filter { $0.key != key && $0.endedAt != nil }
            .map { max($0.lastActivity, $0.endedAt ?? $0.lastActivity) }
        let limit = others.filter { $0 < start }.max()?.advanced(byMilliseconds: SessionShare.graceMilliseconds)
        for fact in facts where fact.time < span.start {
            guard span.start.milliseconds(since: fact.time) <= SessionShare.silenceMilliseconds, !fact.endsCall,
                limit.map({ fact.time > $0 }) ?? true
            else { return }
            span.start = fact.time
            if fact.opensCall { return }
        }
    }

    // MARK: Whose a fact is

    private static func match(_ item: SessionShare.Item, _ claim: SessionClaim) -> Bool {
        let (teller, observer) = (item.holder.observer, claim.key.observer)
        return teller == observer || teller == .client || observer == .client
    }

    private func rivals(of own: Span) -> [Span] {
        spans.filter {
            $0.claim.key.identity != own.claim.key.identity && $0.start <= own.end && own.start <= $0.end
        }
    }

    private func reaches(_ fact: Fact, _ span: Span) -> Bool {
        guard fact.time >= span.start else { return false }
        if fact.time <= span.end { return true }
        let silence = fact.time.milliseconds(since: span.end)
        guard !fact.isOfSession else { return !span.isOver && silence < CallSummary.silenceLimitMilliseconds }
        let isFree = !spans.contains { $0.start > span.end && $0.start <= fact.time }
        return span.isOver && isFree && silence <= SessionShare.graceMilliseconds
    }

    private func takers(of item: SessionShare.Item) -> Set<CallKey> {
        guard item.fact.canBeShared else { return [] }
        let all = spans.filter { reaches(item.fact, $0) && Self.match(item, $0.claim) }
        guard !item.fact.isOfSession else { return Set(all.map(\.claim.key)) }
        let named = all.filter { $0.claim.key.observer == item.holder.observer }
        let candidates = named.isEmpty ? all : named
        guard candidates.count == 1, let only = candidates.first, rivals(of: only).isEmpty else { return [] }
        return [only.claim.key]
    }
}

extension CallKey {
    fileprivate var sortKey: String { "\(identity.call.rawValue)\u{1}\(attempt)\u{1}\(observer.rawValue)" }
}
