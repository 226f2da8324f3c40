import CallModel
import PacketCapture

/// What `sidetone capture` goes by: its flags, and for what they leave open the settings of `sidetone serve`.
struct CaptureSettings: Sendable {
    /// Where facts go.
    enum Destination: Hashable, Sendable {
        /// Into this file.
        case database(String)
        /// To another sidetone, with the token of this file, or of the environment; trusting the authorities of that one.
        case collector(CollectorAddress, tokenFile: String?, authorities: String?)
    }

    /// What to listen to; nil where nothing says it.
    var sensor: SensorSettings?
    var destination: Destination
    /// Where what is kept in a file is shipped to.
    var shipping: ShippingChoice
    var retention: Retention
    /// How long to try to deliver what is left when it ends.
    var flushSeconds: Int
    var log: LogSettings

    /// - Parameters:
    ///   - settings: flags, environment and file together.
    ///   - files: the capture files to read instead of listening; none to listen.
    init(_ settings: ResolvedSettings, reading files: [String]) {
        sensor =
            if !files.isEmpty {
                SensorSettings(
                    source: .files(files, filter: settings[Settings.captureFilter]),
                    probe: ProbeOptions(settings), user: settings[Settings.captureUser],
                    summarySeconds: settings.summaryInterval)
            } else {
                SensorSettings(settings)
            }
        // A file that server and sensors share names a database, too; a flag says what is meant here.
        let isDatabaseMeant = if case .flag = settings.entry(of: Settings.database).source { true } else { false }
        destination =
            if let address = settings[Settings.capturePost], !isDatabaseMeant {
                .collector(
                    address, tokenFile: settings[Settings.captureTokenFile],
                    authorities: settings[Settings.captureCAFile])
            } else {
                .database(settings[Settings.database])
            }
        shipping = ShippingChoice(settings)
        retention = Retention(calls: settings[Settings.keepCalls], days: settings[Settings.keepDays])
        flushSeconds = settings[Settings.captureFlushSeconds]
        // Unlike a server, a capture is mostly looked at.
        let isFormatSet = settings.entry(of: Settings.logFormat).source != .fallback
        log = LogSettings(
            level: settings[Settings.logLevel], format: isFormatSet ? settings[Settings.logFormat] : .text)
    }
}

extension ProbeOptions {
    init(_ settings: ResolvedSettings) {
        self.init(
            name: settings[Settings.captureObserver], snapshotSeconds: settings[Settings.captureSnapshotSeconds])
    }
}

extension ResolvedSettings {
    /// Seconds between two summaries of a capture; nil for none.
    var summaryInterval: Int? {
        let seconds = self[Settings.captureSummarySeconds]
        return seconds > 0 ? seconds : nil
    }
}
