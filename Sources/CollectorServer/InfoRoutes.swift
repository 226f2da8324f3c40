import CallModel
import Hummingbird

/// What the server says of itself.
struct InfoRoutes: Sendable {
    /// The endpoints of the other parts, for the list at `/`.
    let others: [Endpoint]
    /// Whether requests need a token.
    let needsToken: Bool

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/openapi.json", .open, "this interface as an OpenAPI 3.1 document") { _, _ in
                Response(text: needsToken ? OpenAPI.document : OpenAPI.openDocument, type: "application/json")
            },
            Endpoint(.get, "/healthz", .open, "whether the server runs") { _, _ in Response(json: ["status": "ok"]) },
        ]
    }

    /// What programs and people without a browser get at `/`: a line an address.
    var index: String {
        let lines = (others + endpoints).map { endpoint in
            endpoint.method.rawValue.padded(to: 7) + endpoint.path.padded(to: 32) + endpoint.summary
        }
        return "Sidetone \(ProductVersion.current)\n\n" + lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
