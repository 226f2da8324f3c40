/// What was told under the id of a session, given to the calls that claim it.
///
/// What befalls the whole session (its connection, network, registration) befalls every call that goes on. Everything
/// else is of one call: the only one that goes on at that time. Where two calls go on at once, it is of neither for
/// certain, and stays with the session. The result depends on the facts alone, not on the order in which they came.
///
/// Softphones have one session for years: with calls and facts in order of time, each is looked at beside those only that
/// go on then.
package struct SessionShare: Sendable {
    /// A fact that was told under the session's id.
    package struct Item: Sendable {
        /// The record it is stored in.
        package var holder: CallKey
        package var fact: Fact

        package init(holder: CallKey, fact: Fact) {
            self.holder = holder
            self.fact = fact
        }
    }

    private let items: [Item]
    /// In order of their starts.
    private let spans: [SessionSpan]
    /// For every span the start of the first one that began after its end.
    private let successors: [Timestamp?]
    /// For every item the places in ``spans`` of the calls it is of.
    private var takers: [[Int]] = []
    /// For every span whether something of one call was told in its time that is of none for certain.
    private var areInDoubt: [Bool] = []

    /// Reports and events further apart than this are of two calls, if nothing says where one ends.
    package static let silenceMilliseconds: Int64 = 300_000
    /// A last report may follow the event that ends a call.
    package static let graceMilliseconds: Int64 = 10_000

    /// - Parameters:
    ///   - claims: All claims on the session.
    ///   - items: All that was told under its id.
    package init(claims: [SessionClaim], items: [Item]) {
        let told = Self.inOrder(items)
        var finder = SessionSpans(claims, told: told)
        let spans = claims.map { finder.span(of: $0) }.sorted(by: Self.areInOrder)
        self.items = told
        self.spans = spans
        successors = spans.map { span in
            let next = spans.firstPlace { $0.start > span.end }
            return next < spans.count ? spans[next].start : nil
        }
        divide()
    }

    /// What a call has from the session.
    package func items(of key: CallKey) -> [Item] {
        let own = spans.indices.filter { spans[$0].claim.key == key }
        return zip(items, takers).filter { $1.contains(where: own.contains) }.map(\.0)
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
        let rivals = spans.indices.filter { spans[$0].isRival(of: spans[own]) }
        guard areInDoubt[own] || rivals.contains(where: { areInDoubt[$0] }) else { return [] }
        return Set(rivals.map { spans[$0].claim.key.identity }).sorted { $0.call.rawValue < $1.call.rawValue }
    }

    /// Whether something in a record of the session is of no call.
    package func hasRest(in holder: CallKey) -> Bool {
        zip(items, takers).contains { item, takers in
            takers.isEmpty && item.holder == holder && !item.fact.isOfSession
        }
    }
}

// MARK: - Calls that went

extension SessionShare {
    /// What was told of a session before this is of none of the calls that stay; `nil` when some of it may be.
    package static func beginning(of staying: [SessionClaim], among claims: [SessionClaim]) -> Timestamp? {
        let endings = SessionEndings(of: claims)
        var first: Timestamp?
        for claim in staying {
            guard let start = claim.isBegun ? claim.start : endings.bound(of: claim) else { return nil }
            first = min(first ?? start, start)
        }
        return first
    }

    /// The claims of calls that went which nothing needs any more, for they were over before: all but the last one to end,
    /// which bounds what later calls have of the session.
    package static func spent(_ gone: [SessionClaim], before time: Timestamp) -> [SessionClaim] {
        gone.filter { $0.latest < time }
            .sorted { $0.latest == $1.latest ? $0.key.sortKey < $1.key.sortKey : $0.latest < $1.latest }
            .dropLast()
    }
}

// MARK: - Whose a fact is

