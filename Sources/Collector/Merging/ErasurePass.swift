public import CallModel

/// Looks for calls that were erased in a shared store, so that a node that took some of them removes them, too.
///
/// Each node does so for itself, for only it knows what it has.
public struct ErasurePass: Sendable {
    private let overlapSeconds: Int64
    private let callsPerPage: Int
    /// All before was seen. A node that begins looks at all that is known: something may have been erased while it was away.
    private var seenUpTo: Int64 = 0

    /// - Parameters:
    ///   - overlapSeconds: see ``MergingSettings/overlapSeconds``.
    ///   - callsPerPage: see ``MergingSettings/callsPerPage``.
    public init(
        overlapSeconds: Int64 = MergingSettings().overlapSeconds, callsPerPage: Int = MergingSettings().callsPerPage
    ) {
        self.overlapSeconds = overlapSeconds
        self.callsPerPage = callsPerPage
    }

    /// Goes through what was erased since the last pass.
    /// - Parameters:
    ///   - store: where it was erased.
    ///   - remove: removes of these calls those that the node has, and says how many there were.
    /// - Returns: how many were removed in all.
    /// - Throws: what `store` and `remove` throw; the next pass then begins where this one did.
    public mutating func run(
        on store: any SharedCallStore, _ remove: ([ErasedCall]) async throws -> Int
    ) async throws -> Int {
        let began = try await store.seconds()
        var removed = 0
        var last: ErasedCall?
        while true {
            try Task.checkCancellation()
            let page = try await store.erasedCalls(
                since: seenUpTo - overlapSeconds, after: last, limit: callsPerPage)
            if !page.isEmpty { removed += try await remove(page) }
            guard page.count == callsPerPage else { break }
            last = page.last
        }
        seenUpTo = began
        return removed
    }
}
