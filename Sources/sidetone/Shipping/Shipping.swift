import CallModel
import Collector
import CollectorServer
import Logging
import SQLiteStore

/// What a server, or a capture, has to do with another store that its calls are shipped to.
///
/// The database is to be opened with ``keeping(_:)``, and the service to be put before the collector in the group, so that it
/// stops after it.
struct Shipping: Sendable {
    /// To be run.
    let service: ShippingService
    private let monitor: ShippingMonitor
    private let target: ShippingTarget
    private let outbox: SQLiteCallStore
    private let collector: CallCollector

    /// - Parameters:
    ///   - outbox: the server's own store.
    ///   - collector: who writes to it.
    ///   - address: what is given what is stored there.
    ///   - role: what this process does, as in ``StoreAddress/open(as:)``.
    ///   - settings: how much is shipped at a time, and how often.
    ///   - meter: is told what was given.
    ///   - logger: is told when it stops to go, and when it goes again.
    init(
        from outbox: SQLiteCallStore, of collector: CallCollector, to address: StoreAddress, as role: String,
        settings: ShippingSettings = ShippingSettings(), meter: ShippingMeter = ShippingMeter(), logger: Logger
    ) {
        let target = ShippingTarget(address, as: role, from: outbox.path)
        let monitor = ShippingMonitor(now: Clock.now())
        (self.target, self.monitor, self.outbox, self.collector) = (target, monitor, outbox, collector)
        service = ShippingService(
            outbox: outbox, target: { try await target.store(anew: monitor.state.phase == .blocked) },
            renumber: { try await collector.renumber($0, in: outbox) },
            settings: settings, monitor: monitor, meter: meter, clock: Clock.now, logger: logger)
    }

    /// What is done there for all servers that ship to it, and here because of what others did there. To be run, and to stop
    /// after ``service``.
    func merging(_ settings: MergingSettings, meter: MergingMeter, logger: Logger) -> MergingService {
        MergingService(
            store: { [target] in try await target.store() }, settings: settings,
            removeErased: { [outbox, collector] in try await collector.removeErased($0, from: outbox) }, meter: meter,
            clock: Clock.now, logger: logger)
    }

    /// What calls are shown from: the server's `own` store, and this where `shown` says all.
    func stores(own: any CallStore, showing shown: ShownCalls) -> ShownStores {
        guard shown == .all else { return ShownStores(own: own) }
        return ShownStores(own: own) { [target] in try await target.store() }
    }

    /// Ends the connections.
    func close() async { await target.close() }

    /// In a word how it goes, for `GET /readyz`.
    var word: String { monitor.state.phase.rawValue }

    /// How the database is opened when calls are shipped, or, without settings, are not.
    static func keeping(_ settings: SpoolSettings?) -> OutboxKeeping {
        settings.map {
            .on(OutboxSettings(maximumBytes: $0.maximumBytes, whenFull: $0.whenFull, clock: Clock.now))
        } ?? .off
    }
}
