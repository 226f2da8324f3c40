public import CallModel
import Logging

/// Whether the store takes what it is given, and what was found damaged in it.
public struct StoreHealth: Hashable, Sendable {
    /// A time in which nothing could be stored.
    public struct Outage: Hashable, Sendable {
        /// Why.
        public var cause: StoreOutage
        /// When it was met first.
        public var since: Timestamp
        /// Submissions that were answered so; none of them was stored.
        public var refused = 0
    }

    /// The outage that goes on; `nil` while the store takes writes.
    public private(set) var outage: Outage?
    /// What was found damaged first, in words; `nil` when nothing was. It does not heal while the program runs.
    public private(set) var damage: String?
    /// How often it was found locked by another program. Each time that was waited for.
    private(set) var timesLocked = 0
    /// Calls of which a submission could not be stored for damage, since one of any call could.
    private var refusedForDamage: Set<CallIdentity> = []

    /// With so many the damage is not that of a call.
    private static let mostRefusedForDamage = 10

    public init() {}

    /// Why nothing can be stored, in words; `nil` while something can.
    public var trouble: String? {
        outage?.cause.words ?? (refusedForDamage.count < Self.mostRefusedForDamage ? nil : "the database is damaged")
    }
}

extension StoreHealth {
    /// What is worth a line in the log.
    enum News: Hashable, Sendable {
        /// From now on nothing can be stored.
        case begun(StoreOutage)
        /// Writing works again.
        case over(Outage)
        /// Damage was found.
        case damaged(String)
    }

    /// Takes in that writing or reading failed.
    /// - Parameters:
    ///   - error: how.
    ///   - submissions: how many could not be stored.
    ///   - call: a call that they are of; `nil` where nothing was to be stored.
    ///   - now: the time.
    /// - Returns: what is new, so that an outage is told once and not once a request.
    mutating func note(
        _ error: any Error, refusing submissions: Int = 0, of call: CallIdentity? = nil, at now: Timestamp
    ) -> News? {
        switch error {
        case CallStoreError.unavailable(let cause, _):
            if cause == .locked { timesLocked += 1 }
            let isNew = outage?.cause != cause
            if outage == nil { outage = Outage(cause: cause, since: now) }
            outage?.cause = cause
            outage?.refused += submissions
            return isNew ? .begun(cause) : nil
        case CallStoreError.damaged:
            if let call, refusedForDamage.count < Self.mostRefusedForDamage { refusedForDamage.insert(call) }
            guard damage == nil else { return nil }
            damage = "\(error)"
            return .damaged("\(error)")
        default: return nil
        }
    }

    /// Takes in that submissions were answered by an outage that is known, without another look.
    mutating func noteRefused(_ submissions: Int) {
        outage?.refused += submissions
    }

    /// Takes in that a write was stored.
    mutating func noteSuccess() -> News? {
        defer { outage = nil }
        refusedForDamage = []
        return outage.map(News.over)
    }
}

extension StoreHealth.News {
    /// One line.
    func log(to logger: Logger, at now: Timestamp) {
        switch self {
        case .begun(let cause):
            logger.error(
                "nothing can be stored; clients are told to try again later", metadata: ["cause": "\(cause.words)"])
        case .over(let outage):
            logger.notice(
                "what clients send is stored again",
                metadata: [
                    "cause": "\(outage.cause.words)", "refused": "\(outage.refused)",
                    "seconds": "\(max(now.milliseconds(since: outage.since), 0) / 1000)",
                ])
        case .damaged(let damage):
            logger.critical(
                "the database is damaged; stop the server, run \"sidetone check\", and restore a backup",
                metadata: ["damage": "\(damage)"])
        }
    }
}

extension Error {
    /// Whether the store takes nothing at the moment.
    var isOutage: Bool {
        if let error = self as? CallStoreError, case .unavailable = error { true } else { false }
    }

    /// Whether the store takes anything but this.
    var isRefusal: Bool {
        if let error = self as? CallStoreError, case .refused = error { true } else { false }
    }
}

extension CallStoreError {
    /// Whether it is told once by ``StoreHealth``, and not once each time.
    var isToldOnce: Bool {
        switch self {
        case .unavailable, .damaged: true
        case .cannotOpen, .inUse, .failed, .refused, .misconfigured: false
        }
    }
}
