import Metrics

/// What is metered of those who watch.
struct LiveMeter: Sendable {
    private let events: [String: Counter]
    private let dropped: Counter
    private let slow: Counter

    init(_ factory: any MetricsFactory) {
        events = Dictionary(
            uniqueKeysWithValues: LiveEvent.Kind.names.map {
                ($0, Counter(label: "sidetone_live_events_total", dimensions: [("event", $0)], factory: factory))
            })
        dropped = Counter(label: "sidetone_live_events_dropped_total", factory: factory)
        slow = Counter(label: "sidetone_live_subscribers_cut_total", factory: factory)
    }

    func count(_ events: [LiveEvent], dropped: Int) {
        for event in events { self.events[event.kind.name]?.increment() }
        if dropped > 0 { self.dropped.increment(by: dropped) }
    }

    func cut(_ count: Int) {
        if count > 0 { slow.increment(by: count) }
    }
}
