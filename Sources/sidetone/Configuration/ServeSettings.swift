import CallModel
import Collector

/// What `sidetone serve` goes by.
struct ServeSettings: Hashable, Sendable {
    var listen: ListenAddress
    /// Path of the file that calls are kept in.
    var database: String
    /// Where what is kept there is shipped to.
    var shipping: ShippingChoice
    /// What is done there.
    var merging: MergingSettings
    /// Which of the calls there are shown.
    var shownCalls: ShownCalls
    /// Whether records of other rules are derived anew in the background.
    var rescore: Bool
    var exposure: ExposureSettings
    var privacy: PrivacySettings
    var limits: LimitSettings
    var retention: Retention
    /// What to listen to on the wire; nil for nothing.
    var capture: SensorSettings?
    /// How long it goes on when it was told to stop.
    var stopDelaySeconds: Int
    var log: LogSettings

    init(_ settings: ResolvedSettings) {
        listen = settings[Settings.listen]
        database = settings[Settings.database]
        shipping = ShippingChoice(settings)
        merging = MergingSettings(settings)
        shownCalls = settings[Settings.shownCalls]
        rescore = settings[Settings.rescore]
        exposure = ExposureSettings(settings)
        privacy = PrivacySettings(
            addresses: settings[Settings.addresses], key: settings[Settings.addressKey])
        limits = LimitSettings(settings)
        retention = Retention(calls: settings[Settings.keepCalls], days: settings[Settings.keepDays])
        capture = SensorSettings(settings)
        stopDelaySeconds = settings[Settings.stopDelaySeconds]
        log = LogSettings(level: settings[Settings.logLevel], format: settings[Settings.logFormat])
    }
}

extension ServeSettings {
    /// Reads the files that have to be there at the start, and what says who may use the server.
    /// - Throws: ``ConfigurationError`` with all that is wrong.
    func checkFiles() throws(ConfigurationError) {
        try fileFaults.check()
    }

    /// The same, as values.
    var fileFaults: [ConfigurationFault] {
        var faults = [exposure.accessFault(listening: listen)].compactMap(\.self) + exposure.fileFaults
        do { _ = try privacy.policy } catch { faults.append(.unusable("\(error)")) }
        return faults
    }
}
