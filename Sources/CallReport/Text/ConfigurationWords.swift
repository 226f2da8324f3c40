import CallModel

/// How a call was set up to be, beside what it came to.
struct ConfigurationWords {
    let configuration: CallConfiguration
    let summary: CallSummary

    init(_ configuration: CallConfiguration, _ summary: CallSummary) {
        self.configuration = configuration
        self.summary = summary
    }

    var lines: [String] {
        [setup, audio, limits, picture].compactMap { $0 }
    }

    private var setup: String? {
        list(
            "set up with",
            [
                configuration.usesTrickle.map { $0 ? "trickle ICE" : "no trickle ICE" },
                configuration.iceTimeoutSeconds.map { "ICE time-out \(Figures.number($0, "s"))" },
                configuration.auditSeconds.map { "audit every \(Figures.number($0, "s"))" },
                configuration.mediaSections.map { Words.counted($0, "media section") },
                configuration.answeredMediaSections.map { "\($0) answered" },
                configuration.ringSeconds.map { "ringing for \(Figures.number($0, "s")) at most" },
            ])
    }

    private var audio: String? {
        list(
            "audio",
            [
                configuration.packetMilliseconds.map { "\(Figures.number($0, "ms")) a packet" },
                configuration.usesDTX.map { $0 ? "pauses in silence (DTX)" : "no DTX" },
                configuration.usesFEC.map { $0 ? "FEC" : "no FEC" },
                configuration.opusKilobitsPerSecond.map { "\(Figures.number($0, "kbit/s")) on average" },
                configuration.maximumPlaybackHertz.map { "played at \($0) Hz at most" },
            ])
    }

    /// A limit asked for is no fault of the network.
    private var limits: String? {
        let items = [
            configuration.audioLimitKilobitsPerSecond.map { limit($0, .audio) },
            configuration.videoLimitKilobitsPerSecond.map { limit($0, .video) },
        ]
        let isBoth = configuration.audioLimitKilobitsPerSecond != nil && configuration.opusKilobitsPerSecond != nil
        let doubt = isBoth ? ["both this and a rate for Opus: the SDK does not say which holds"] : []
        return list("limited", items + doubt)
    }

    private func limit(_ kilobits: Double, _ kind: MediaKind) -> String {
        let rates = summary.streams.filter { $0.stream.kind == kind && $0.stream.direction == .inbound }
            .compactMap(\.bitrateKilobitsPerSecond)
        let measured = rates.isEmpty ? "" : " (measured \(Figures.number(rates.reduce(0, +), "kbit/s")))"
        return "\(kind.rawValue) to \(Figures.number(kilobits, "kbit/s"))\(measured)"
    }

    /// Engines round sizes: 174×144 and 176×144 are one.
    private static let sizeTolerance = 0.05

    private var picture: String? {
        guard let width = configuration.wantedWidth, let height = configuration.wantedHeight else { return nil }
        let rate = configuration.wantedFramesPerSecond.map { " at \(Figures.number($0)) frames a second" } ?? ""
        let wanted = "picture wanted: \(width)×\(height)\(rate)"
        let sent = summary.streams.filter { $0.stream.kind == .video && $0.stream.direction == .outbound }
            .max { ($0.frameWidth ?? 0) < ($1.frameWidth ?? 0) }
        guard let sent, let sentWidth = sent.frameWidth, let sentHeight = sent.frameHeight else { return wanted }
        let long = (Double(max(width, height)), Double(max(sentWidth, sentHeight)))
        guard abs(long.0 - long.1) > Self.sizeTolerance * long.0 else { return wanted + ", and sent" }
        let sentRate = sent.framesPerSecond.map { " at \(Figures.number($0))" } ?? ""
        return wanted + "; sent \(sentWidth)×\(sentHeight)\(sentRate)"
    }

    private func list(_ title: String, _ items: [String?]) -> String? {
        let known = items.compactMap { $0 }
        return known.isEmpty ? nil : "\(title): " + known.joined(separator: ", ")
    }
}
