public import CallModel

/// How an outbox is kept.
public struct OutboxSettings: Sendable {
    /// What happens when the limit is reached.
    public enum Fullness: String, Hashable, Sendable, CaseIterable {
        /// Nothing more is taken until something was shipped.
        case refuse
        /// What has waited longest is not shipped.
        case dropOldest = "drop-oldest"
    }

    /// Most bytes that may wait, as ``OutboxFigures/bytes`` counts them, records set aside left out; `nil` for any number.
    public var maximumBytes: Int64?
    /// Most entries that may wait; `nil` for any number.
    public var maximumEntries: Int?
    /// What happens then.
    public var whenFull: Fullness
    /// The collector's clock; `nil` for the last receipt of what is noted.
    public var clock: (@Sendable () -> Timestamp)?

    public init(
        maximumBytes: Int64? = nil, maximumEntries: Int? = nil, whenFull: Fullness = .refuse,
        clock: (@Sendable () -> Timestamp)? = nil
    ) {
        self.maximumBytes = maximumBytes
        self.maximumEntries = maximumEntries
        self.whenFull = whenFull
        self.clock = clock
    }
}

/// Whether a store notes what it commits, for another.
public enum OutboxKeeping: Sendable {
    /// As whoever wrote to the file before: it begins without one.
    case asBefore
    /// From now on it does. Everything that is stored already is noted, too.
    case on(OutboxSettings)
    /// From now on it does not. What was noted stays.
    case off
}
