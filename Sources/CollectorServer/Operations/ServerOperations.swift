/// What those who run the server see of it.
public struct ServerOperations: Sendable {
    /// Counts requests.
    public var meter: ServerMeter
    /// Whether it can take work.
    public var readiness: Readiness
    /// All metrics in the text format of Prometheus.
    public var metrics: @Sendable () async -> String

    /// By default nothing is metered.
    public init(
        meter: ServerMeter = ServerMeter(), readiness: Readiness = Readiness(),
        metrics: @escaping @Sendable () async -> String = { "\n" }
    ) {
        self.meter = meter
        self.readiness = readiness
        self.metrics = metrics
    }
}
