import CallModel
import Collector
import Hummingbird
import Logging

/// Turns whatever a handler throws into an answer of one shape, and never lets the server's insides out.
struct ErrorMiddleware: RouterMiddleware {
    typealias Context = CollectorContext

    let routes: RouteTable
    let collector: CallCollector

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let answer = await response(to: error, request: request, context)
            // What came behind the head would be taken for the answer to the next request.
            return request.method == .head ? answer.createHeadResponse() : answer
        }
    }

    private func response(to error: any Error, request: Request, _ context: Context) async -> Response {
        // What was not routed: its path may name a call, which is for nobody's log.
        if context.endpointPath == nil {
            context.coreContext.endpointPath.value = routes.template(of: request.uri.path)
        }
        if let error = error as? CallStoreError, let answer = APIError(error) {
            // What could not be stored, or erased, the collector has noted itself.
            if request.method == .get || request.method == .head { await collector.noteFailure(error) }
            return answer.response
        }
        return answer(to: error, request: request, logger: context.logger).response
    }

    private func answer(to error: any Error, request: Request, logger: Logger) -> APIError {
        switch error {
        case let error as APIError: return error
        case let error as HTTPError where error.status == .notFound: return notRouted(request)
        case let error as HTTPError:
            return APIError(error.status, "bad_request", error.body ?? error.status.reasonPhrase)
        case let error as SharedStoreError:
            logger.warning("what all servers took cannot be read", metadata: ["reason": "\(error.reason)"])
            return .sharedStoreUnavailable
        case CollectorError.overloaded(let seconds):
            return .overloaded(retryAfterSeconds: seconds, "the server is busy")
        case CollectorError.closing:
            return .overloaded(retryAfterSeconds: 5, "the server is stopping")
        default:
            logger.error("request failed", metadata: ["error": "\(error)"])
            return .internalFault
        }
    }

    /// 405 where the path exists for another method, else 404.
    private func notRouted(_ request: Request) -> APIError {
        let path = request.uri.path
        let methods = routes.methods(for: path).map(\.rawValue)
        guard !methods.isEmpty else {
            return APIError(
                .notFound, "unknown_path", "there is nothing at \(path.shortened); GET / lists what there is")
        }
        let allowed = methods.joined(separator: ", ")
        var error = APIError(
            .methodNotAllowed, "method_not_allowed",
            "\(path.shortened) does not take \(request.method.rawValue); it takes \(allowed)")
        error.headers[.allow] = allowed
        return error
    }
}
