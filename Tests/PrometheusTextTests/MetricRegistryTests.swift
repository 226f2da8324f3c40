import CoreMetrics
import PrometheusText
import Testing

/// Metrics as they are asked for and as they are shown.
@Suite struct MetricRegistryTests {
    private let registry = MetricRegistry([
        MetricDescription(
            "calls_total", .counter, labels: ["reason", "kind"], "Calls, by \"reason\".\nAnd kind \\ sort."),
        MetricDescription("cpu_seconds_total", .counter, "Processor time."),
        MetricDescription("depth", .gauge, "How many wait."),
        MetricDescription("wait_seconds", .histogram([0.1, 1]), labels: ["route"], "How long they wait."),
        MetricDescription("never_total", .counter, "Never made."),
        MetricDescription("files", .gauge, labels: ["state"], "Read when asked for."),
    ])

    @Test func `every kind is shown with its help and type, and nothing that was never made`() {
        let counter = Counter(
            label: "calls_total", dimensions: [("reason", "a\"b\\c\nd"), ("kind", "x")], factory: registry)
        counter.increment()
        counter.increment(by: 41)
        Counter(label: "calls_total", dimensions: [("reason", "a"), ("kind", "")], factory: registry).increment(by: 0)
        FloatingPointCounter(label: "cpu_seconds_total", factory: registry).increment(by: 1.25)
        Meter(label: "depth", factory: registry).set(7)
        let timer = Timer(label: "wait_seconds", dimensions: [("route", "/")], factory: registry)
        timer.recordNanoseconds(100_000_000)
        timer.recordNanoseconds(250_000_000)
        timer.recordNanoseconds(3_000_000_000)
        registry.observe { [.init("files", labels: [("state", "open")], value: 3)] }
        #expect(
            registry.text == #"""
                # HELP calls_total Calls, by "reason".\nAnd kind \\ sort.
                # TYPE calls_total counter
                calls_total{reason="a",kind=""} 0
                calls_total{reason="a\"b\\c\nd",kind="x"} 42
                # HELP cpu_seconds_total Processor time.
                # TYPE cpu_seconds_total counter
                cpu_seconds_total 1.25
                # HELP depth How many wait.
                # TYPE depth gauge
                depth 7
                # HELP wait_seconds How long they wait.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{route="/",le="0.1"} 1
                wait_seconds_bucket{route="/",le="1"} 2
                wait_seconds_bucket{route="/",le="+Inf"} 3
                wait_seconds_sum{route="/"} 3.35
                wait_seconds_count{route="/"} 3
                # HELP files Read when asked for.
                # TYPE files gauge
                files{state="open"} 3

                """#)
        #expect(registry.problems == [])
    }

    @Test func `the same series asked for twice is one`() {
        for _ in 0..<2 { Counter(label: "cpu_seconds_total", factory: registry).increment() }
        #expect(registry.text.hasSuffix("\ncpu_seconds_total 2\n"))
    }

    @Test func `a counter never falls, and what is no number is passed over`() {
        let counter = FloatingPointCounter(label: "cpu_seconds_total", factory: registry)
        for amount in [1.5, -1, .nan, .infinity] { counter.increment(by: amount) }
        Counter(label: "cpu_seconds_total", factory: registry).increment(by: -5)
        counter.reset()
        let recorder = Recorder(label: "wait_seconds", dimensions: [("route", "/")], factory: registry)
        recorder.record(Double.nan)
        #expect(registry.text.contains("\ncpu_seconds_total 1.5\n"))
        #expect(registry.text.contains("wait_seconds_count{route=\"/\"} 0\n"))
    }

    @Test func `what is not described is not metered, and named`() {
        Counter(label: "unknown_total", factory: registry).increment()
        Counter(label: "depth", factory: registry).increment()
        Counter(label: "calls_total", dimensions: [("reason", "a")], factory: registry).increment()
        Timer(label: "depth", factory: registry).recordNanoseconds(1)
        #expect(registry.text == "\n")
        #expect(
            registry.problems == [
                "calls_total has the labels [\"reason\"]; described are [\"reason\", \"kind\"]", "depth is a gauge",
                "unknown_total is not described",
            ])
    }

    @Test func `a metric has no more than a bounded number of series`() {
        for index in 0..<MetricRegistry.seriesLimit + 10 {
            Timer(label: "wait_seconds", dimensions: [("route", "\(index)")], factory: registry).recordNanoseconds(1)
        }
        #expect(registry.text.split(separator: "\n").count { $0.contains("_count{") } == MetricRegistry.seriesLimit)
        #expect(registry.problems == ["wait_seconds has more than 1000 series"])
    }

    @Test func `what many tasks count at once adds up`() async {
        let timer = Timer(label: "wait_seconds", dimensions: [("route", "/")], factory: registry)
        let counter = FloatingPointCounter(label: "cpu_seconds_total", factory: registry)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<5_000 {
                        timer.recordNanoseconds(500_000_000)
                        counter.increment(by: 0.5)
                    }
                }
            }
        }
        #expect(registry.text.contains("wait_seconds_sum{route=\"/\"} 20000\n"))
        #expect(registry.text.contains("wait_seconds_count{route=\"/\"} 40000\n"))
        #expect(registry.text.contains("cpu_seconds_total 20000\n"))
    }

    @Test(arguments: [
        (0.0, "0"), (1e22, "1e+22"), (-0.5, "-0.5"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
        (1_795_240_000.5, "1795240000.5"),
    ])
    func `numbers are written as Prometheus reads them`(value: Double, text: String) {
        Meter(label: "depth", factory: registry).set(value)
        #expect(registry.text.hasSuffix("\ndepth \(text)\n"))
    }
}
