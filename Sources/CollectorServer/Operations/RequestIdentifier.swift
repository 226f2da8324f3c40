import HTTPTypes
import Hummingbird
import Logging

/// What one request is called in the log, so that a client's complaint can be found there.
struct RequestIdentifier: Hashable, Sendable {
    static let header = HTTPField.Name("X-Request-Id")
    /// The name in the log.
    static let metadataKey = "requestId"

    let text: String

    /// The one that a client or a proxy gave, if it is one: 1 to 128 letters, digits and `._-` of ASCII.
    init?(given text: String?) {
        guard let text, (1...128).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    /// A new one: 16 random hexadecimal digits.
    init() {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        text = String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// Names every request, in all that is logged of it and in its answer.
struct RequestIdentifierMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let given = RequestIdentifier.header.flatMap { request.headers[$0] }
        let identifier = RequestIdentifier(given: given) ?? RequestIdentifier()
        var context = context
        // In place of the server framework's own, which no client ever sees.
        context.logger[metadataKey: "hb.request.id"] = nil
        context.logger[metadataKey: RequestIdentifier.metadataKey] = "\(identifier.text)"
        var response = try await next(request, context)
        if let header = RequestIdentifier.header { response.headers[header] = identifier.text }
        return response
    }
}
