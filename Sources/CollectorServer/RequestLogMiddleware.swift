import CallModel
import Hummingbird
import Logging

/// One line a request, with neither bodies nor names of calls: the route, not the path.
///
/// At `warning` for faults of the server, at `info` for what a client did wrong, else at `debug`. So are answers of 429
/// and 503: clients that are told to come back come by the thousand, and why they are told so is logged elsewhere, once.
struct RequestLogMiddleware<Context: RequestContext>: RouterMiddleware {
    let clock: @Sendable () -> Timestamp

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = clock()
        let response = try await next(request, context)
        let level = Self.level(of: response.status)
        guard level >= context.logger.logLevel else { return response }
        context.logger.log(
            level: level, "request",
            metadata: [
                "method": "\(request.method.rawValue.shortened)",
                "route": "\(Self.route(of: request, response, in: context))",
                "status": "\(response.status.code)",
                "milliseconds": "\(clock().milliseconds(since: start))",
            ])
        return response
    }

    private static func level(of status: HTTPResponse.Status) -> Logger.Level {
        switch status.code {
        case 429, 503: .debug
        case 500...: .warning
        case 400...: .info
        default: .debug
        }
    }

    /// The template of the route, or the beginning of a path at which there is nothing.
    private static func route(of request: Request, _ response: Response, in context: Context) -> String {
        if let path = context.endpointPath, path.hasPrefix("/") { return path }
        return response.status == .notFound ? request.uri.path.beginningOfPath.shortened : RouteMeter.other
    }
}

extension String {
    /// What the log shows of a path at which there is nothing: the first part, behind the version if there is one. What
    /// follows may be the id of a call, in a path that somebody misspelt, or of which somebody encoded the slashes, too.
    var beginningOfPath: String {
        let parts = replacing(#/%2[fF]/#, with: "/").split(separator: "/")
        let shown = parts.first == "v1" ? 2 : 1
        return "/" + parts.prefix(shown).joined(separator: "/") + (parts.count > shown ? "/…" : "")
    }
}
