import Deflate
import Synchronization

/// Brings what waits in a spool to the collector, batch by batch, and tries again until it is taken.
///
/// A class, for the reporter and the task that delivers share it.
final class Courier: Sendable {
    /// What became of entries.
    struct Figures: Hashable, Sendable {
        /// Taken by the collector, now or before.
        var delivered = 0
        /// Refused by the collector; they would be again.
        var refused = 0
        /// Why nothing can be delivered now; `nil` while all is well.
        var trouble: String?
    }

    private struct State {
        var figures = Figures()
        /// Who waits for the spool to be empty, or for a request to fail that began after they did.
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
        var lastWaiter = 0
    }

    private let spool: Spool
    private let transport: any Transport
    private let settings: Reporter.Configuration
    private let state = Mutex(State())
    /// Something was added.
    private let addition = Signal()
    /// Somebody wants it delivered at once.
    private let hurry = Signal()
    /// Collectors refuse what inflates to a hundred times its size.
    private static let highestRatio = 90

    init(of spool: Spool, by transport: any Transport, _ settings: Reporter.Configuration) {
        self.spool = spool
        self.transport = transport
        self.settings = settings
    }

    var figures: Figures {
        state.withLock { $0.figures }
    }

    /// Something was added.
    func noteAddition() {
        addition.raise()
    }

    // MARK: The task

    /// Delivers until the task is cancelled.
    func run() async {
        var backoff = Backoff()
        while !Task.isCancelled {
            spool.pack()
            let last = state.withLock { $0.lastWaiter }
            guard let batch = spool.next() else {
                if let reason = spool.figures.unread {
                    note(trouble: reason)
                    resumeWaiters(false, upTo: last)
                    await pause(backoff.next(), cutBy: hurry, addition)
                } else {
                    note(trouble: nil)
                    resumeWaiters(true)
                    await waitForAdditions()
                }
                continue
            }
            do {
                try await deliver(batch.body, of: batch)
                spool.confirm(batch)
                backoff.reset()
                note(trouble: nil)
            } catch {
                note(trouble: error.reason)
                resumeWaiters(false, upTo: last)
                let length = backoff.next(requested: error.after)
                if error.after == nil { await pause(length, cutBy: hurry) } else { await pause(length) }
            }
        }
        resumeWaiters(false)
    }

    /// What happens at once goes out together.
    private func waitForAdditions() async {
        await addition.wait()
        await pause(settings.gathering, cutBy: hurry)
    }

    private func pause(_ length: Duration, cutBy signals: Signal...) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: length) }
            for signal in signals {
                group.addTask { await signal.wait() }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func note(trouble: String?) {
        let isNews = state.withLock { state in
            defer { state.figures.trouble = trouble }
            return state.figures.trouble != trouble
        }
        guard isNews else { return }
        settings.log(
            trouble.map { "reports wait, for they cannot be delivered: \($0)" } ?? "reports are delivered again")
    }

    // MARK: Requests

    /// Why entries wait.
    private struct Delay: Error {
        var reason: String
        var after: Duration?
    }

    private func deliver(_ body: [UInt8], of batch: SpoolBatch) async throws(Delay) {
        switch await send(body) {
        case .taken(let refused, let reason):
            note(delivered: batch.count - refused, refused: refused, reason)
        case .never(let reason):
            note(delivered: 0, refused: batch.count, reason)
        case .tooLarge where batch.count > 1:
            let lines = batch.lines
            for half in [lines.prefix(lines.count / 2), lines.dropFirst(lines.count / 2)] {
                let part = SpoolBatch(number: batch.number, lines: Array(half))
                try await deliver(part.body, of: part)
            }
        case .tooLarge:
            note(delivered: 0, refused: batch.count, "it is too large for the collector")
        case .later(let reason, let after):
            throw Delay(reason: reason, after: after)
        }
    }

    private func send(_ body: [UInt8]) async -> Verdict {
        var request = TransportRequest(
            address: settings.address, headers: ["Content-Type": "application/x-ndjson"], body: body)
        if let token = settings.token() { request.headers["Authorization"] = "Bearer \(token)" }
        let length = Gzip.contentLength(of: body)
        if length <= Gzip.unratedBytes || length / max(1, body.count) < Self.highestRatio {
            request.headers["Content-Encoding"] = "gzip"
        } else {
            request.body = (try? Gzip.content(of: body, maximumBytes: length)) ?? body
        }
        do {
            return Verdict(try await transport.post(request))
        } catch {
            return .later(reason: error.reason, after: nil)
        }
    }

    private func note(delivered: Int, refused: Int, _ reason: String?) {
        state.withLock { state in
            state.figures.delivered += max(0, delivered)
            state.figures.refused += refused
        }
        if refused > 0 { settings.log("\(refused) entries were refused: \(reason ?? "no reason given")") }
    }

    // MARK: Waiting for it

    /// Whether a flush waits.
    var isAnybodyWaiting: Bool {
        state.withLock { !$0.waiters.isEmpty }
    }

    /// Tries at once, unless the collector asked for a pause, and waits.
    /// - Returns: whether nothing waits any more.
    func flush(within patience: Duration) async -> Bool {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        self.state.withLock { $0.waiters[number] = continuation }
                        // Where the task is cancelled already nobody else would resume it.
                        if Task.isCancelled { self.resume(number) }
                        self.addition.raise()
                        self.hurry.raise()
                    }
                } onCancel: {
                    self.resume(number)
                }
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return false
            }
            let isEmpty = await group.next() ?? false
            group.cancelAll()
            return isEmpty
        }
    }

    private func resume(_ number: Int) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
        waiter?.resume(returning: false)
    }

    private func resumeWaiters(_ isEmpty: Bool, upTo last: Int = .max) {
        let waiters = state.withLock { state in
            let waiters = state.waiters.filter { $0.key <= last }
            state.waiters = state.waiters.filter { $0.key > last }
            return waiters.values
        }
        for waiter in waiters { waiter.resume(returning: isEmpty) }
    }
}
