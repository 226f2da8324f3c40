public import CallModel
public import Logging
public import ServiceLifecycle

/// Puts calls together in the store that several nodes ship to, for as long as the program runs.
///
/// It is to stop after what ships, so that what that gives last is put together, too.
public struct MergingService: Service {
    private let store: @Sendable () async throws -> any SharedCallStore
    private let removeErased: @Sendable ([ErasedCall]) async throws -> Int
    private let settings: MergingSettings
    private let meter: MergingMeter
    private let clock: @Sendable () -> Timestamp
    private let logger: Logger
    private let random: @Sendable () -> Double
    private let pause: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - store: what is shipped to; asked for with every pass, for it need not be there yet.
    ///   - settings: how often, and how much at a time.
    ///   - removeErased: removes calls that were erased there from what this node has; says how many it had.
    ///   - meter: is told what was done.
    ///   - clock: tells the time.
    ///   - logger: is told what cannot be put together, and what was evicted.
    ///   - random: 0..<1, spreads passes of several nodes over time.
    ///   - pause: waits; throws when the task is cancelled.
    public init(
        store: @escaping @Sendable () async throws -> any SharedCallStore, settings: MergingSettings,
        removeErased: @escaping @Sendable ([ErasedCall]) async throws -> Int = { _ in 0 },
        meter: MergingMeter = MergingMeter(), clock: @escaping @Sendable () -> Timestamp, logger: Logger,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.store = store
        self.settings = settings
        self.removeErased = removeErased
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
            passes.erasures = ErasurePass(
                overlapSeconds: settings.overlapSeconds, callsPerPage: settings.callsPerPage)
            while !Task.isCancelled {
                if await make(&passes, isForced: passes.isFull) { continue }
                try? await pause(settings.interval * (0.8 + 0.4 * random()))
            }
        }
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                // What writes here has ended: nothing can be removed any more.
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
        /// `nil` where nothing is to be removed.
        var erasures: ErasurePass?
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
            if let report = try await pass.run(now: clock(), isForced: isForced) {
                meter.count(report, since: began)
                tell(report, &passes)
                passes.isFull = report.isFull
            }
            try await follow(&passes.erasures, on: store)
            return passes.isFull
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

    /// What was erased there goes from here, whoever's turn the rest is.
    private func follow(_ erasures: inout ErasurePass?, on store: any SharedCallStore) async throws {
        guard let removed = try await erasures?.run(on: store, removeErased), removed > 0 else { return }
        // Which calls they are is in no log.
        logger.notice(
            "calls were removed that were erased in the store that is shipped to", metadata: ["calls": "\(removed)"])
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
