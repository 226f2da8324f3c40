public import CallModel
public import Metrics
import Synchronization

/// What is metered of shipping. docs/operations.md says what each metric means.
///
/// A class, for the one who ships and those who show metrics share it.
public final class ShippingMeter: Sendable {
    /// Why a batch was not stored, or a record was set aside.
    private let errors: [StoreRecourse: Counter]
    private let gone: Counter
    private let records: Counter
    private let erasures: Counter
    private let duration: Timer
    private let entries: Meter
    private let bytes: Meter
    private let oldestAge: Meter
    private let setAside: Meter
    private let dropped: Counter
    /// Entries that were given up before this program began to count, or are counted; `nil` until it did.
    private let knownDropped = Mutex<Int?>(nil)
    private let nanoseconds: @Sendable () -> Int64

    /// - Parameters:
    ///   - factory: makes the instruments; by default what is metered goes nowhere.
    ///   - nanoseconds: a clock that only moves forward, for durations.
    public init(
        factory: any MetricsFactory = NOOPMetricsHandler.instance, nanoseconds: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        errors = Dictionary(
            uniqueKeysWithValues: StoreRecourse.allCases.map { recourse in
                let reason = [("reason", recourse.label)]
                return (recourse, Counter(label: "sidetone_ship_errors_total", dimensions: reason, factory: factory))
            })
        gone = Counter(label: "sidetone_ship_errors_total", dimensions: [("reason", "gone")], factory: factory)
        records = Counter(label: "sidetone_shipped_records_total", factory: factory)
        erasures = Counter(label: "sidetone_shipped_erasures_total", factory: factory)
        duration = Timer(label: "sidetone_ship_duration_seconds", dimensions: [], factory: factory)
        entries = Meter(label: "sidetone_spool_batches", factory: factory)
        bytes = Meter(label: "sidetone_spool_bytes", factory: factory)
        oldestAge = Meter(label: "sidetone_spool_oldest_age_seconds", factory: factory)
        setAside = Meter(label: "sidetone_spool_records_set_aside", factory: factory)
        dropped = Counter(label: "sidetone_spool_dropped_batches_total", factory: factory)
        self.nanoseconds = nanoseconds
    }
}

extension StoreRecourse {
    /// What a failure that asks for it is counted under.
    fileprivate var label: String {
        switch self {
        case .retry: "unavailable"
        case .setAside: "refused"
        case .mend: "misconfigured"
        }
    }
}

extension ShippingMeter {
    /// A moment on the meter's own clock, for ``count(_:since:)``.
    func moment() -> Int64 { nanoseconds() }

    func count(_ step: Shipper.Step, since moment: Int64) {
        switch step {
        case .idle: break
        case .shipped(let shipment):
            duration.recordNanoseconds(nanoseconds() - moment)
            records.increment(by: shipment.records)
            erasures.increment(by: shipment.erasures)
            gone.increment(by: shipment.gone)
            errors[.setAside]?.increment(by: shipment.setAside.count)
        case .failed(let recourse, _): errors[recourse]?.increment()
        }
    }

    /// Shows how much waits.
    public func show(_ figures: OutboxFigures, now: Timestamp) {
        entries.set(figures.entries)
        bytes.set(figures.bytes)
        oldestAge.set(figures.oldest.map { max(0, now.seconds(since: $0)) } ?? 0)
        setAside.set(figures.recordsSetAside)
        let news = knownDropped.withLock { known in
            defer { known = max(known ?? 0, figures.dropped) }
            return figures.dropped - (known ?? figures.dropped)
        }
        if news > 0 { dropped.increment(by: news) }
    }
}
