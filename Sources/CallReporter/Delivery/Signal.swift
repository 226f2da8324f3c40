import Synchronization

/// Something that happens now and then, and for which one task waits. What happens while nobody waits is remembered, once.
///
/// A class, for both sides share it. No `AsyncStream`: one whose reader is cancelled has ended for good.
final class Signal: Sendable {
    private enum State {
        case idle, raised
        case awaited(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)

    /// It happened.
    func raise() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .awaited(let waiter) = state else {
                state = .raised
                return nil
            }
            state = .idle
            return waiter
        }
        waiter?.resume()
    }

    /// Waits until it happens, or the task is cancelled; not at all where it has happened since the last time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if case .raised = state {
                        state = .idle
                        return true
                    }
                    // Then nobody would resume it.
                    guard !Task.isCancelled else { return true }
                    state = .awaited(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard case .awaited(let waiter) = state else { return nil }
                state = .idle
                return waiter
            }
            waiter?.resume()
        }
    }
}
