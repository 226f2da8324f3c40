public import CallModel
public import Logging
public import ServiceLifecycle

/// Gives what is stored here to another store, for as long as the program runs. Never gives up.
///
/// It is to stop after the collector, so that what that writes last is given on, too.
public struct ShippingService: Service {
    private let outbox: any ChangeOutbox
    private let target: @Sendable () async throws -> any CallStore
    private let renumber: (@Sendable (ReusedCall) async throws -> Void)?
    private let settings: ShippingSettings
    private let monitor: ShippingMonitor
    private let meter: ShippingMeter
    private let clock: @Sendable () -> Timestamp
    private let logger: Logger
    private let random: @Sendable () -> Double
    private let pause: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - outbox: what waits.
    ///   - target: who is given it; asked for with every batch, for it need not be there yet.
    ///   - renumber: see ``Shipper``.
    ///   - settings: how much at a time, and how often.
    ///   - monitor: is told how it goes.
    ///   - meter: is told what was given.
    ///   - clock: tells the time.
    ///   - logger: is told when it stops to go, and when it goes again.
    ///   - random: 0..<1, spreads attempts over time.
    ///   - pause: waits; throws when the task is cancelled.
    public init(
        outbox: any ChangeOutbox, target: @escaping @Sendable () async throws -> any CallStore,
        renumber: (@Sendable (ReusedCall) async throws -> Void)? = nil,
        settings: ShippingSettings = ShippingSettings(),
        monitor: ShippingMonitor, meter: ShippingMeter = ShippingMeter(), clock: @escaping @Sendable () -> Timestamp,
        logger: Logger, random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.outbox = outbox
        self.target = target
        self.renumber = renumber
        self.settings = settings
        self.monitor = monitor
        self.meter = meter
        self.clock = clock
        self.logger = logger
        self.random = random
        self.pause = pause
    }

    /// Counts what is given up from now on. To be called before anything new may be written here.
    public func begin() async {
        if let figures = try? await outbox.figures() { meter.show(figures, now: clock()) }
    }

    /// Ships until the program shuts down; then tries once more to give on all that waits, for a few seconds.
    public func run() async throws {
        let shipper = await cancelWhenGracefulShutdown { await ship() }
        await takeLeave(shipper)
    }

    private func ship() async -> Shipper {
        var shipper = Shipper(
            outbox: outbox, target: target,
            limit: OutboxLimit(rows: settings.rowsPerBatch, bytes: settings.bytesPerBatch), renumber: renumber)
        await recall(shipper)
        var backoff = Backoff(settings)
        while !Task.isCancelled {
            switch await step(&shipper) {
            case .shipped(let shipment) where shipment.isFull: backoff.reset()
            case .shipped, .idle:
                backoff.reset()
                try? await pause(settings.interval)
            case .failed: try? await pause(backoff.next(random: random()))
            }
        }
        return shipper
    }

    /// What the other store did not take before, it may take since it, or this program, is a newer one.
    private func recall(_ shipper: Shipper) async {
        guard let records = try? await shipper.recall(), records > 0 else { return }
        logger.notice("records that were set aside are tried again", metadata: ["records": "\(records)"])
    }

    private func step(_ shipper: inout Shipper) async -> Shipper.Step {
        let began = meter.moment()
        let step = await shipper.step()
        // What was cut off by the shutdown did not fail.
        guard !Task.isCancelled else { return step }
        meter.count(step, since: began)
        tell(step, isNews: monitor.note(step, at: clock()))
        return step
    }

    // MARK: Leaving

    private func takeLeave(_ shipper: Shipper) async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await empty(shipper) }
            tasks.addTask { try? await pause(settings.farewell) }
            await tasks.next()
            tasks.cancelAll()
        }
        guard let figures = try? await outbox.figures(), figures.entries > 0 else { return }
        logger.notice(
            "what was not shipped waits for the next start",
            metadata: ["entries": "\(figures.entries)", "bytes": "\(figures.bytes)"])
    }

    private func empty(_ shipper: Shipper) async {
        var shipper = shipper
        while !Task.isCancelled, case .shipped = await step(&shipper) {}
    }

    // MARK: The log

    private func tell(_ step: Shipper.Step, isNews: Bool) {
        switch step {
        case .failed(.mend, let reason) where isNews:
            logger.error(
                "the store that calls are shipped to has to be set right; they are kept here until then",
                metadata: ["reason": "\(reason)"])
        case .failed(_, let reason) where isNews:
            logger.warning(
                "calls cannot be shipped at the moment; they are kept here until they can",
                metadata: ["reason": "\(reason)"])
        case .shipped where isNews: logger.notice("calls are shipped again")
        case .idle where isNews: logger.notice("calls are shipped again")
        default: break
        }
        guard case .shipped(let shipment) = step else { return }
        // Which calls they are is in no log.
        if shipment.renumbered > 0 {
            logger.notice(
                "ids were used before by calls that are gone where calls are shipped to: they are the next attempts now",
                metadata: ["calls": "\(shipment.renumbered)"])
        }
        guard let reason = shipment.setAside.values.first else { return }
        logger.error(
            "the store that calls are shipped to does not take some records; they are set aside",
            metadata: ["records": "\(shipment.setAside.count)", "reason": "\(reason)"])
    }
}
