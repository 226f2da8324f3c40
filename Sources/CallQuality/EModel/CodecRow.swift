import CallModel

/// A figure of the codec table and where it is from.
struct CodecFigure: Hashable {
    /// How much a figure can be relied on.
    enum Provenance: Hashable {
        /// In a Recommendation or another standard.
        case published(String)
        /// Found with an instrumental model, in a published paper.
        case instrumental(String)
        /// Nobody has published one; set after like codecs.
        case estimate(String)
    }

    var value: Double
    var provenance: Provenance

    var isEstimate: Bool {
        if case .estimate = provenance { true } else { false }
    }
}

extension CodecFigure {
    static func published(_ value: Double, _ source: String) -> CodecFigure {
        CodecFigure(value: value, provenance: .published(source))
    }

    static func instrumental(_ value: Double, _ source: String) -> CodecFigure {
        CodecFigure(value: value, provenance: .instrumental(source))
    }

    static func estimate(_ value: Double, _ reason: String) -> CodecFigure {
        CodecFigure(value: value, provenance: .estimate(reason))
    }
}

/// A row of the codec table: what the E-model needs to know of a codec in one of its modes.
struct CodecRow: Hashable {
    /// As it is shown.
    var name: String
    /// The scale that Ie and Bpl are on.
    var band: SpeechBand
    /// Ie in points of R.
    var equipmentImpairment: CodecFigure
    /// Bpl in percent.
    var lossRobustness: CodecFigure
    /// Usual length of the audio in one packet, in ms (RFC 3551 and the payload formats).
    var packetMilliseconds = 20.0
    /// What the encoder needs of the future, in ms.
    var lookAheadMilliseconds = 0.0

    var hasEstimate: Bool { equipmentImpairment.isEstimate || lossRobustness.isEstimate }
}
