import CallModel

/// What `sidetone serve` goes by.
struct ServeSettings: Hashable, Sendable {
    var listen: ListenAddress
    /// Path of the file that calls are kept in.
    var database: String
    /// Whether records of other rules are derived anew in the background.
    var rescore: Bool
    var retention: Retention
    /// What to listen to on the wire; nil for nothing.
    var capture: SensorSettings?
    /// How long it goes on when it was told to stop.
    var stopDelaySeconds: Int
    var log: LogSettings

    init(_ settings: ResolvedSettings) {
        listen = settings[Settings.listen]
        database = settings[Settings.database]
        rescore = settings[Settings.rescore]
        retention = Retention(calls: settings[Settings.keepCalls], days: settings[Settings.keepDays])
        capture = SensorSettings(settings)
        stopDelaySeconds = settings[Settings.stopDelaySeconds]
        log = LogSettings(level: settings[Settings.logLevel], format: settings[Settings.logFormat])
    }
}
