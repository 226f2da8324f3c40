import CallModel
import Metrics

/// Counters of how calls went, once they are over.
struct EndingInstruments: Sendable {
    private let reasons: [String: Counter]
    private let score: Recorder
    private let phases: [(phase: CallEnding.Phase, timer: Timer)]

    init(_ factory: any MetricsFactory) {
        reasons = Dictionary(
            uniqueKeysWithValues: (CallEndCause.allCases.map(\.rawValue) + [CallEnding.silent]).map {
                let label = "sidetone_calls_finished_total"
                return ($0, Counter(label: label, dimensions: [("reason", $0)], factory: factory))
            })
        score = Recorder(label: "sidetone_call_quality_score", aggregate: true, factory: factory)
        phases = CallEnding.Phase.allCases.map {
            let label = "sidetone_call_setup_duration_seconds"
            return ($0, Timer(label: label, dimensions: [("phase", "\($0)")], factory: factory))
        }
    }

    func count(_ ending: CallEnding) {
        reasons[ending.reason]?.increment()
        if let points = ending.score { score.record(points) }
        for (phase, timer) in phases {
            if let milliseconds = ending.milliseconds(phase) { timer.recordMilliseconds(milliseconds) }
        }
    }
}
