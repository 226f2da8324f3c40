/// How what is stored here is given to another store.
public struct ShippingSettings: Hashable, Sendable {
    /// Facts, derived rows and records in one batch.
    public var rowsPerBatch = 20_000
    /// Bytes that a batch takes of the database here, about; it takes several times as much in memory.
    public var bytesPerBatch: Int64 = 32 << 20
    /// How long changes are gathered before they are given on.
    public var interval = Duration.seconds(2)
    /// How long it waits after the first failure; twice as long after each further one.
    public var firstPause = Duration.seconds(5)
    /// It never waits longer.
    public var longestPause = Duration.seconds(30)
    /// How long it goes on when the program is to stop. What is left waits for the next start.
    public var farewell = Duration.seconds(5)

    public init() {}
}

/// Longer and longer pauses between attempts, so that what is overloaded comes to its breath.
struct Backoff: Hashable, Sendable {
    private let first: Duration
    private let longest: Duration
    private var pause: Duration

    init(_ settings: ShippingSettings) {
        (first, longest) = (settings.firstPause, settings.longestPause)
        pause = first
    }

    /// The next pause, a fifth shorter or longer than its step, so that several who failed at once do not come back at
    /// once; within the bounds. `random` is 0..<1.
    mutating func next(random: Double) -> Duration {
        defer { pause = min(pause * 2, longest) }
        return min(max(pause * (0.8 + 0.4 * random), first), longest)
    }

    mutating func reset() { pause = first }
}
