/// What one description says about holding, about the way media are to go, and about fax.
///
/// Where there is sound, it is about the sound.
struct MediaStance: Sendable {
    /// Whether the end wants to receive anything.
    private(set) var receives = true
    /// Whether it wants to send anything.
    private(set) var sends = true
    /// Whether it wants both of one `m=` line.
    private(set) var isBoth = false
    private(set) var isFax = false

    init(_ description: SessionDescription) {
        let accepted = description.media.filter { $0.port != 0 || $0.isBundleOnly }
        let audio = accepted.filter { $0.kind == .audio }
        let media = audio.isEmpty ? accepted : audio
        guard !media.isEmpty else { return }
        receives = media.contains { !$0.isHeld }
        sends = media.contains { $0.direction == .both || $0.direction == .sendOnly }
        isBoth = media.contains { $0.direction == .both && !$0.isHeld }
        // Fax beside audio is an offer of both; the call has changed when audio is gone.
        isFax = audio.isEmpty && media.contains { $0.isFax }
    }
}
