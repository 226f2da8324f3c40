public import CallModel
public import Logging
public import ServiceLifecycle

/// Puts calls together in the store that several nodes ship to, for as long as the program runs.
///
/// It is to stop after what ships, so that what that gives last is put together, too.
public struct MergingService: Service {
    private let store: @Sendable () async throws -> any SharedCallStore
    private let settings: MergingSettings
    private let meter: MergingMeter
    private let clock: @Sendable () -> Timestamp
    private let logger: Logger
    private let random: @Sendable () -> Double
    private let pause: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - store: what is shipped to; asked for with every pass, for it need not be there yet.
    ///   - settings: how often, and how much at a time.
    ///   - meter: is told what was done.
    ///   - clock: tells the time.
    ///   - logger: is told what cannot be put together, and what was evicted.
    ///   - random: 0..<1, spreads passes of several nodes over time.
    ///   - pause: waits; throws when the task is cancelled.
    public init(
        store: @escaping @Sendable () async throws -> any SharedCallStore, settings: MergingSettings,
        meter: MergingMeter = MergingMeter(), clock: @escaping @Sendable () -> Timestamp, logger: Logger,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.store = store
        self.settings = settings
        self.meter = meter
        self.clock = clock
        self.logger = logger
        self.random = random
        self.pause = pause
    }

    /// Makes passes until the program shuts down, and a last one then, which takes a few seconds at most.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            var passes = Passes()
            while !Task.isCancelled {
                if await make(&passes, isForced: passes.isFull) { continue }
                try? await pause(settings.interval * (0.8 + 0.4 * random()))
            }
        }
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                var passes = Passes()
                _ = await make(&passes, isForced: true)
            }
            tasks.addTask { try? await pause(settings.farewell) }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    /// What one pass leaves to the next.
    private struct Passes {
        var pass: MergePass?
        var hasFailed = false
        /// Whether the last one left something.
        var isFull = false
        /// Calls that were told of; each once.
        var told: Set<CallIdentity> = []
    }

    /// Makes a pass.
    /// - Returns: whether more waits.
    private func make(_ passes: inout Passes, isForced: Bool) async -> Bool {
        let began = meter.moment()
        passes.isFull = false
        do {
            let store = try await store()
            var pass = passes.pass ?? MergePass(on: store, settings: settings)
            pass.store = store
            defer { passes.pass = pass }
            guard let report = try await pass.run(now: clock(), isForced: isForced) else { return false }
            meter.count(report, since: began)
            tell(report, &passes)
            passes.isFull = report.isFull
            return report.isFull
        } catch {
            // What was cut off by the shutdown did not fail.
            guard !Task.isCancelled else { return false }
            meter.countFailure()
            if !passes.hasFailed {
                logger.warning(
                    "calls in the store that is shipped to cannot be put together at the moment",
                    metadata: ["reason": "\(error)"])
            }
            passes.hasFailed = true
            return false
        }
    }

    private func tell(_ report: MergePass.Report, _ passes: inout Passes) {
        if passes.hasFailed { logger.notice("calls in the store that is shipped to are put together again") }
        passes.hasFailed = false
        if report.evicted > 0 {
            logger.info("calls evicted from the store that is shipped to", metadata: ["count": "\(report.evicted)"])
        }
        let news = report.failures.filter { !passes.told.contains($0.key) }
        passes.told = Set(report.failures.keys)
        // Which calls they are is in no log.
        guard let reason = news.values.first else { return }
        logger.error(
            "what several nodes took of some calls cannot be put together; it stays as the last of them has it",
            metadata: ["calls": "\(news.count)", "reason": "\(reason)"])
    }
}
