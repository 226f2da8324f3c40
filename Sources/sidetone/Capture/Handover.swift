import Foundation

/// What the thread that reads packets hands to the task that delivers facts: a queue with limits.
///
/// A live capture must never wait, so what does not fit is counted and let go (``offer(_:)``); the reader of a file waits
/// (``put(_:)``). A class, for both sides share it; unchecked, for the condition guards everything in it, and a thread
/// can wait for nothing else.
final class Handover: @unchecked Sendable {
    /// How much waits at most.
    struct Limits: Hashable, Sendable {
        var facts = 50_000
        /// Of ``CapturedFact/approximateBytes``.
        var bytes = 64 << 20
        /// How much is delivered at once, at most; a collector takes bodies of 1 MiB.
        var batchFacts = 500
        var batchBytes = 512 << 10
        /// Facts of calls that are too many, which are delivered again after this: other calls end within a minute or two.
        var postponedFacts = 12_500
        var postponedBytes = 16 << 20
        var postponement = Duration.seconds(10)
    }

    /// Says that a batch is full, or its first fact has waited long enough. Ends when nothing more will come.
    let ready: AsyncStream<Void>

    private let limits: Limits
    private let wake: AsyncStream<Void>.Continuation
    private let condition = NSCondition()
    private var waiting: [CapturedFact] = []
    private var waitingBytes = 0
    private var postponed: [CapturedFact] = []
    private var postponedBytes = 0
    private var postponedUntil: ContinuousClock.Instant?
    private var inDelivery = 0
    private var lost = 0
    private var firstWaitsSince: ContinuousClock.Instant?
    private var isAbandoned = false
    /// How long facts are gathered before they are delivered.
    private static let gatheringTime = Duration.seconds(1)

    init(limits: Limits = Limits()) {
        self.limits = limits
        (ready, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}

// MARK: - The thread's side

extension Handover {
    /// Takes what fits; the rest is counted as lost.
    func offer(_ facts: [CapturedFact]) {
        locked {
            for fact in facts {
                if hasRoom(for: fact) { append(fact) } else { lost += 1 }
            }
        }
        wakeWhenDue()
    }

    /// Takes all, and waits for room where there is none.
    /// - Returns: Whether anyone still wants more.
    func put(_ facts: [CapturedFact]) -> Bool {
        let isWanted = locked {
            for fact in facts {
                while !hasRoom(for: fact), !isAbandoned {
                    wake.yield()
                    condition.wait()
                }
                append(fact)
            }
            return !isAbandoned
        }
        // Not when due: who reads a pipe may not come by again for long.
        wake.yield()
        return isWanted
    }

    /// To be called now and then, so that few facts do not wait for many.
    func wakeWhenDue() {
        let isDue = locked {
            if isPostponementOver { return true }
            guard let firstWaitsSince else { return false }
            return waiting.count >= limits.batchFacts || firstWaitsSince.duration(to: .now) >= Self.gatheringTime
        }
        if isDue { wake.yield() }
    }

    /// Says that nothing more will come.
    func close() {
        wake.yield()
        wake.finish()
    }

    /// What is larger than all room there is must pass, too, when it is alone.
    private func hasRoom(for fact: CapturedFact) -> Bool {
        waiting.isEmpty || waiting.count < limits.facts && waitingBytes + fact.approximateBytes <= limits.bytes
    }

    private func append(_ fact: CapturedFact) {
        waiting.append(fact)
        waitingBytes += fact.approximateBytes
        if firstWaitsSince == nil { firstWaitsSince = .now }
    }
}

// MARK: - The task's side

extension Handover {
    /// The facts that are to be delivered next; empty when there are none. They count as waiting until ``confirm()``.
    func take() -> [CapturedFact] {
        locked {
            if isPostponementOver { recall() }
            var count = 0
            var bytes = 0
            while count < min(waiting.count, limits.batchFacts) {
                let more = waiting[count].approximateBytes
                guard count == 0 || bytes + more <= limits.batchBytes else { break }
                bytes += more
                count += 1
            }
            let batch = Array(waiting.prefix(count))
            waiting.removeFirst(count)
            waitingBytes -= bytes
            inDelivery = count
            if waiting.isEmpty { firstWaitsSince = nil }
            condition.signal()
            return batch
        }
    }

    /// Says that what was taken last was delivered, or need not be.
    func confirm() {
        locked { inDelivery = 0 }
    }

    /// Has facts wait for as long as others have to end, behind which they come.
    /// - Returns: Those for which there is no room.
    func postpone(_ facts: [CapturedFact]) -> [CapturedFact] {
        locked {
            let first = facts.firstIndex { fact in
                let bytes = postponedBytes + fact.approximateBytes
                guard postponed.count < limits.postponedFacts, bytes <= limits.postponedBytes else { return true }
                postponed.append(fact)
                postponedBytes = bytes
                return false
            }
            if !postponed.isEmpty, postponedUntil == nil { postponedUntil = .now + limits.postponement }
            let left = first.map { Array(facts[$0...]) } ?? []
            inDelivery -= facts.count - left.count
            return left
        }
    }

    var hasPostponed: Bool { locked { !postponed.isEmpty } }

    /// Has what was postponed be taken next.
    /// - Returns: How long it is to wait when it is postponed again; nil when there is none.
    func recallPostponed() -> Duration? {
        locked {
            guard !postponed.isEmpty else { return nil }
            recall()
            return limits.postponement
        }
    }

    private var isPostponementOver: Bool { postponedUntil.map { $0 <= .now } ?? false }

    private func recall() {
        waiting.insert(contentsOf: postponed, at: 0)
        waitingBytes += postponedBytes
        (postponed, postponedBytes, postponedUntil) = ([], 0, nil)
        if firstWaitsSince == nil { firstWaitsSince = .now }
    }

    /// Says that no one will take anything any more.
    func abandon() {
        locked {
            isAbandoned = true
            condition.signal()
        }
    }

    /// Facts that wait, what is being delivered or postponed included, and facts for which there was no room.
    var counts: (waiting: Int, lost: Int) {
        locked { (waiting.count + postponed.count + inDelivery, lost) }
    }
}
