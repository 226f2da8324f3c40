/// What a token allows. None includes another: who may read may not post, and who may erase may not read.
public enum AccessScope: String, Hashable, Sendable, CaseIterable {
    /// Post what clients and probes saw.
    case ingest
    /// Read calls and their reports.
    case read
    /// Erase calls, and read the figures of the server itself.
    case admin
}

/// What a request must bring for a route.
enum RouteAccess: Hashable, Sendable {
    /// Nothing: the route tells nothing of any call.
    case open
    /// A token with one of these scopes.
    case needs([AccessScope])

    static func needs(_ scopes: AccessScope...) -> RouteAccess { .needs(scopes) }
}

extension Collection<AccessScope> {
    /// The scopes in words: `read or admin`.
    func words(_ conjunction: String = "and") -> String {
        map(\.rawValue).joined(separator: " \(conjunction) ")
    }
}
