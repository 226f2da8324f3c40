public import CoreMetrics
import Synchronization

/// The metrics of a program, and what they are at a moment, in the text format of Prometheus.
///
/// It knows what it may be asked for: every metric is described beforehand, and each has a bounded number of series.
/// Instruments are made once and kept by those who meter; what they write then goes into atomics. A class, for all of
/// them share it.
public final class MetricRegistry: Sendable {
    /// Series that a metric has at most. Those beyond are not metered, and say so in ``problems``.
    public static let seriesLimit = 1_000

    private let descriptions: [MetricDescription]
    private let state: Mutex<State>

    private struct State {
        var series: [String: [LabelText: any MetricCell]] = [:]
        var observers: [@Sendable () -> [Observation]] = []
        var problems: Set<String> = []
    }

    /// A value that somebody else keeps, read when metrics are asked for.
    public struct Observation: Sendable {
        let name: String
        let labels: LabelText
        let value: Double

        /// - Parameters:
        ///   - name: of a described counter or gauge.
        ///   - labels: names and values, as described.
        ///   - value: what it is now.
        public init(_ name: String, labels: [(String, String)] = [], value: Double) {
            self.name = name
            self.labels = LabelText(labels)
            self.value = value
        }
    }

    /// - Parameter descriptions: everything there is to meter, each name once.
    public init(_ descriptions: [MetricDescription]) {
        self.descriptions = descriptions
        state = Mutex(State())
    }

    /// Has `read` called whenever metrics are asked for; it must not wait.
    public func observe(_ read: @escaping @Sendable () -> [Observation]) {
        state.withLock { $0.observers.append(read) }
    }

    /// What was asked for and could not be given: metrics that are not described, of another kind, with other labels,
    /// or with too many series. Empty in a program without mistakes.
    public var problems: [String] {
        state.withLock { $0.problems.sorted() }
    }

    /// All metrics that have a series, each with its description; ends with a line break.
    public var text: String {
        let (series, observers) = state.withLock { ($0.series, $0.observers) }
        let observed = Dictionary(grouping: observers.flatMap { $0() }, by: \.name)
        var lines: [String] = []
        for description in descriptions {
            let name = description.name
            var own = (series[name] ?? [:]).map { labels, cell in
                (labels.description, cell.lines(name, labels))
            }
            own += (observed[name] ?? []).map {
                ($0.labels.description, ["\(name)\($0.labels) \($0.value.exposed)"])
            }
            guard !own.isEmpty else { continue }
            lines.append("# HELP \(name) \(description.help.escapedAsHelp)")
            lines.append("# TYPE \(name) \(description.type)")
            lines += own.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

// MARK: - Instruments

extension MetricRegistry: MetricsFactory {
    /// The counter of a series.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(label, dimensions) { $0 == .counter ? CounterCell() : nil } ?? NOOPMetricsHandler.instance
    }

    /// The counter of a series, of what is no whole number.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        cell(label, dimensions) { $0 == .counter ? CounterCell() : nil } ?? NOOPMetricsHandler.instance
    }

    /// The gauge of a series.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        cell(label, dimensions) { $0 == .gauge ? GaugeCell() : nil } ?? NOOPMetricsHandler.instance
    }

    /// The histogram of a series; without aggregation its gauge.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        let found: (any RecorderHandler)? =
            aggregate
            ? histogram(label, dimensions) : cell(label, dimensions) { $0 == .gauge ? GaugeCell() : nil }
        return found ?? NOOPMetricsHandler.instance
    }

    /// The histogram of a series, in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    /// A series lasts as long as the program does.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing.
    public func destroyTimer(_ handler: any TimerHandler) {}

    private func histogram(_ name: String, _ labels: [(String, String)]) -> HistogramCell? {
        cell(name, labels) { kind in
            if case .histogram(let bounds) = kind { HistogramCell(bounds: bounds) } else { nil }
        }
    }

    /// The cell of a series, made when it is asked for the first time.
    private func cell<Cell: MetricCell>(
        _ name: String, _ labels: [(String, String)], make: (MetricDescription.Kind) -> Cell?
    ) -> Cell? {
        guard let description = descriptions.first(where: { $0.name == name }) else {
            return refuse("\(name) is not described")
        }
        guard labels.map(\.0) == description.labels else {
            return refuse("\(name) has the labels \(labels.map(\.0)); described are \(description.labels)")
        }
        guard let new = make(description.kind) else { return refuse("\(name) is a \(description.type)") }
        let text = LabelText(labels)
        return state.withLock { state in
            if let known = state.series[name]?[text] { return known as? Cell }
            guard state.series[name]?.count ?? 0 < Self.seriesLimit else {
                state.problems.insert("\(name) has more than \(Self.seriesLimit) series")
                return nil
            }
            state.series[name, default: [:]][text] = new
            return new
        }
    }

    private func refuse<Cell>(_ problem: String) -> Cell? {
        state.withLock { _ = $0.problems.insert(problem) }
        return nil
    }
}
