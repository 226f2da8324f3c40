import CallModel

/// What one description says about holding, about the way media are to go, and about fax.
///
/// Where there is sound, it is about the sound, but for what it says of each kind.
struct MediaStance: Sendable {
    /// Whether the end wants to receive anything.
    private(set) var receives = true
    /// Whether it wants to send anything.
    private(set) var sends = true
    /// Whether it wants both of one `m=` line.
    private(set) var isBoth = false
    private(set) var isFax = false
    /// Whether all that it accepts is neither RTP nor fax, as the lines of messages (MSRP) are; also where it accepts nothing.
    private(set) var isWithoutMedia = false
    /// The kinds that it has a line for, be it refused; those that the end wants to receive, and to send.
    private(set) var kinds: Set<MediaKind> = []
    private(set) var received: Set<MediaKind> = []
    private(set) var sent: Set<MediaKind> = []
    /// Where the end wants to receive, at 0.0.0.0 what is at a host that has only a name; empty where it says nowhere, as who
    /// holds a call may.
    let places: Set<Endpoint>

    init(_ description: SessionDescription) {
        places = Set(description.expectedPlaces.map(\.endpoint) + description.media.compactMap(\.namedPlace))
        for line in description.media { note(line) }
        let accepted = description.media.filter { $0.port != 0 || $0.isBundleOnly }
        let audio = accepted.filter { $0.kind == .audio }
        let media = audio.isEmpty ? accepted : audio
        guard !media.isEmpty else {
            // What could not be read of it may have been a line of media.
            isWithoutMedia = description.unreadableLines == 0
            return
        }
        receives = media.contains { !$0.isHeld }
        sends = media.contains { $0.direction == .both || $0.direction == .sendOnly }
        isBoth = media.contains { $0.direction == .both && !$0.isHeld }
        // Fax beside audio is an offer of both; the call has changed when audio is gone.
        isFax = audio.isEmpty && media.contains { $0.isFax }
        isWithoutMedia = !isFax && !accepted.contains { $0.isRTP }
    }

    private mutating func note(_ line: SessionDescription.Media) {
        guard let kind = MediaKind(rawValue: line.kind.rawValue) else { return }
        kinds.insert(kind)
        guard line.port != 0 || line.isBundleOnly else { return }
        if !line.isHeld { received.insert(kind) }
        if line.direction == .both || line.direction == .sendOnly { sent.insert(kind) }
    }
}
