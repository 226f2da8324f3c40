public import CallModel
public import ClientStats
public import Collector
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore

/// The collector's HTTP interface: ingest, read API and reports.
public struct CollectorApplication: Sendable {
    private let collector: CallCollector
    private let stores: ShownStores
    private let limits: IngestLimits
    private let addresses: AddressPolicy
    private let exposure: ServerExposure
    private let operations: ServerOperations
    private let live: LiveHub
    private let clock: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - collector: takes what clients post.
    ///   - stores: are read for everything that is shown.
    ///   - limits: bound what clients may send.
    ///   - addresses: what is kept of IP addresses.
    ///   - exposure: says who may use it, and how it shows itself.
    ///   - operations: what those who run it see of it.
    ///   - live: what happens to calls; the one that the collector tells.
    ///   - clock: the collector's clock, the same as the collector's own.
    public init(
        collector: CallCollector, stores: ShownStores, limits: IngestLimits = IngestLimits(),
        addresses: AddressPolicy = .cut, exposure: ServerExposure, operations: ServerOperations = ServerOperations(),
        live: LiveHub = LiveHub(),
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.collector = collector
        self.stores = stores
        self.limits = limits
        self.addresses = addresses
        self.exposure = exposure
        self.operations = operations
        self.live = live
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
            server: connections,
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                serverName: "sidetone/\(ProductVersion.current)",
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)),
            onServerRunning: { channel in
                try? await channel.eventLoop.submit {
                    let handler = AcceptPauseHandler(logger: logger)
                    try channel.pipeline.syncOperations.addHandler(handler, position: .first)
                }.get()
                await onListening(channel.localAddress?.port)
            },
            logger: logger)
    }

    private var connections: HTTPServerBuilder {
        // Clients post every 10 s or so; a connection without a byte for three times that is stuck or gone.
        let span = max(1, limits.idleSeconds / 3)
        let pace = BodyPace(span: .seconds(Int64(span)), bytes: limits.bodyBytesPerSecond * span)
        let limit = ConnectionLimit(
            perAddress: limits.connectionsPerAddress, proxies: TrustedProxies(ranges: exposure.proxies))
        let meter = operations.meter
        let patience = Patience(span: .seconds(Int64(limits.idleSeconds)))
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                BodyPaceHandler(pace), RequestGateHandler(), StillnessHandler(patience, meter: meter),
            ] + (limit.perAddress > 0 ? [ConnectionLimitHandler(limit, meter: meter)] : [])
                + [MalformedRequestHandler(meter: meter)],
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: HeadLimits.fieldBytes, maxHeaderListSize: HeadLimits.bytes,
                maxHeaderFieldCount: HeadLimits.fields))
        return HTTPServerBuilder { [identity = exposure.identity] responder in
            CollectorConnection(
                base: HTTP1Channel(responder: responder, configuration: configuration), identity: identity)
        }
    }

    func router() -> Router<CollectorContext> {
        let reader = CallReader(collector: collector, stores: stores)
        let meter = operations.meter
        let body = IngestBody(
            limits: limits, budget: BodyBudget(limit: limits.bytesInFlight, meter: meter), meter: meter)
        let lane = ImportLane()
        let file = IngestBody(
            limits: limits.ofImports, budget: BodyBudget(limit: limits.importBytes, meter: meter, isUndivided: true),
            meter: meter, lane: lane)
        let data =
            IngestRoutes(collector: collector, body: body, addresses: addresses, clock: clock).endpoints
            + ImportRoutes(collector: collector, body: file, addresses: addresses, lane: lane, clock: clock).endpoints
            + CallRoutes(reader: reader, limits: limits, clock: clock).endpoints
            + LiveRoutes(reader: reader, hub: live, access: exposure.access, limits: limits, clock: clock).endpoints
            + FleetRoutes(reader: reader, clock: clock).endpoints
            + ReportRoutes(reader: reader, limits: limits, clock: clock).endpoints
            + OperationsRoutes(operations: operations).endpoints
        let info = InfoRoutes(others: data, needsToken: exposure.access.isRequired)
        let routes = RouteTable(endpoints: data + PageRoutes(index: info.index).endpoints + info.endpoints)

        let router = Router(context: CollectorContext.self, options: .autoGenerateHeadEndpoints)
        let proxies = TrustedProxies(ranges: exposure.proxies)
        router.add(middleware: RequestIdentifierMiddleware())
        router.add(middleware: MeteringMiddleware(meter: meter, routes: routes))
        router.add(middleware: AccessMiddleware(control: exposure.access, proxies: proxies, clock: clock))
        router.add(middleware: SafetyHeadersMiddleware(isSecure: exposure.identity != nil))
        router.add(middleware: RequestLogMiddleware(clock: clock))
        router.add(middleware: CrossOriginMiddleware(origins: exposure.origins, files: [PageRoutes.reporter]))
        if let names = exposure.names { router.add(middleware: HostMiddleware(names: names, proxies: proxies)) }
        router.add(middleware: ErrorMiddleware(routes: routes, collector: collector))
        router.add(middleware: RejectionMiddleware(meter: meter))
        router.add(middleware: ContinueMiddleware())
        if limits.requestsPerSecond > 0 {
            let limit = RateLimit(
                perSecond: Double(limits.requestsPerSecond), burst: Double(limits.requestsPerSecond) * 2)
            router.add(middleware: RateMiddleware(limiter: RateLimiter(limit), clock: clock))
        }
        routes.install(in: router)
        return router
    }
}
