import Hummingbird

/// One method and path that the server answers.
struct Endpoint: Sendable {
    typealias Handler = @Sendable (Request, CollectorContext) async throws -> Response

    let method: HTTPRequest.Method
    /// Parameters stand in braces, as in OpenAPI: `/v1/calls/{callId}`.
    let path: String
    /// What a request must bring.
    let access: RouteAccess
    /// What it does, in a few words.
    let summary: String
    let handler: Handler

    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: RouteAccess, _ summary: String,
        handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.summary = summary
        self.handler = handler
    }
}

/// Everything the server answers.
struct RouteTable: Sendable {
    let endpoints: [Endpoint]

    func install(in router: Router<CollectorContext>) {
        for endpoint in endpoints {
            router.on(RouterPath(endpoint.path), method: endpoint.method) { request, context in
                guard Self.isWhole(request.uri.path) else { throw HTTPError(.notFound) }
                try context.check(endpoint.access)
                return try await endpoint.handler(request, context)
            }
        }
    }

    /// The methods that `path` takes; empty when there is nothing.
    func methods(for path: String) -> [HTTPRequest.Method] {
        endpoints.filter { Self.matches(path, template: $0.path) }.map(\.method)
    }

    /// The path as the table has it, in the spelling of the router; `nil` when there is nothing.
    func template(of path: String) -> String? {
        endpoints.first { Self.matches(path, template: $0.path) }.map { RouterPath($0.path).description }
    }

    /// Whether no id in the path is empty: the router passes over empty parts, and would take what follows for the id.
    private static func isWhole(_ path: String) -> Bool { !path.contains("//") }

    private static func matches(_ path: String, template: String) -> Bool {
        guard isWhole(path) else { return false }
        let parts = path.split(separator: "/")
        let expected = template.split(separator: "/")
        return parts.count == expected.count
            && zip(parts, expected).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
    }
}
