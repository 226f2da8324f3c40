public import CallModel
public import ServiceLifecycle

/// Hands on what happens to calls, a few times a second, until the program shuts down.
///
/// Not with every commit: under load a thousand watchers would be woken a hundred times a second, and the processors
/// would do nothing else.
public struct LiveBroadcaster: Service {
    private let hub: LiveHub
    private let clock: @Sendable () -> Timestamp

    private static let interval = Duration.milliseconds(200)
    /// Signs of life every 15 s.
    private static let ticksPerBeat = 75
    /// Silent calls are looked for every 5 s.
    private static let ticksPerLook = 25
    /// How long watchers have for taking what is on its way to them when the program shuts down.
    private static let farewell = Duration.seconds(1)

    /// - Parameters:
    ///   - hub: what is handed on.
    ///   - clock: the collector's clock.
    public init(hub: LiveHub, clock: @escaping @Sendable () -> Timestamp) {
        self.hub = hub
        self.clock = clock
    }

    /// Runs until the program shuts down; then all who watch are told to go.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            var ticks = 0
            while !Task.isCancelled {
                do { try await Task.sleep(for: Self.interval) } catch { break }
                ticks += 1
                if ticks.isMultiple(of: Self.ticksPerLook) { hub.expire(now: clock()) }
                hub.deliver()
                if ticks.isMultiple(of: Self.ticksPerBeat) { hub.beat() }
            }
        }
        hub.deliver()
        hub.close()
        try? await Task.sleep(for: Self.farewell)
        hub.closeAll()
    }
}
