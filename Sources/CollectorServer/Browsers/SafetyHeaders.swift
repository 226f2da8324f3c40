import HTTPTypes
import Hummingbird

/// Headers that keep browsers from doing with an answer what nobody meant them to
/// ([OWASP HTTP headers](https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html)).
struct SafetyHeadersMiddleware: RouterMiddleware {
    /// Whether clients reach the server over TLS of its own.
    let isSecure: Bool

    func handle(
        _ request: Request, context: CollectorContext,
        next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for field in Self.always where response.headers[field.name] == nil { response.headers.append(field) }
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        return response
    }

    /// A route that answers with a page sets a policy of its own.
    static let always: [HTTPField] = [
        ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ].compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }
}
