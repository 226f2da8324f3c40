import CallModel
import CallQuality
public import Metrics
import Synchronization

/// What the collector meters of itself and of the calls it collects. docs/operations.md says what each metric means.
///
/// Instruments are made once; to meter a fact is an atomic addition. What goes on in calls is noted once a commit, under
/// a lock that nobody else holds for long. A class, for the collector and those who show metrics share it.
public final class CollectorMeter: Sendable {
    /// The version of the rules that calls are derived by.
    public static let rulesVersion = ScoreModel.rulesVersion

    private let facts: FactInstruments
    private let media: MediaInstruments
    private let endings: EndingInstruments
    private let commits: Timer
    private let failures: [StoreOperation: Counter]
    private let damaged: [RecordDamage.Part: Counter]
    private let refolds: Counter
    private let evictions: Counter
    private let nanoseconds: @Sendable () -> Int64
    private let calls = Mutex(LiveCalls())

    /// - Parameters:
    ///   - factory: makes the instruments; by default what is metered goes nowhere.
    ///   - nanoseconds: a clock that only moves forward, for durations.
    public init(
        factory: any MetricsFactory = NOOPMetricsHandler.instance, nanoseconds: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        facts = FactInstruments(factory)
        media = MediaInstruments(factory)
        endings = EndingInstruments(factory)
        commits = Timer(label: "sidetone_store_write_duration_seconds", dimensions: [], factory: factory)
        failures = Dictionary(
            uniqueKeysWithValues: StoreOperation.allCases.map {
                let label = "sidetone_store_errors_total"
                return ($0, Counter(label: label, dimensions: [("operation", $0.rawValue)], factory: factory))
            })
        damaged = Dictionary(
            uniqueKeysWithValues: RecordDamage.Part.allCases.map {
                let label = "sidetone_store_damaged_records_total"
                return ($0, Counter(label: label, dimensions: [("part", $0.rawValue)], factory: factory))
            })
        refolds = Counter(label: "sidetone_refolds_total", factory: factory)
        evictions = Counter(label: "sidetone_retention_deleted_calls_total", factory: factory)
        self.nanoseconds = nanoseconds
    }

    /// Calls of which something was heard lately and which have not ended, all observers of one counted once.
    public var liveCalls: Int {
        calls.withLock { $0.count }
    }
}

// MARK: - What the collector tells

extension CollectorMeter {
    /// A moment on the meter's own clock, for ``committed(_:since:now:)``.
    func moment() -> Int64 { nanoseconds() }

    /// Takes in what became of submitted facts, after they were stored.
    func count(_ submissions: [Submission], _ outcomes: [[FactOutcome]]) {
        for (submission, outcomes) in zip(submissions, outcomes) {
            for (item, outcome) in zip(submission.facts, outcomes) { facts.count(item.fact, outcome) }
        }
    }

    /// Takes in that changes were stored.
    func committed(_ changes: [RecordChange], since moment: Int64, now: Timestamp) {
        commits.recordNanoseconds(nanoseconds() - moment)
        for change in changes {
            switch change.derived {
            case .append(let intervals, _): media.count(intervals)
            // Counted when they came.
            case .replace: refolds.increment()
            }
        }
        calls.withLock { calls in
            for change in changes {
                let sessions = change.claims.map(\.session)
                calls.note(change.summary, claims: sessions, isNews: !change.facts.isEmpty, now: now)
            }
        }
    }

    /// Takes in that something could not be stored, or read.
    func failed(_ operation: StoreOperation, _ error: any Error) {
        guard error is CallStoreError else { return }
        failures[operation]?.increment()
    }

    /// Takes in that a part of a record cannot be understood, for the first time.
    func met(_ damage: RecordDamage) {
        damaged[damage.part]?.increment()
    }

    /// Takes in that calls were evicted.
    func evicted(_ calls: Int) {
        evictions.increment(by: calls)
    }

    /// Takes in a record that went on when the program before this one ended.
    func adopt(_ summary: CallSummary, claims: [CallIdentity]) {
        calls.withLock { $0.adopt(summary, claims: claims) }
    }

    /// Takes in that a call was erased.
    func erased(_ call: CallIdentity) {
        calls.withLock { $0.erase(call) }
    }

    /// Whether a call goes on, or did lately.
    func knows(_ call: CallIdentity) -> Bool {
        calls.withLock { $0.knows(call) }
    }

    /// Whether a tenant may have one more call going on; see ``LiveCalls/admits(_:besides:limit:)``.
    func admits(_ call: CallIdentity, besides others: Int, limit: Int) -> Bool {
        calls.withLock { $0.admits(call, besides: others, limit: limit) }
    }

    /// Counts the calls that are over by now.
    func countEndings(now: Timestamp) {
        for ending in calls.withLock({ $0.takeEndings(now: now) }) { endings.count(ending) }
    }
}
