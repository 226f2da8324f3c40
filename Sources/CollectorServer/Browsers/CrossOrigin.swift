import HTTPTypes
import Hummingbird

/// Which web pages may use the server ([Fetch, CORS protocol](https://fetch.spec.whatwg.org/#http-cors-protocol)).
///
/// Pages of the named origins may, with a token that they send themselves; there are no cookies, so credentials are never
/// allowed. A page of any other origin is refused, for where no token is needed it could post what it likes to the
/// server of whoever looks at it. It is turned away by ``RejectionMiddleware``, which counts it.
struct CrossOriginMiddleware: RouterMiddleware {
    /// As browsers spell them: `https://app.example`.
    let origins: Set<String>
    /// What pages of any origin may load, for it holds no data. They ask for it with their origin where they load it as a
    /// module, or hold it against a digest (`crossorigin`).
    let files: Set<String>

    func handle(
        _ request: Request, context: CollectorContext,
        next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        guard let origin = request.headers[.origin] else { return try await next(request, context) }
        guard origins.contains(origin) else {
            var context = context
            let isRefused = !Self.isSame(origin, request) && !files.contains(request.uri.path)
            if isRefused { context.pageRefusal = Self.refusal(of: origin) }
            return try await next(request, context)
        }
        let isPreflight = request.method == .options && request.headers[.accessControlRequestMethod] != nil
        var response = isPreflight ? Self.preflight : try await next(request, context)
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = "Retry-After, WWW-Authenticate, X-Request-Id"
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        return response
    }

    private static var preflight: Response {
        Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: "GET, POST, DELETE",
                .accessControlAllowHeaders:
                    "Authorization, Content-Type, Content-Encoding, Last-Event-ID, Sidetone-Observer, X-Request-Id",
                // Ten minutes: an origin that is taken off the list is out soon.
                .accessControlMaxAge: "600",
            ])
    }

    /// Whether the page came from this server itself: a proxy may have taken TLS off, so the scheme does not count.
    private static func isSame(_ origin: String, _ request: Request) -> Bool {
        guard let host = request.head.authority?.lowercased(), let end = origin.firstRange(of: "://") else {
            return false
        }
        return origin[end.upperBound...] == host
    }

    private static func refusal(of origin: String) -> APIError {
        APIError(
            .forbidden, "origin_not_allowed",
            "pages of \(origin.shortened) may not use this server; --cors-origin names those that may")
    }
}
