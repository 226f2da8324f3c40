import Synchronization

/// Where captured facts go.
protocol Delivery: Sendable {
    /// Where that is, for messages.
    var destination: String { get }

    /// Delivers facts; when it returns, all but ``DeliveryOutcome/tooMany`` are kept, or never will be. The same facts delivered
    /// again are repeats and do no harm.
    func deliver(_ facts: [CapturedFact]) async throws(DeliveryError) -> DeliveryOutcome
}

/// Why facts were not taken.
enum DeliveryError: Error, Hashable, Sendable {
    /// They may be taken later; `seconds` says when, if known.
    case later(reason: String, seconds: Int?)
    /// They will never be.
    case never(reason: String)
}

/// What became of facts that were delivered together.
struct DeliveryOutcome: Hashable, Sendable {
    var receipt = DeliveryReceipt()
    /// Not stored for now, because more calls go on than may: to be delivered again when others have ended.
    var tooMany: [CapturedFact] = []

    static func += (left: inout DeliveryOutcome, right: DeliveryOutcome) {
        left.receipt += right.receipt
        left.tooMany += right.tooMany
    }
}

/// What became of delivered facts.
struct DeliveryReceipt: Hashable, Sendable {
    /// Stored.
    var accepted = 0
    /// Known already.
    var repeated = 0
    /// Stored beside different contents.
    var contradicted = 0
    /// Not stored, because their call was evicted or erased, or nothing could be made of them.
    var refused = 0

    static func += (left: inout DeliveryReceipt, right: DeliveryReceipt) {
        left.accepted += right.accepted
        left.repeated += right.repeated
        left.contradicted += right.contradicted
        left.refused += right.refused
    }
}

/// What was delivered so far. A class, for who delivers and who tells of it share it.
final class DeliveryTally: Sendable {
    struct Counts: Hashable, Sendable {
        var receipt = DeliveryReceipt()
        /// Facts that the destination would not have: they are lost.
        var rejected = 0
        /// What keeps facts waiting now; nil while all is well.
        var trouble: String?
    }

    private let state = Mutex(Counts())

    var counts: Counts {
        state.withLock { $0 }
    }

    func change<Value: Sendable>(_ body: (inout Counts) -> Value) -> Value {
        state.withLock { body(&$0) }
    }
}
