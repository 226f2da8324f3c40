import HTTPTypes
import Hummingbird
import WebPage

/// The built-in page and the reporter for other pages. They hold no data: what they show or send goes through the
/// other routes, with the token of whoever looks at it.
struct PageRoutes: Sendable {
    /// What the page answers to at its addresses, besides `/`.
    private static let addresses = ["/calls", "/call", "/compare", "/live", "/health"]
    /// Where the reporter is.
    static let reporter = "/reporter.js"

    /// What who does not accept HTML gets at `/`.
    let index: String

    var endpoints: [Endpoint] {
        let page = StaticFile(.index, headers: Self.pageHeaders)
        let reporter = StaticFile(.reporter, headers: Self.reporterHeaders)
        let root = Endpoint(.get, "/", .open, "the page, or a list of addresses") { request, _ in
            if request.accepts("text/html") { return page.answer(to: request).varying }
            return Response(text: index).varying
        }
        let pages = Self.addresses.map { address in
            Endpoint(.get, address, .open, "the built-in page") { request, _ in
                guard request.accepts("text/html") || request.accepts("*/*") || request.headers[.accept] == nil else {
                    throw Self.notAcceptable(at: address)
                }
                return page.answer(to: request).varying
            }
        }
        let files = WebFile.assets.map { asset in
            let file = StaticFile(asset)
            return Endpoint(.get, "/assets/" + asset.name, .open, "a file of the built-in page") { request, _ in
                file.answer(to: request)
            }
        }
        let reporting = Endpoint(.get, Self.reporter, .open, "the reporter for web pages") { request, _ in
            reporter.answer(to: request)
        }
        return [root] + pages + files + [reporting]
    }

    /// Scripts, styles and requests of this server only; nothing may be made a script that was text before
    /// ([CSP 3](https://www.w3.org/TR/CSP3/), [Trusted Types](https://www.w3.org/TR/trusted-types/)).
    private static let pageHeaders: HTTPFields = [
        .contentSecurityPolicy:
            "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'"
    ]

    /// Pages of other origins are what it is for.
    private static let reporterHeaders: HTTPFields = {
        var headers: HTTPFields = [.accessControlAllowOrigin: "*"]
        if let name = HTTPField.Name("Cross-Origin-Resource-Policy") { headers[name] = "cross-origin" }
        return headers
    }()

    private static func notAcceptable(at address: String) -> APIError {
        APIError(
            .notAcceptable, "not_acceptable",
            "\(address) is a page for browsers, text/html; programs read /v1, and GET / lists what there is")
    }
}

extension Response {
    /// This answer, marked as one that depends on what the client accepts.
    fileprivate var varying: Response {
        var response = self
        response.headers.append(HTTPField(name: .vary, value: "Accept"))
        return response
    }
}
