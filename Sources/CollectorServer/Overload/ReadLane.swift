import CallModel
import Collector
import Dispatch
import Synchronization

/// Makes what is stored of calls into what is shown.
///
/// Of a long call that takes seconds, so it is done on threads of its own: those that everything else runs on are as few as
/// processors. Long calls are read one after another, so that just one is held in memory, and leaves time for what is posted.
/// Tenants take turns, and none fills the places of all who wait.
///
/// A class, for all requests share it.
final class ReadLane: Sendable {
    private struct Waiting {
        var number: Int
        var tenant: TenantID
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var isBusy = false
        var numbers = 0
        var waiting: [Waiting] = []
        /// Who had the last turn.
        var last: TenantID?
        /// The places of those who wait.
        var places = FairShare<TenantID>(limit: FairShare<TenantID>.leastLimit(for: ReadLane.mostWaiting))

        mutating func remove(at place: Int) -> Waiting {
            let one = waiting.remove(at: place)
            places.give(1, of: one.tenant)
            return one
        }
    }

    private let state = Mutex(State())
    private let threads = DispatchQueue(label: "sidetone.read", attributes: .concurrent)

    /// So many rows are read without waiting: about 0.2 s. An hour of two streams has 1,080.
    static let mostShort = 4_000
    /// So many of a tenant wait for their turn, each for seconds; more would be waited for by nobody when it comes.
    static let mostWaiting = 16

    /// How many wait for their turn.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Reads about so many rows of a tenant, when its turn comes, and makes of it what is shown, on a thread that nobody else
    /// waits for.
    ///
    /// - Throws: ``APIError`` 503 when too many wait; `CancellationError` when the task was cancelled while it waited.
    func run<Stored: Sendable, Shown: Sendable>(
        rows: Int, of tenant: TenantID = .default, reading: () async throws -> Stored,
        showing: @escaping @Sendable (Stored) -> Shown
    ) async throws -> Shown {
        guard rows > Self.mostShort else { return await onThread(showing, try await reading()) }
        try await enter(tenant)
        defer { leave() }
        return await onThread(showing, try await reading())
    }

    private func onThread<Stored: Sendable, Shown: Sendable>(
        _ showing: @escaping @Sendable (Stored) -> Shown, _ stored: Stored
    ) async -> Shown {
        await withCheckedContinuation { continuation in
            threads.async { continuation.resume(returning: showing(stored)) }
        }
    }

    private func enter(_ tenant: TenantID) async throws {
        let number = state.withLock { state in
            state.numbers += 1
            return state.numbers
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = turn(of: Waiting(number: number, tenant: tenant, continuation: continuation))
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            leave(number)
        }
    }

    /// - Returns: `nil` when it has to wait.
    private func turn(of one: Waiting) -> Result<Void, any Error>? {
        state.withLock { state in
            guard !Task.isCancelled else { return .failure(CancellationError()) }
            guard state.isBusy else {
                state.isBusy = true
                state.last = one.tenant
                return .success(())
            }
            guard state.places.hasRoom(for: 1, of: one.tenant) else { return .failure(APIError.tooManyReads) }
            state.places.take(1, of: one.tenant)
            state.waiting.append(one)
            return nil
        }
    }

    /// Whoever is next finds the lane busy: nobody comes in between. It is the first of another tenant, if there is one.
    private func leave() {
        let next = state.withLock { state -> Waiting? in
            let place = state.waiting.firstIndex { $0.tenant != state.last } ?? state.waiting.indices.first
            let next = place.map { state.remove(at: $0) }
            state.isBusy = next != nil
            state.last = next?.tenant
            return next
        }
        next?.continuation.resume()
    }

    /// One that was cancelled waits no longer.
    private func leave(_ number: Int) {
        let one = state.withLock { state -> Waiting? in
            guard let place = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.remove(at: place)
        }
        one?.continuation.resume(throwing: CancellationError())
    }
}
