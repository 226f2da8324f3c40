public import Metrics

/// What is metered of putting calls together in a shared store. docs/operations.md says what each metric means.
public final class MergingMeter: Sendable {
    private let merged: Counter
    private let evicted: Counter
    private let failedCalls: Counter
    private let failedPasses: Counter
    private let duration: Timer
    private let nanoseconds: @Sendable () -> Int64

    /// - Parameters:
    ///   - factory: makes the instruments; by default what is metered goes nowhere.
    ///   - nanoseconds: a clock that only moves forward, for durations.
    public init(
        factory: any MetricsFactory = NOOPMetricsHandler.instance, nanoseconds: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        merged = Counter(label: "sidetone_merged_calls_total", factory: factory)
        evicted = Counter(label: "sidetone_merge_evicted_calls_total", factory: factory)
        let label = "sidetone_merge_errors_total"
        failedCalls = Counter(label: label, dimensions: [("reason", "call")], factory: factory)
        failedPasses = Counter(label: label, dimensions: [("reason", "store")], factory: factory)
        duration = Timer(label: "sidetone_merge_duration_seconds", dimensions: [], factory: factory)
        self.nanoseconds = nanoseconds
    }

    func moment() -> Int64 { nanoseconds() }

    func count(_ report: MergePass.Report, since moment: Int64) {
        duration.recordNanoseconds(nanoseconds() - moment)
        merged.increment(by: report.merged)
        evicted.increment(by: report.evicted)
        failedCalls.increment(by: report.failures.count)
    }

    /// Counts a pass that could not be made.
    func countFailure() { failedPasses.increment() }
}
