import CallModel
import Foundation
import Synchronization

/// The database that calls are shipped to. It is opened when it is first wanted, and need not be there before.
///
/// A class, for who ships, who puts calls together there, and who closes share it.
final class ShippingTarget: Sendable {
    private let address: StoreAddress
    private let role: String
    private let opening = Mutex<Task<any SharedCallStore, any Error>?>(nil)

    /// - Parameters:
    ///   - address: The database.
    ///   - role: What this process does.
    ///   - path: What is shipped from: two servers on one machine are two who write.
    init(_ address: StoreAddress, as role: String, from path: String) {
        self.address = address
        self.role = "\(role) \(URL(filePath: path).standardizedFileURL.path)"
    }

    /// The database.
    /// - Parameter anew: Whether it is opened again, for it may be another one now, and have no tables yet.
    /// - Returns: what is open now; not to be closed.
    /// - Throws: ``CallStoreError`` when it cannot be opened; the next time it is tried again.
    func store(anew: Bool = false) async throws -> any SharedCallStore {
        if anew { await close() }
        let task = opening.withLock { opening in
            let task = opening ?? Task { [address, role] in try await address.open(as: role) }
            opening = task
            return task
        }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            opening.withLock { if $0 == task { $0 = nil } }
            throw error
        }
    }

    func close() async {
        let task = opening.withLock { opening in
            defer { opening = nil }
            return opening
        }
        let store = try? await task?.value
        try? await store?.close()
    }
}
