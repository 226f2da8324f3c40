/// How long to wait after a request that did not work: twice as long each time, up to a minute, and not the same in all
/// apps.
struct Backoff: Hashable, Sendable {
    private var failures = 0

    static let first = Duration.seconds(1)
    static let longest = Duration.seconds(60)
    /// A collector that asks for more is asked again after this.
    static let longestRequested = Duration.seconds(600)

    /// The next pause.
    /// - Parameters:
    ///   - requested: what the collector asked for (`Retry-After`); the pause is no shorter.
    ///   - random: where chance comes from.
    /// - Returns: how long to wait.
    mutating func next(requested: Duration? = nil, using random: inout some RandomNumberGenerator) -> Duration {
        let pause =
            min(Self.longest, Self.first * (1 << min(failures, 10))) * Double.random(in: 0.5...1, using: &random)
        failures += 1
        guard let requested else { return pause }
        return max(pause, min(requested, Self.longestRequested) * Double.random(in: 1...1.25, using: &random))
    }

    /// The next pause, by the system's chance.
    mutating func next(requested: Duration? = nil) -> Duration {
        var random = SystemRandomNumberGenerator()
        return next(requested: requested, using: &random)
    }

    /// It worked.
    mutating func reset() {
        failures = 0
    }
}