extension SessionShare {
    /// Goes through what was told, beside the calls that go on then.
    private mutating func divide() {
        let contested = Self.contested(spans)
        takers = Array(repeating: [], count: items.count)
        areInDoubt = Array(repeating: false, count: spans.count)
        var present: [Int] = []
        var begun = 0
        for (index, item) in items.enumerated() where item.fact.canBeShared {
            let time = item.fact.time
            present.removeAll { isPast($0, at: time) }
            while begun < spans.count, spans[begun].start <= time {
                if !isPast(begun, at: time) { present.append(begun) }
                begun += 1
            }
            let isOfSession = item.fact.isOfSession
            let reaching = present.filter { isOfSession ? goesOn($0, at: time) : has($0, at: time) }
            if isOfSession {
                takers[index] = concerned(by: item, among: reaching)
            } else if reaching.contains(where: { !contested[$0] }), let owner = owner(of: item, among: reaching),
                !contested[owner]
            {
                takers[index] = [owner]
            } else {
                for place in reaching { areInDoubt[place] = true }
            }
        }
    }

    private func concerned(by item: Item, among places: [Int]) -> [Int] {
        places.filter { item.mayBe(of: spans[$0].claim.key.observer) }
    }

    /// Of several observers of one call it is the one that is named as the teller.
    private func owner(of item: Item, among places: [Int]) -> Int? {
        let concerned = concerned(by: item, among: places)
        let named = concerned.filter { spans[$0].claim.key.observer == item.holder.observer }
        let candidates = named.isEmpty ? concerned : named
        return candidates.count == 1 ? candidates.first : nil
    }

    /// Whether nothing that is told from now on is of a call that began.
    private func isPast(_ place: Int, at time: Timestamp) -> Bool {
        let silence = time.milliseconds(since: spans[place].end)
        return silence > max(Self.graceMilliseconds, CallSummary.silenceLimitMilliseconds)
    }

    /// Whether what befalls the session befalls a call that began: one that is not over may go on for as long as silence
    /// says nothing.
    private func goesOn(_ place: Int, at time: Timestamp) -> Bool {
        let span = spans[place]
        return time <= span.end
            || !span.isOver && time.milliseconds(since: span.end) < CallSummary.silenceLimitMilliseconds
    }

    /// Whether what is of one call may be of this one, which began: one that is over may have a last report, if no other
    /// has begun by then.
    private func has(_ place: Int, at time: Timestamp) -> Bool {
        let span = spans[place]
        if time <= span.end { return true }
        let isFree = successors[place].map { $0 > time } ?? true
        return span.isOver && isFree && time.milliseconds(since: span.end) <= Self.graceMilliseconds
    }

    /// For every call whether another goes on at the same time.
    private static func contested(_ spans: [SessionSpan]) -> [Bool] {
        var contested = Array(repeating: false, count: spans.count)
        /// Of the calls so far the one that goes on longest, and of the others again.
        var (longest, second): (SessionSpan?, SessionSpan?)
        for (place, span) in spans.enumerated() {
            let isOfLongest = longest?.claim.key.identity == span.claim.key.identity
            let other = isOfLongest ? second : longest
            contested[place] = other?.isRival(of: span) == true
            if longest.map({ $0.end < span.end }) ?? true {
                (longest, second) = (span, other)
            } else if !isOfLongest, second.map({ $0.end < span.end }) ?? true {
                second = span
            }
        }
        /// The first one after a call that is of another.
        var next: SessionSpan?
        for (place, following) in zip(spans.indices, spans.indices.dropFirst()).reversed() {
            if spans[place].claim.key.identity != spans[following].claim.key.identity { next = spans[following] }
            if next?.isRival(of: spans[place]) == true { contested[place] = true }
        }
        return contested
    }
}

// MARK: - Order

extension SessionShare {
    private static func inOrder(_ items: [Item]) -> [Item] {
        let keys = items.map(\.fact.key)
        return items.indices.sorted { left, right in
            guard keys[left] == keys[right] else { return keys[left] < keys[right] }
            return items[left].holder.sortKey < items[right].holder.sortKey
        }.map { items[$0] }
    }

    private static func areInOrder(_ left: SessionSpan, _ right: SessionSpan) -> Bool {
        left.start == right.start
            ? left.claim.key.sortKey < right.claim.key.sortKey : left.start < right.start
    }
}

extension CallKey {
    fileprivate var sortKey: String { "\(identity.call.rawValue)\u{1}\(attempt)\u{1}\(observer.rawValue)" }
}
