import CallModel
import Hummingbird
import Logging

/// One line a request, without bodies: at `debug`, and at `warning` for answers of 500 and above.
struct RequestLogMiddleware: RouterMiddleware {
    typealias Context = CollectorContext

    let clock: @Sendable () -> Timestamp

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = clock()
        let response = try await next(request, context)
        let level: Logger.Level = response.status.code >= 500 ? .warning : .debug
        context.logger.log(
            level: level, "request",
            metadata: [
                "method": "\(request.method.rawValue)",
                "path": "\(request.uri.path)",
                "status": "\(response.status.code)",
                "milliseconds": "\(clock().milliseconds(since: start))",
            ])
        return response
    }
}
