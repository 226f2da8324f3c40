import Synchronization

/// Lets writes happen one after another: each reads what is stored, and writes what follows from it.
///
/// A class, for all copies of a store share it.
final class WriteLane: Sendable {
    private struct State {
        var isBusy = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Runs `body` when everything that came before it is done.
    func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isBusy else {
                    state.isBusy = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Whoever is next finds the lane busy: nobody comes in between.
    private func leave() {
        let next = state.withLock { state in
            let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            state.isBusy = next != nil
            return next
        }
        next?.resume()
    }
}
