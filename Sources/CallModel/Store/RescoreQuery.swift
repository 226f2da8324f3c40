/// Which records to derive anew.
public struct RescoreQuery: Hashable, Sendable {
    /// The rules that are in force: records of others are wanted, and those that wait for a new fold anyway.
    public var rulesVersion: Int
    /// Only records of these calls; empty for those of all.
    public var calls: Set<CallIdentity>

    public init(rulesVersion: Int, calls: Set<CallIdentity> = []) {
        self.rulesVersion = rulesVersion
        self.calls = calls
    }
}

/// A record that is to be derived anew.
public struct OutdatedRecord: Hashable, Sendable {
    /// The store's running number of the record.
    public var number: Int64
    /// Which record.
    public var key: CallKey
    /// The score that it has now; `nil` without one.
    public var score: Int?

    public init(number: Int64, key: CallKey, score: Int?) {
        self.number = number
        self.key = key
        self.score = score
    }
}
