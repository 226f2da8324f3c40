import HTTPTypes
import Hummingbird

/// The names by which a server may be asked that nothing but its place protects: on the loopback address, without tokens.
///
/// Whoever owns a name can let it stand for 127.0.0.1 once a browser has loaded a page from it (DNS rebinding). To the
/// browser the page is then one of the server, and may read and post as it likes. What still tells is the name itself,
/// which the browser sends in `Host` ([RFC 9110 §7.2](https://www.rfc-editor.org/rfc/rfc9110#section-7.2)).
struct HostNames: Hashable, Sendable {
    /// Pages of these may use the server.
    private let others: Set<String>

    /// - Parameter origins: as browsers spell them, `https://app.example`.
    init(origins: Set<String>) {
        others = Set(
            origins.map { origin in
                Self.host(of: origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...])
            })
    }

    /// Whether what a request has in `Host` is an address, a name of this machine or of its network, or one of the others.
    /// What somebody elsewhere owns has a dot in it.
    func contain(_ authority: String) -> Bool {
        let host = Self.host(of: authority[...])
        return !host.contains(".") || host.hasSuffix(".localhost") || HostAddress(literal: host) != nil
            || others.contains(host)
    }

    /// The host of `host:port` in small letters, without brackets, and without the dot that may end a name.
    private static func host(of authority: Substring) -> String {
        let text = authority.lowercased()
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[..<end].dropFirst()) }
        let host = text.prefix { $0 != ":" }
        return String(host.hasSuffix(".") ? host.dropLast() : host)
    }
}

/// Refuses requests by other names than these. A trusted proxy has judged by itself for which names it stands, and who
/// sends no name is no browser. They are turned away by ``RejectionMiddleware``, which counts them.
struct HostMiddleware: RouterMiddleware {
    let names: HostNames
    let proxies: TrustedProxies

    func handle(
        _ request: Request, context: CollectorContext,
        next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        guard let authority = request.head.authority, !authority.isEmpty, !names.contain(authority),
            context.channel.remoteAddress?.host.map(proxies.isTrusted) != true
        else { return try await next(request, context) }
        var context = context
        context.pageRefusal = context.pageRefusal ?? Self.refusal(of: authority)
        return try await next(request, context)
    }

    private static func refusal(of authority: String) -> APIError {
        APIError(
            .forbidden, "host_not_allowed",
            """
            this server is not \(authority.shortened): without tokens it is asked as localhost or 127.0.0.1; --cors-origin \
            names others by which pages may use it, and --trusted-proxy a proxy before it
            """)
    }
}
