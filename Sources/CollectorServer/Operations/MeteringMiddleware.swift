import CallModel
import Collector
import Hummingbird

/// Counts every request by its route, method and code, and how long it took until its answer was ready to be sent.
struct MeteringMiddleware<Context: RequestContext>: RouterMiddleware {
    private let meter: ServerMeter
    private let routes: [String: RouteMeter]
    private let unmatched: RouteMeter

    init(meter: ServerMeter, routes table: RouteTable) {
        self.meter = meter
        let paths = Set(table.endpoints.map { RouterPath($0.path).description })
        routes = Dictionary(
            uniqueKeysWithValues: paths.map { ($0, RouteMeter(route: $0, factory: meter.factory)) })
        unmatched = RouteMeter(route: RouteMeter.other, factory: meter.factory)
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = meter.moment()
        let response = try await next(request, context)
        let route = context.endpointPath.flatMap { routes[$0] } ?? unmatched
        route.count(request.method, response.status, nanoseconds: meter.moment() - start)
        return response
    }
}

/// Counts why bodies were not taken. Stands inside of what makes answers of errors, and turns away what came from pages
/// that may not use the server.
struct RejectionMiddleware: RouterMiddleware {
    let meter: ServerMeter

    func handle(
        _ request: Request, context: CollectorContext,
        next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        do {
            if let refusal = context.pageRefusal { throw refusal }
            return try await next(request, context)
        } catch {
            // Only what is posted is taken in. Refused parts are counted where the receipt is made.
            if request.method == .post, (error as? APIError)?.receipt == nil {
                meter.reject(Self.reason(of: error))
            }
            throw error
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as APIError: error.reason
        case CollectorError.overloaded: "overloaded"
        case CollectorError.closing: "stopping"
        case let error as CallStoreError: APIError(error)?.reason ?? APIError.internalFault.reason
        // Nothing takes it at this path.
        case is HTTPError: ServerMeter.other
        default: APIError.internalFault.reason
        }
    }
}
