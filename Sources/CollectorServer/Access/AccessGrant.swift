import CallModel
import Hummingbird

/// What somebody may do, and to whose data.
struct AccessGrant: Hashable, Sendable {
    let tenant: TenantID
    let scopes: Set<AccessScope>
    /// Which token it is, for logs; nothing that helps to guess it. Two may have one name. Empty where no token is needed.
    let token: String
    /// Which token it is, for limits, and not for logs. `nil` where none is needed.
    let digest: TokenDigest?

    /// Where no token is needed, everybody may do everything to the one tenant.
    static let unrestricted = AccessGrant(tenant: .default, scopes: Set(AccessScope.allCases), token: "", digest: nil)
}

/// Why a request has no grant.
enum AccessRefusal: Error, Hashable, Sendable {
    case noToken
    /// The header is of another kind or has no token, or there are two.
    case unreadable
    case unknownToken
    case expired(Timestamp)
    case missingScope(needed: [AccessScope], given: [AccessScope])
}

extension AccessRefusal {
    /// The answer ([RFC 6750 §3](https://www.rfc-editor.org/rfc/rfc6750#section-3)).
    var error: APIError {
        var error = APIError(status, reason, message)
        error.headers[.wwwAuthenticate] = ["Bearer realm=\"sidetone\"", challenge].compactMap { $0 }
            .joined(separator: ", ")
        return error
    }

    private var status: HTTPResponse.Status {
        switch self {
        case .unreadable: .badRequest
        case .missingScope: .forbidden
        default: .unauthorized
        }
    }

    private var reason: String {
        switch self {
        case .noToken: "missing_token"
        case .unreadable: "bad_authorization"
        case .unknownToken: "unknown_token"
        case .expired: "expired_token"
        case .missingScope: "missing_scope"
        }
    }

    private var challenge: String? {
        switch self {
        case .noToken: nil
        case .unreadable: "error=\"invalid_request\""
        case .unknownToken, .expired: "error=\"invalid_token\""
        case .missingScope(let needed, _):
            "error=\"insufficient_scope\", scope=\"\(needed.map(\.rawValue).joined(separator: " "))\""
        }
    }

    private var message: String {
        switch self {
        case .noToken: "this takes a token, in the header `Authorization: Bearer …`; who runs the server hands them out"
        case .unreadable: "the header Authorization cannot be read; expected `Bearer` and one token, once"
        case .unknownToken: "the token is not known here; it may have been replaced"
        case .expired(let moment): "the token was good until \(moment.iso8601); ask for a new one"
        case .missingScope(let needed, let given):
            "this takes a token with the scope \(needed.words("or")); this one has \(given.words())"
        }
    }
}
