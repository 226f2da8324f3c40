public import CallModel
import Hummingbird
import Logging
import Synchronization

/// Who may do what: the tokens that are good now.
///
/// A class, because every request and whoever reads the tokens anew share it.
public final class AccessControl: Sendable {
    private let tokens: Mutex<TokenTable?>

    /// - Parameter tokens: those that are good; `nil` where everybody may do everything.
    public init(tokens: TokenTable?) {
        self.tokens = Mutex(tokens)
    }

    /// Whether requests need a token.
    public var isRequired: Bool { tokens.withLock { $0 != nil } }

    /// How many tokens are good at a moment; `nil` where requests need none.
    public func goodTokens(at now: Timestamp) -> Int? {
        tokens.withLock { $0?.entries.count { $0.expires.map { now < $0 } ?? true } }
    }

    /// From now on these tokens are good, and no others.
    public func replace(by tokens: TokenTable) {
        self.tokens.withLock { $0 = tokens }
    }

    /// What the sender of a request may do.
    func grant(to request: Request, now: Timestamp) -> Result<AccessGrant, AccessRefusal> {
        guard let tokens = tokens.withLock({ $0 }) else { return .success(.unrestricted) }
        do {
            let token = try Self.token(of: request)
            guard let entry = tokens.entry(of: token.utf8) else { return .failure(.unknownToken) }
            if let expires = entry.expires, now >= expires { return .failure(.expired(expires)) }
            return .success(entry.grant)
        } catch {
            return .failure(error)
        }
    }

    /// The token of the header `Authorization` ([RFC 6750 §2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
    private static func token(of request: Request) throws(AccessRefusal) -> Substring {
        let headers = request.headers[values: .authorization]
        guard let header = headers.first else { throw .noToken }
        let words = header.split(separator: " ")
        guard headers.count == 1, words.count == 2, words[0].lowercased() == "bearer" else { throw .unreadable }
        return words[1]
    }
}

/// Finds out who sent a request and what that one may do, for all that comes after; refuses nothing itself.
struct AccessMiddleware: RouterMiddleware {
    let control: AccessControl
    let proxies: TrustedProxies
    let clock: @Sendable () -> Timestamp

    func handle(
        _ request: Request, context: CollectorContext,
        next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.sender = proxies.sender(of: request.headers, peer: context.sender)
        context.grant = control.grant(to: request, now: clock())
        if case .success(let grant) = context.grant {
            context.logger[metadataKey: "tenant"] = "\(grant.tenant.rawValue)"
        }
        return try await next(request, context)
    }
}
