import CallModel

/// Keeps what only a probe tells of a call: how the capture did, further streams, other names.
struct WireTracker: Archivable {
    private(set) var sensor: SensorHealth?
    private(set) var secondaryStreams: [WireStream] = []
    private var names: Set<String> = []
    /// Of the end itself, as the last report told.
    private(set) var audioPacketsSent: Int?
    /// What of the sound was undeliverable: of what the end sent, and of what it was sent.
    private(set) var sentUndeliverable = UndeliverableSound()
    private(set) var receivedUndeliverable = UndeliverableSound()
    /// The ends to which nothing is to come, as both ends agreed.
    private var unheard: Set<String> = []
    /// Whether both ends have changed to fax, which brings no RTP to either.
    private var isFax = false
    private var hasMedia = false
    /// Whether they agreed on that before any media came: then these may come late.
    private(set) var beganUnheard = false

    private static let mostNames = 20

    var aliases: [String] { names.sorted() }

    /// Whether the ends agreed that sound goes one way, or none.
    var isOneWayAgreed: Bool { !unheard.isEmpty }

    /// Whether what is missing passed where the probe does not see it.
    var hasUnseenMedia: Bool { sensor?.unseenMedia != nil }

    /// What became of a call that was answered and in which an end, by whose name its record ends, received nothing:
    /// where that was agreed, or could not be seen, what the end sent itself tells.
    func outcome(of observer: ObserverID) -> CallOutcome {
        let isAgreed = isFax || unheard.contains { observer.rawValue.hasSuffix(":\($0)") }
        guard isAgreed || hasUnseenMedia else { return .notConnected }
        return audioPacketsSent ?? 0 > 0 ? .connected : .unknown
    }

    /// Takes the other names that SIP headers give the call, and which way its sound is to go.
    mutating func take(_ event: CallEvent) {
        guard event.action == "sip" else { return }
        if event.type == "T38" { isFax = event.members["isActive"]?.truth ?? false }
        if event.type == "DIRECTION", let end = event.members["end"]?.text, ["caller", "callee"].contains(end) {
            if event.members["receives"]?.truth == false { unheard.insert(end) } else { unheard.remove(end) }
            if isOneWayAgreed, !hasMedia { beganUnheard = true }
        }
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
        hasMedia = hasMedia || report.streams.contains { $0.role != .hop }
        secondaryStreams = report.streams.filter { $0.role != .primary }
        sentUndeliverable.note(report.audioPacketsUndeliverable, at: report.time)
        receivedUndeliverable.note(report.soundUndeliverable, at: report.time)
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
        archive.put(unheard, isFax, hasMedia, beganUnheard)
        archive.put(sentUndeliverable, receivedUndeliverable)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (sensor, secondaryStreams, names, audioPacketsSent) = try archive.get()
        (unheard, isFax, hasMedia, beganUnheard) = try archive.get()
        (sentUndeliverable, receivedUndeliverable) = try archive.get()
    }
}
