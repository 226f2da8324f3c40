/// What helps after a store failed.
public enum StoreRecourse: String, Hashable, Sendable, CaseIterable {
    /// Trying the same again later.
    case retry
    /// Nothing, for what was given cannot be stored there: the rest can without it.
    case setAside = "set_aside"
    /// Somebody has to set something right: a password, a table, a name.
    case mend
}

/// An error of a store that knows what helps.
public protocol StoreFailure: Error {
    /// What helps.
    var recourse: StoreRecourse { get }
}

extension CallStoreError: StoreFailure {
    /// What helps after it.
    public var recourse: StoreRecourse {
        switch self {
        case .unavailable, .inUse, .failed: .retry
        case .refused: .setAside
        case .cannotOpen, .misconfigured, .damaged: .mend
        }
    }
}
