import CallModel

/// What the transports carried, in words: a text a subject, those only of which something is known.
struct TransportWords {
    private let transport: TransportSummary

    init(_ transport: TransportSummary) {
        self.transport = transport
    }

    var all: [String] {
        [security, carried, checks, playout, dataChannels].compactMap { $0 }
    }

    private var security: String? {
        let parts = [transport.tlsVersion.map { "DTLS \($0)" }, transport.dtlsCipher, transport.srtpCipher]
        return Self.joined(parts.map { $0?.printable }, separator: ", ").map { "security: \($0)" }
    }

    private var carried: String? {
        let rates = Self.joined(
            [
                Self.figure(transport.receivedKilobitsPerSecond, "kbit/s").map { "\($0) in" },
                Self.figure(transport.sentKilobitsPerSecond, "kbit/s").map { "\($0) out" },
            ], separator: ", ")
        return Self.joined([rates.map { "carried: \($0)" }, estimate], separator: "; ")
    }

    private var estimate: String? {
        let drops = transport.availableBitrateDrops
        let parts = [
            Self.figure(transport.leastAvailableKilobitsPerSecond, "kbit/s").map { "\($0) at least" },
            Self.figure(transport.meanAvailableKilobitsPerSecond, "kbit/s").map { "\($0) on average" },
            drops > 0 ? Words.counted(drops, "drop") : nil,
        ]
        return Self.joined(parts, separator: ", ").map { "estimate to send \($0)" }
    }

    private var checks: String? {
        Self.figure(transport.answeredChecksPercent, "%").map { "ICE checks answered \($0)" }
    }

    private var playout: String? {
        let parts = [
            Self.figure(transport.playoutDelayMilliseconds, "ms").map { "playout delay \($0)" },
            Self.figure(transport.synthesizedPercent, "%").map { "\($0) synthesized" },
            picture,
        ]
        return Self.joined(parts, separator: "; ")
    }

    private var picture: String? {
        guard let delay = transport.videoAfterAudioMilliseconds else { return nil }
        return Self.figure(abs(delay), "ms").map { "picture \($0) \(delay < 0 ? "before" : "after") sound" }
    }

    private var dataChannels: String? {
        guard transport.messagesSent != nil || transport.messagesReceived != nil else { return nil }
        let sent = transport.messagesSent.map { Words.counted($0, "message") } ?? "\(Figures.unknown) messages"
        return "data channels: \(sent) sent, \(Figures.count(transport.messagesReceived)) received"
    }

    /// `nil` when the figure is not known.
    private static func figure(_ value: Double?, _ unit: String) -> String? {
        value.flatMap { $0.isFinite ? Figures.number($0, unit) : nil }
    }

    /// `nil` when no part is known.
    private static func joined(_ parts: [String?], separator: String) -> String? {
        let known = parts.compactMap { $0 }
        return known.isEmpty ? nil : known.joined(separator: separator)
    }
}
