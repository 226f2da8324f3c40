import CallModel
import Collector
import CollectorServer
import Metrics
import PrometheusText

/// What `sidetone serve` meters, and how it is shown.
struct ServeMetrics: Sendable {
    let registry = MetricRegistry(MetricCatalogue.all)
    let collector: CollectorMeter
    let server: ServerMeter
    private let calls: Meter
    private let submissions: Meter
    private let facts: Meter

    /// - Parameter sensor: what listens to the wire; nil for nothing.
    init(sensor: Sensor?) {
        collector = CollectorMeter(factory: registry, nanoseconds: Clock.uptimeNanoseconds)
        server = ServerMeter(factory: registry, nanoseconds: Clock.uptimeNanoseconds)
        calls = Meter(label: "sidetone_calls_active", factory: registry)
        submissions = Meter(label: "sidetone_ingest_queue_submissions", factory: registry)
        facts = Meter(label: "sidetone_ingest_queue_facts", factory: registry)
        let build = [
            ("version", ProductVersion.current), ("rules", "\(CollectorMeter.rulesVersion)"), ("store", "sqlite"),
        ]
        Meter(label: "sidetone_build_info", dimensions: build, factory: registry).set(1)
        let startedAt = Clock.now()
        registry.observe { ProcessFigures.read(startedAt: startedAt) }
        if let sensor { registry.observe { sensor.view.observations } }
    }

    /// All metrics as of now.
    func text(of collector: CallCollector) async -> String {
        let queue = await collector.queue
        submissions.set(queue.submissions)
        facts.set(queue.facts)
        calls.set(self.collector.liveCalls)
        return registry.text
    }
}
