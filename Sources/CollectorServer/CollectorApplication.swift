public import CallModel
public import Collector
public import Hummingbird
import HummingbirdCore
public import Logging

/// The collector's HTTP interface: ingest, read API and reports.
public struct CollectorApplication: Sendable {
    private let collector: CallCollector
    private let store: any CallStore
    private let limits: IngestLimits
    private let operations: ServerOperations
    private let clock: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - collector: takes what clients post.
    ///   - store: is read for everything that is shown.
    ///   - limits: bound what clients may send.
    ///   - operations: what those who run it see of it.
    ///   - clock: the collector's clock, the same as the collector's own.
    public init(
        collector: CallCollector, store: any CallStore, limits: IngestLimits = IngestLimits(),
        operations: ServerOperations = ServerOperations(), clock: @escaping @Sendable () -> Timestamp
    ) {
        self.collector = collector
        self.store = store
        self.limits = limits
        self.operations = operations
        self.clock = clock
    }

    /// The server as a service: it listens until it is told to shut down, and then finishes what it has begun.
    /// - Parameters:
    ///   - host: name or address to listen at.
    ///   - port: 0 for any that is free.
    ///   - logger: for one line a request and for faults.
    ///   - onListening: is told the port once connections are accepted; `nil` when the system does not say.
    /// - Returns: the service to run.
    public func service(
        host: String, port: Int, logger: Logger, onListening: @escaping @Sendable (Int?) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            router: router(),
            // Clients post every 10 s or so; a connection without a byte for 30 s is stuck or gone.
            server: .http1(configuration: .init(idleTimeout: .seconds(30))),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                serverName: "sidetone/\(ProductVersion.current)",
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)),
            onServerRunning: { await onListening($0.localAddress?.port) },
            logger: logger)
    }

    func router() -> Router<BasicRequestContext> {
        let reader = CallReader(collector: collector, store: store)
        let meter = operations.meter
        let body = IngestBody(
            limits: limits, budget: BodyBudget(limit: limits.bytesInFlight, meter: meter), meter: meter)
        let file = IngestBody(
            limits: limits.ofImports, budget: BodyBudget(limit: limits.importBytes, meter: meter), meter: meter,
            isFile: true)
        let data =
            IngestRoutes(collector: collector, body: body, clock: clock).endpoints
            + ImportRoutes(collector: collector, body: file, clock: clock).endpoints
            + CallRoutes(reader: reader, limits: limits, clock: clock).endpoints
            + ReportRoutes(reader: reader, limits: limits, clock: clock).endpoints
            + OperationsRoutes(operations: operations).endpoints
        let routes = RouteTable(endpoints: data + InfoRoutes(others: data).endpoints)

        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestIdentifierMiddleware())
        router.add(middleware: MeteringMiddleware(meter: meter, routes: routes))
        router.add(middleware: RequestLogMiddleware(clock: clock))
        router.add(middleware: ErrorMiddleware(routes: routes, collector: collector))
        router.add(middleware: RejectionMiddleware(meter: meter))
        routes.install(in: router)
        return router
    }
}
