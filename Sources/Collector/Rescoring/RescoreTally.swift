public import CallModel

/// What deriving records anew has changed.
public struct RescoreTally: Hashable, Sendable {
    /// A record whose score changed.
    public struct Change: Hashable, Sendable {
        /// Which record.
        public var key: CallKey
        /// Its score before.
        public var before: Int
        /// Its score now.
        public var after: Int

        /// Points gained; negative for those lost.
        public var points: Int { after - before }
    }

    /// Why records were not derived.
    public struct Failure: Hashable, Sendable {
        /// How many.
        public var count: Int
        /// One of them.
        public var example: CallKey
    }

    /// Records derived anew.
    public private(set) var records = 0
    /// Records that were removed before their turn came.
    public private(set) var gone = 0
    /// Records that have another score than before.
    public private(set) var changes = 0
    /// Points by which those changed, up or down, in all.
    public private(set) var pointsChanged = 0
    /// The largest of the changes, the first of several.
    public private(set) var largest: Change?
    /// Records that have a score and had none.
    public private(set) var scoresGained = 0
    /// Records that had a score and have none.
    public private(set) var scoresLost = 0
    /// Records that could not be derived, and stay as they were, by reason.
    public private(set) var failures: [String: Failure] = [:]

    /// Reasons that are told apart; the rest is counted under ``otherReasons``.
    private static let mostReasons = 20
    /// Stands for the reasons beyond the twentieth.
    public static let otherReasons = "other reasons"

    public init() {}

    /// Records that had their turn.
    public var done: Int { records + gone + failed }

    /// Records that could not be derived.
    public var failed: Int { failures.values.reduce(0) { $0 + $1.count } }

    /// Mean change of the scores that changed, up or down alike, in points; `nil` when none did.
    public var meanChange: Double? { changes > 0 ? Double(pointsChanged) / Double(changes) : nil }

    mutating func count(_ record: OutdatedRecord, now summary: CallSummary?) {
        guard let summary else {
            gone += 1
            return
        }
        records += 1
        switch (record.score, summary.score) {
        case (nil, nil): break
        case (nil, .some): scoresGained += 1
        case (.some, nil): scoresLost += 1
        case (let before?, let after?) where before != after:
            note(Change(key: record.key, before: before, after: after))
        default: break
        }
    }

    private mutating func note(_ change: Change) {
        changes += 1
        pointsChanged += abs(change.points)
        if abs(change.points) > largest.map({ abs($0.points) }) ?? 0 { largest = change }
    }

    mutating func count(_ record: OutdatedRecord, failure reason: String) {
        let known = failures[reason] != nil || failures.count < Self.mostReasons
        failures[known ? reason : Self.otherReasons, default: Failure(count: 0, example: record.key)].count += 1
    }
}
