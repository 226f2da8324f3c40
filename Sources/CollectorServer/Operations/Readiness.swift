import CallModel
import Hummingbird
import Synchronization

/// Whether the server can take work now, for those who send it some.
///
/// A class, for requests and those who start and stop the server share it.
public final class Readiness: Sendable {
    private enum Phase: Int, AtomicRepresentable {
        case starting, running, stopping
    }

    private let phase = Atomic(Phase.starting)
    private let storeTrouble: @Sendable () async -> String?
    private let damage: @Sendable () async -> String?
    private let shipping: @Sendable () async -> String?

    /// - Parameters:
    ///   - storeTrouble: why the store takes nothing at the moment, in words; `nil` while it does.
    ///   - damage: what is stored and cannot be read, in words; `nil` while all can. It is told, and makes nothing unready:
    ///     the rest is shown, and calls are taken.
    ///   - shipping: in a word, whether what is stored reaches another store; `nil` where there is none. It is told, and
    ///     makes nothing unready: what cannot be shipped is kept.
    public init(
        storeTrouble: @escaping @Sendable () async -> String? = { nil },
        damage: @escaping @Sendable () async -> String? = { nil },
        shipping: @escaping @Sendable () async -> String? = { nil }
    ) {
        self.storeTrouble = storeTrouble
        self.damage = damage
        self.shipping = shipping
    }

    /// The server listens, and works.
    public func begin() {
        _ = phase.compareExchange(expected: .starting, desired: .running, ordering: .relaxed)
    }

    /// The server is about to stop, for good.
    public func stop() {
        phase.store(.stopping, ordering: .relaxed)
    }

    /// The answer to whoever asks: 200, or 503 with the reason.
    func answer() async throws -> Response {
        Response(json: .object(try await members()))
    }

    /// What it says while it is ready.
    /// - Throws: ``APIError`` 503 with the reason while it is not.
    func members() async throws -> JSONObject {
        switch phase.load(ordering: .relaxed) {
        case .starting: throw Self.fault("starting", "the server is starting; it takes work in a moment")
        case .stopping: throw Self.fault("stopping", "the server is stopping; send work elsewhere")
        case .running: break
        }
        if let trouble = await storeTrouble() {
            throw Self.fault("store_unavailable", "nothing can be stored: \(trouble)")
        }
        var members: JSONObject = ["status": "ok"]
        if let damage = await damage() { members["damage"] = .string(damage) }
        if let shipping = await shipping() { members["shipping"] = .string(shipping) }
        return members
    }

    private static func fault(_ reason: String, _ message: String) -> APIError {
        APIError(.serviceUnavailable, reason, message)
    }
}
