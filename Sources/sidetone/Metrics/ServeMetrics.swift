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
    let live: LiveHub
    let shipping: ShippingMeter
    let merging: MergingMeter
    private let watching: Meter
    private let calls: Meter
    private let submissions: Meter
    private let facts: Meter

    /// - Parameters:
    ///   - database: the path of the database file.
    ///   - sensor: what listens to the wire; nil for nothing.
    ///   - limits: how many may watch.
    init(database: String, sensor: Sensor?, watching limits: LiveLimits = LiveLimits()) {
        collector = CollectorMeter(factory: registry, nanoseconds: Clock.uptimeNanoseconds)
        server = ServerMeter(factory: registry, nanoseconds: Clock.uptimeNanoseconds)
        live = LiveHub(limits: limits, startedAt: Clock.now(), factory: registry)
        shipping = ShippingMeter(factory: registry, nanoseconds: Clock.uptimeNanoseconds)
        merging = MergingMeter(factory: registry, nanoseconds: Clock.uptimeNanoseconds)
        watching = Meter(label: "sidetone_live_subscribers", factory: registry)
        calls = Meter(label: "sidetone_calls_active", factory: registry)
        submissions = Meter(label: "sidetone_ingest_queue_submissions", factory: registry)
        facts = Meter(label: "sidetone_ingest_queue_facts", factory: registry)
        let build = [
            ("version", ProductVersion.current), ("rules", "\(CollectorMeter.rulesVersion)"), ("store", "sqlite"),
        ]
        Meter(label: "sidetone_build_info", dimensions: build, factory: registry).set(1)
        let startedAt = Clock.now()
        registry.observe { ProcessFigures.read(startedAt: startedAt) }
        registry.observe { StoreFigures.read(database) }
        if let sensor { registry.observe { sensor.view.observations } }
    }

    /// All metrics as of now; those of an outbox where calls are shipped.
    func text(of collector: CallCollector, outbox: (any ChangeOutbox)? = nil) async -> String {
        if let figures = try? await outbox?.figures() { shipping.show(figures, now: Clock.now()) }
        let queue = await collector.queue
        submissions.set(queue.submissions)
        facts.set(queue.facts)
        calls.set(self.collector.liveCalls)
        watching.set(live.subscribers)
        return registry.text
    }
}
