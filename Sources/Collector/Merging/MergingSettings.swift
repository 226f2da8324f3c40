public import CallModel

/// How calls whose reports reached several nodes are put together.
public struct MergingSettings: Hashable, Sendable {
    /// How long after one pass the next begins, whoever makes it.
    public var interval = Duration.seconds(30)
    /// So much earlier than the last pass ended its search the next one begins it: what is written on one replica is
    /// seen on another some time later, and their clocks differ.
    public var overlapSeconds: Int64 = 60
    /// A record that waits for a new fold is given one after so long: until then its node may do it.
    public var settlingSeconds: Int64 = 30
    /// Calls that are looked at in one step.
    public var callsPerPage = 1_000
    /// Calls that are looked at in one pass; the next goes on behind them.
    public var callsPerPass = 20_000
    /// Rows of facts that are held at a time; calls of more than this are left as they are.
    public var mostFacts = 200_000
    /// Calls that could not be put together and are tried again.
    public var mostFailures = 1_000
    /// How long calls are kept there; `nil` keeps them.
    public var retention: Retention?
    /// How often the limits of number and age are seen to.
    public var retentionSeconds: Int64 = 60
    /// How often rows that none shows are taken out.
    public var cleaningSeconds: Int64 = 3_600
    /// Rows younger than this are left: somebody may be reading them.
    public var cleaningAgeSeconds: Int64 = 600
    /// See ``CollectorLimits/attemptSilenceMilliseconds``.
    public var attemptSilenceMilliseconds = CollectorLimits().attemptSilenceMilliseconds
    /// How long the last pass before the program ends may take.
    public var farewell = Duration.seconds(5)

    public init() {}
}
