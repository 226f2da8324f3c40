/// When a call went on, as far as can be told.
struct SessionSpan {
    var claim: SessionClaim
    var start: Timestamp
    var end: Timestamp
    /// Whether something said that it ended; else it may go on.
    var isOver: Bool

    /// Whether it is of another call, at the same time.
    func isRival(of other: Self) -> Bool {
        start <= other.end && other.start <= end && claim.key.identity != other.claim.key.identity
    }
}

/// Tells when the calls of a session went on.
struct SessionSpans {
    private let items: [SessionShare.Item]
    private let endings: SessionEndings
    private let nextStarts: [CallKey: Timestamp]
    private var courses: [ObserverID: ToldCourse] = [:]

    /// - Parameters:
    ///   - claims: All claims on the session.
    ///   - items: All that was told under its id, in order.
    init(_ claims: [SessionClaim], told items: [SessionShare.Item]) {
        self.items = items
        endings = SessionEndings(of: claims)
        nextStarts = Self.nextStarts(claims)
    }

    /// From the first to the last fact under the call's own id. Where none of them says that it began or ended there, it
    /// reaches as far as what was told under the session's id goes on without a break.
    mutating func span(of claim: SessionClaim) -> SessionSpan {
        var span = SessionSpan(claim: claim, start: claim.start, end: claim.latest, isOver: claim.endedAt != nil)
        guard !claim.isBegun || claim.endedAt == nil else { return span }
        let course = course(of: claim.key.observer)
        if !claim.isBegun, let start = course.start(before: span.start, after: endings.bound(of: claim)) {
            span.start = start
        }
        if claim.endedAt == nil, let last = course.end(after: span.end, before: nextStarts[claim.key]) {
            (span.end, span.isOver) = last
        }
        return span
    }

    private mutating func course(of observer: ObserverID) -> ToldCourse {
        if let known = courses[observer] { return known }
        let course = ToldCourse(
            items.filter { $0.mayBe(of: observer) && $0.fact.isOfOneCall }.map(\.fact))
        courses[observer] = course
        return course
    }

    /// When the first of the later attempts of a record's call began.
    private static func nextStarts(_ claims: [SessionClaim]) -> [CallKey: Timestamp] {
        var starts: [CallKey: Timestamp] = [:]
        for call in Dictionary(grouping: claims, by: \.key.identity).values where call.count > 1 {
            var next: Timestamp?
            for (_, attempt) in Dictionary(grouping: call, by: \.key.attempt).sorted(by: { $0.key > $1.key }) {
                for claim in attempt { starts[claim.key] = next }
                next = attempt.map(\.start).reduce(next) { min($0 ?? $1, $1) }
            }
        }
        return starts
    }
}

/// When the calls of a session ended that something said the end of.
struct SessionEndings {
    private let ended: [SessionClaim]

    init(of claims: [SessionClaim]) {
        ended = claims.filter { $0.endedAt != nil }.sorted { $0.latest < $1.latest }
    }

    /// What is not after this is not of a call that nothing says the beginning of, for another one was then.
    func bound(of claim: SessionClaim) -> Timestamp? {
        ended[..<ended.firstPlace { $0.latest >= claim.start }].last { $0.key != claim.key }?.latest
            .advanced(byMilliseconds: SessionShare.graceMilliseconds)
    }
}

extension SessionClaim {
    /// The last moment of which something is known.
    var latest: Timestamp { max(lastActivity, endedAt ?? lastActivity) }
}

extension SessionShare.Item {
    /// A sender that did not say who it is may be any observer of its session.
    func mayBe(of observer: ObserverID) -> Bool {
        holder.observer == observer || holder.observer == .client || observer == .client
    }
}
