import CallModel
import Hummingbird
import Logging
import NIOCore

/// What is known of a request besides what it says itself.
struct CollectorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who sent it; at first the other end of the connection, which may be a proxy.
    var sender: HostAddress?
    /// The connection it came over.
    let channel: any Channel
    /// What its sender may do.
    var grant: Result<AccessGrant, AccessRefusal> = .failure(.noToken)
    /// Why the page that sent it may not use the server, by its origin or by the name it asks for; `nil` when it may, and
    /// when no page sent it.
    var pageRefusal: APIError?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        sender = source.channel.remoteAddress?.host
        channel = source.channel
    }

    /// Whose data the request is about.
    /// - Throws: the answer to a sender who may do nothing.
    var tenant: TenantID {
        get throws { try allowed.tenant }
    }

    /// Which token the sender showed, for the log; empty where none is needed.
    var token: String { (try? grant.get())?.token ?? "" }

    /// - Throws: the answer to a sender who may not use a route with this access.
    func check(_ access: RouteAccess) throws {
        guard case .needs(let scopes) = access else { return }
        let grant = try allowed
        guard grant.scopes.isDisjoint(with: scopes) else { return }
        let given = AccessScope.allCases.filter(grant.scopes.contains)
        throw AccessRefusal.missingScope(needed: scopes, given: given).error
    }

    private var allowed: AccessGrant {
        get throws {
            switch grant {
            case .success(let grant): return grant
            case .failure(let refusal): throw refusal.error
            }
        }
    }
}
