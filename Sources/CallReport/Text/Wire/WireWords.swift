import CallModel

extension WireStream {
    /// `0x29A63B0E = 698760974`; with the name it has among streams of the same SSRC where that is another.
    var ssrcWords: String {
        let digits = String(ssrc, radix: 16, uppercase: true)
        let hexadecimal = "0x" + String(repeating: "0", count: 8 - digits.count) + digits
        let other = id == String(ssrc) ? "" : " (\(id.printable))"
        return "\(hexadecimal) = \(ssrc)\(other)"
    }

    /// `10.77.0.0/24:5004 to 10.77.1.0/24:6000`; `nil` when neither end is known.
    var addressWords: String? {
        guard !source.isEmpty || !destination.isEmpty else { return nil }
        return [source, destination].map { $0.isEmpty ? Figures.unknown : $0.printable }.joined(separator: " to ")
    }

    /// `payload type 0 = PCMU`, `payload type 111, taken for opus`.
    var payloadWords: String {
        guard let codec else { return "payload type \(payloadType), codec not known" }
        let name = codec.split(separator: "/", maxSplits: 1).last.map(String.init) ?? codec
        return "payload type \(payloadType)" + (isCodecGuess ? ", taken for " : " = ") + name.printable
    }

    /// `clock 8 kHz from SDP`.
    var clockWords: String {
        guard let clockRate else { return "clock rate not known, hence no jitter" }
        let rate = clockRate % 1000 == 0 ? "\(clockRate / 1000) kHz" : "\(clockRate) Hz"
        return "clock \(rate)" + (clockOrigin.map { " \($0.words)" } ?? "")
    }

    /// `20.0 ms a packet`; `nil` while unknown.
    var packetLengthWords: String? {
        packetMilliseconds.flatMap { $0.isFinite ? "\(Figures.number($0, "ms")) a packet" : nil }
    }

    /// Whether it is encrypted; `nil` when signalling did not tell.
    var encryptionWords: String? {
        isEncrypted.map { $0 ? "encrypted" : "not encrypted" }
    }

    /// A figure in ms that is kept in seconds.
    func milliseconds(_ figure: WireFigure) -> Double? {
        self[figure].map { 1000 * $0 }
    }

    /// The number of a thing counted; `nil` when it is not known.
    func count(_ figure: WireFigure) -> String? {
        self[figure].flatMap { $0.isFinite ? Figures.whole($0) : nil }
    }
}

extension WireStream.ClockOrigin {
    /// Where the clock rate comes from.
    fileprivate var words: String {
        switch self {
        case .signalled: "from SDP"
        case .static: "from the static table"
        case .inferred: "inferred from the pace"
        }
    }
}

extension WireStream.Role {
    /// What the stream is for, in one word.
    var word: String {
        switch self {
        case .primary: "media"
        case .retransmission: "retransmissions"
        case .repair: "repair"
        case .events: "telephone events"
        case .data: "text or data"
        case .hop: "on its way to a relay"
        }
    }
}
