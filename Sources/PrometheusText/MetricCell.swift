import CoreMetrics
import Synchronization

/// Where the value of one series is kept. Written by atomics alone: to meter something never waits.
protocol MetricCell: Sendable {
    /// The lines of the series.
    func lines(_ name: String, _ labels: LabelText) -> [String]
}

/// A number of 64 bits that many write, as the sum of what they add or as the last they set.
///
/// A class, for the instruments of one series share it.
final class AtomicNumber: Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func add(_ amount: Double) {
        var seen = bits.load(ordering: .relaxed)
        while true {
            let sum = (Double(bitPattern: seen) + amount).bitPattern
            let result = bits.compareExchange(expected: seen, desired: sum, ordering: .relaxed)
            guard !result.exchanged else { return }
            seen = result.original
        }
    }
}

/// A count of events.
final class CounterCell: MetricCell, CounterHandler, FloatingPointCounterHandler {
    private let count = Atomic<Int64>(0)
    private let rest = AtomicNumber()

    func increment(by amount: Int64) {
        count.wrappingAdd(max(0, amount), ordering: .relaxed)
    }

    func increment(by amount: Double) {
        if amount > 0, amount.isFinite { rest.add(amount) }
    }

    /// A counter only grows; there is nothing to reset while the program runs.
    func reset() {}

    func lines(_ name: String, _ labels: LabelText) -> [String] {
        ["\(name)\(labels) \((Double(count.load(ordering: .relaxed)) + rest.value).exposed)"]
    }
}

/// A value that goes up and down.
final class GaugeCell: MetricCell, MeterHandler, RecorderHandler {
    private let number = AtomicNumber()

    func set(_ value: Int64) { number.set(Double(value)) }
    func set(_ value: Double) { number.set(value) }
    func increment(by amount: Double) { number.add(amount) }
    func decrement(by amount: Double) { number.add(-amount) }
    func record(_ value: Int64) { number.set(Double(value)) }
    func record(_ value: Double) { number.set(value) }

    func lines(_ name: String, _ labels: LabelText) -> [String] {
        ["\(name)\(labels) \(number.value.exposed)"]
    }
}

/// Counts of values by their size, and their sum.
final class HistogramCell: MetricCell, RecorderHandler, TimerHandler {
    /// A class, for an array cannot hold atomics.
    private final class Bucket: Sendable {
        let count = Atomic<Int>(0)
    }

    private let bounds: [Double]
    /// One more than bounds.
    private let buckets: [Bucket]
    private let sum = AtomicNumber()

    init(bounds: [Double]) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Bucket() }
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        buckets[index].count.wrappingAdd(1, ordering: .relaxed)
        sum.add(value)
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func lines(_ name: String, _ labels: LabelText) -> [String] {
        var lines: [String] = []
        var count = 0
        for (index, bucket) in buckets.enumerated() {
            count += bucket.count.load(ordering: .relaxed)
            let bound = index < bounds.count ? bounds[index] : .infinity
            lines.append("\(name)_bucket\(labels.with("le", bound.exposed)) \(count)")
        }
        return lines + ["\(name)_sum\(labels) \(sum.value.exposed)", "\(name)_count\(labels) \(count)"]
    }
}
