public import CallModel

/// Goes through what nodes wrote to a shared store lately, and puts calls together that are there in parts.
///
/// Whoever makes a pass notes how far it came, so that others go on from there. Two at once do the same twice, and no
/// harm.
public struct MergePass: Sendable {
    /// What a pass did.
    public struct Report: Hashable, Sendable {
        /// Calls that were put together, with their sessions one.
        public var merged = 0
        /// Those that could not be, and why.
        public var failures: [CallIdentity: String] = [:]
        /// Calls that were removed there by the limits of number and age.
        public var evicted = 0
        /// Records of which rows that none shows were taken out.
        public var cleaned = 0
        /// Whether more waits.
        public var isFull = false

        public init() {}
    }

    /// What several nodes write to; another one when it was opened anew.
    var store: any SharedCallStore
    private let settings: MergingSettings
    /// Those that are tried again.
    private var failed: Set<CallIdentity> = []
    /// Where the last pass ended that did not come to an end.
    private var cursor: WrittenCall?
    private var retentionClock = RetentionClock()

    /// - Parameters:
    ///   - store: what several nodes write to.
    ///   - settings: how much at a time.
    public init(on store: any SharedCallStore, settings: MergingSettings = MergingSettings()) {
        self.store = store
        self.settings = settings
    }

    /// Makes a pass, unless another node did not long ago.
    /// - Parameters:
    ///   - now: the collector's clock, for the limits of age.
    ///   - isForced: whether it is made in any case.
    /// - Returns: what was done; `nil` when it is another node's turn.
    /// - Throws: ``CallStoreError`` when the store cannot be read; what could not be derived is in the report.
    public mutating func run(now: Timestamp, isForced: Bool = false) async throws -> Report? {
        let began = try await store.seconds()
        let pause = settings.interval.components.seconds
        if !isForced, let last = try await store.note(.mergingBegan), last <= began, began - last < pause * 4 / 5 {
            return nil
        }
        try await store.keep(.mergingBegan, began)
        var report = Report()
        try await merge(until: began, into: &report)
        try await retain(at: began, now: now, into: &report)
        try await clean(at: began, into: &report)
        return report
    }

    // MARK: Merging

    private mutating func merge(until end: Int64, into report: inout Report) async throws {
        try await mergeAgain(until: end, into: &report)
        let start = min(end, try await store.note(.mergedUpTo) ?? 0)
        var last = cursor
        var seen = 0
        while true {
            try Task.checkCancellation()
            let page = try await store.writtenCalls(
                since: start - settings.overlapSeconds, after: last, limit: settings.callsPerPage)
            try await merge(Set(page.map(\.identity)), until: end, into: &report)
            seen += page.count
            last = page.last ?? last
            guard page.count == settings.callsPerPage else { break }
            guard seen < settings.callsPerPass else {
                report.isFull = true
                break
            }
        }
        cursor = report.isFull ? last : nil
        try await store.keep(.mergedUpTo, report.isFull ? min(end, last?.seconds ?? end) : end)
    }

    /// Those that could not be put together before.
    private mutating func mergeAgain(until end: Int64, into report: inout Report) async throws {
        let again = failed
        failed = []
        do {
            try await merge(again, until: end, into: &report)
        } catch {
            failed.formUnion(again)
            throw error
        }
    }

    private mutating func merge(
        _ calls: Set<CallIdentity>, until end: Int64, into report: inout Report
    ) async throws {
        let groups = try await store.groupsInParts(among: calls, settled: end - settings.settlingSeconds)
        var some: [CallGroup] = []
        var facts = 0
        for group in groups {
            guard group.facts <= settings.mostFacts else {
                note(group, "there are more than \(settings.mostFacts) reports and events of it", in: &report)
                continue
            }
            if !some.isEmpty, facts + group.facts > settings.mostFacts {
                try await merge(some, into: &report)
                (some, facts) = ([], 0)
            }
            some.append(group)
            facts += group.facts
        }
        try await merge(some, into: &report)
    }

    /// Puts groups together in one commit; when that is refused, each by itself, so that one costs no other.
    private mutating func merge(_ groups: [CallGroup], into report: inout Report) async throws {
        guard !groups.isEmpty else { return }
        try Task.checkCancellation()
        do {
            let silence = settings.attemptSilenceMilliseconds
            let parts = try await store.parts(of: groups)
            var merges: [CallMerge] = []
            for part in parts { merges.append(try await CallMerger(part, silenceMilliseconds: silence).merge()) }
            report.merged += try await store.commit(merges)
        } catch let error as any StoreFailure where error.recourse == .setAside || error.isOfWhatIsStored {
            guard groups.count > 1 else { return note(groups[0], "\(error)", in: &report) }
            for group in groups { try await merge([group], into: &report) }
        }
    }

    private mutating func note(_ group: CallGroup, _ reason: String, in report: inout Report) {
        guard let first = group.identities.min(by: { $0.call.rawValue < $1.call.rawValue }) else { return }
        report.failures[first] = reason
        if failed.count < settings.mostFailures { failed.insert(first) }
    }

    // MARK: What else has to be done once for all nodes

    private mutating func retain(at seconds: Int64, now: Timestamp, into report: inout Report) async throws {
        if retentionClock.isNew, let latest = try await store.latestReceipt() {
            retentionClock.begin(after: latest, showing: now)
        }
        let now = retentionClock.now(now)
        guard let retention = settings.retention else { return }
        if let last = try await store.note(.retained), last <= seconds, seconds - last < settings.retentionSeconds {
            return
        }
        try await store.keep(.retained, seconds)
        let done = try await store.enforce(retention, now: now)
        report.evicted = done.evictedByCount + done.evictedByAge
    }

    private func clean(at seconds: Int64, into report: inout Report) async throws {
        let end = seconds - settings.cleaningAgeSeconds
        guard let start = try await store.note(.cleanedUpTo) else {
            return try await store.keep(.cleanedUpTo, end)
        }
        guard end - start >= settings.cleaningSeconds else { return }
        var from = start
        while from < end, !Task.isCancelled {
            let to = min(end, from + Self.cleaningStepSeconds)
            report.cleaned += try await store.removeOldRows(from: from, to: to)
            try await store.keep(.cleanedUpTo, to)
            from = to
        }
    }

    /// Records written in so long are looked at in one step.
    private static let cleaningStepSeconds: Int64 = 600
}

extension StoreFailure {
    /// Whether it is what is stored of some call that cannot be understood: others are not concerned.
    fileprivate var isOfWhatIsStored: Bool {
        if case .damaged? = self as? CallStoreError { true } else { false }
    }
}
