public import CallModel

/// The stores that calls are shown from: the server's own, and, where what it takes is shipped to a database that several
/// servers share, that one.
public struct ShownStores: Sendable {
    /// What this server took.
    let own: any CallStore
    private let shared: (@Sendable () async throws -> any CallStore)?

    /// - Parameters:
    ///   - own: the store of the server's collector.
    ///   - shared: what all servers took; asked for with every read, for it need not be there yet. `nil` shows what is in
    ///     `own`, and nothing else.
    public init(own: any CallStore, shared: (@Sendable () async throws -> any CallStore)? = nil) {
        self.own = own
        self.shared = shared
    }

    /// Reads what is known of many calls, from where all of them are.
    func readAll<Result>(_ read: (any CallStore) async throws -> Result) async throws -> Result {
        if let result = try await readShared(read) { return result }
        return try await read(own)
    }

    /// Reads what all servers took.
    /// - Returns: `nil` when only the server's own calls are shown, and what `read` returns else.
    /// - Throws: ``SharedStoreError`` for what the store throws.
    func readShared<Result>(_ read: (any CallStore) async throws -> Result?) async throws -> Result? {
        guard let shared else { return nil }
        do {
            return try await read(try await shared())
        } catch let error as CallStoreError {
            throw SharedStoreError(reason: error)
        }
    }
}

/// The store that servers share could not be read. The server's own may be in the best of health.
struct SharedStoreError: Error {
    let reason: CallStoreError
}
