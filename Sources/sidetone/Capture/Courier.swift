import Logging
import ServiceLifecycle

/// Delivers what a sensor hands over, batch by batch, and tries again as long as that makes sense.
struct Courier: Sendable {
    let handover: Handover
    let delivery: any Delivery
    let tally: DeliveryTally
    /// How long one batch is tried; nil for ever, as a live capture does: what then has no room is counted.
    let patience: Duration?
    let logger: Logger

    private static let firstPause = Duration.milliseconds(250)
    private static let longestPause = Duration.seconds(10)
    /// A collector that asks for more is asked again after this.
    private static let longestRequestedPause = 60
    private static let tooManyCalls = "more calls go on than may"

    /// Returns when all that was handed over is delivered and no more will come, or when the task is cancelled.
    /// - Throws: ``CaptureFailure`` when a batch could not be delivered and patience is over.
    func run() async throws {
        for await _ in handover.ready {
            while !Task.isCancelled {
                let batch = handover.take()
                guard !batch.isEmpty else { break }
                try await deliver(batch)
                handover.confirm()
            }
        }
        try await deliverPostponed()
    }

    /// Delivers what has to wait until other calls end, when nothing else comes any more.
    private func deliverPostponed() async throws {
        let start = ContinuousClock.now
        while !Task.isCancelled, let pause = handover.recallPostponed() {
            while case let batch = handover.take(), !batch.isEmpty {
                try await deliver(batch)
                handover.confirm()
            }
            guard handover.hasPostponed else { return }
            if let patience, start.duration(to: .now) + pause > patience {
                throw CaptureFailure.undelivered(to: delivery.destination, reason: Self.tooManyCalls)
            }
            try await wait(pause)
        }
    }

    /// Delivers facts, but for those of calls that are too many, which come again later and hold up no others.
    private func deliver(_ facts: [CapturedFact]) async throws {
        var facts = facts
        let start = ContinuousClock.now
        var pause = Self.firstPause
        while true {
            do throws(DeliveryError) {
                facts = note(try await delivery.deliver(facts))
                guard !facts.isEmpty else { return }
                throw patience == nil
                    ? .never(reason: Self.tooManyCalls) : .later(reason: Self.tooManyCalls, seconds: nil)
            } catch .never(let reason) {
                return try reject(facts, reason)
            } catch .later(let reason, let seconds) {
                let requested = seconds.map { Duration.seconds(min(max(0, $0), Self.longestRequestedPause)) }
                let length = max(pause, requested ?? .zero) * Double.random(in: 0.8...1.2)
                note(trouble: reason)
                if let patience, start.duration(to: .now) + length > patience {
                    throw CaptureFailure.undelivered(to: delivery.destination, reason: reason)
                }
                try await wait(length)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }

    /// A pause that ends early when the program is to stop: what is left is tried once more at once, then often.
    private func wait(_ length: Duration) async throws {
        if Task.isShuttingDownGracefully {
            try await Task.sleep(for: min(length, .seconds(1)))
        } else {
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: length) }
            try Task.checkCancellation()
        }
    }

    /// - Returns: The facts of calls that are too many for which there is no room.
    private func note(_ outcome: DeliveryOutcome) -> [CapturedFact] {
        let left = handover.postpone(outcome.tooMany)
        let hasPostponed = handover.hasPostponed
        let hadTrouble = tally.change { counts in
            counts.receipt += outcome.receipt
            guard counts.trouble != nil, !hasPostponed else { return false }
            counts.trouble = nil
            return true
        }
        if !outcome.tooMany.isEmpty { note(trouble: Self.tooManyCalls) }
        if hadTrouble { logger.info("facts are delivered again", metadata: ["to": "\(delivery.destination)"]) }
        return left
    }

    /// Logs what is new; every summary repeats it.
    private func note(trouble reason: String) {
        let isNew = tally.change { counts in
            defer { counts.trouble = reason }
            return counts.trouble != reason
        }
        guard isNew else { return }
        logger.warning(
            "facts wait, for they cannot be delivered",
            metadata: ["to": "\(delivery.destination)", "reason": "\(reason)"])
    }

    /// A file's facts must all arrive; a live capture goes on with what comes next.
    private func reject(_ facts: [CapturedFact], _ reason: String) throws {
        guard patience == nil else {
            throw CaptureFailure.undelivered(to: delivery.destination, reason: reason)
        }
        tally.change { $0.rejected += facts.count }
        logger.error(
            "facts were rejected and are lost",
            metadata: ["to": "\(delivery.destination)", "reason": "\(reason)", "facts": "\(facts.count)"])
    }
}
