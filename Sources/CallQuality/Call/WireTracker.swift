import CallModel

/// Keeps what only a probe tells of a call: how the capture did, further streams, other names.
struct WireTracker: Archivable {
    private(set) var sensor: SensorHealth?
    private(set) var secondaryStreams: [WireStream] = []
    private var names: Set<String> = []
    private var audioPacketsSent: Int?

    private static let mostNames = 20

    var aliases: [String] { names.sorted() }

    /// Takes the other names that SIP headers give the call.
    mutating func take(_ event: CallEvent) {
        guard event.action == "sip" else { return }
        if case .array(let aliases)? = event.members["aliases"] {
            for alias in aliases.compactMap(\.text) where names.count < Self.mostNames { names.insert(alias) }
        }
        if let text = event.members["userToUser"]?.text, names.count < Self.mostNames {
            names.insert("User-to-User: \(text)")
        }
    }

    /// Takes the next report and tells `sound` what the end itself sent since the last, and for how long it could: both
    /// ends of a call must conclude the same, also the one to which no stream ever flowed.
    mutating func take(_ report: WireReport, sound: inout OneWayDetector.Span, since start: Timestamp?) {
        sensor = report.sensor
        secondaryStreams = report.streams.filter { $0.role != .primary }
        guard let sent = report.audioPacketsSent else { return }
        sound.inbound = sound.inbound ?? 0
        sound.outbound = Double(max(0, sent - (audioPacketsSent ?? 0)))
        if let start { sound.seconds = report.time.seconds(since: start) }
        audioPacketsSent = sent
    }
}

// MARK: - Archive

extension WireTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(sensor, secondaryStreams, names, audioPacketsSent)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (sensor, secondaryStreams, names, audioPacketsSent) = try archive.get()
    }
}
