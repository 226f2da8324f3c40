import RTPMeter

extension SessionDescription.Payload {
    /// A number as the `m=` line lists it: those below 96 need no `a=rtpmap`
    /// ([RFC 3551 §6](https://www.rfc-editor.org/rfc/rfc3551#section-6)).
    init(static number: UInt8) {
        let known = StaticPayloadType.entry(for: number)
        self.init(
            number: number, encoding: known?.name, clockRate: known?.clockHertz, channels: nil, parameters: nil,
            role: known?.name == "CN" ? .comfortNoise : .media)
    }

    /// Finds the payload type that it repeats, now that its parameters (`apt=96`) are known.
    mutating func findPartner() {
        guard case .retransmission = role else { return }
        role = .retransmission(of: parameter("apt").flatMap { UInt8($0) })
    }

    /// Whether a sender of this format may stop in silence.
    ///
    /// Opus says so (`usedtx=1`, [RFC 7587](https://www.rfc-editor.org/rfc/rfc7587)); G.729 and G.723.1 may unless
    /// they say `annexb=no` or `annexa=no` ([RFC 4856](https://www.rfc-editor.org/rfc/rfc4856)).
    var isDTXAllowed: Bool {
        switch encoding?.lowercased() {
        case "cn": true
        case "opus": parameter("usedtx") == "1"
        case "g729": parameter("annexb") != "no"
        case "g723": parameter("annexa") != "no"
        default: false
        }
    }

    /// The value of a format parameter, in small letters.
    private func parameter(_ name: String) -> String? {
        var rest = Bytes(parameters?.utf8 ?? "".utf8)
        while let part = rest.nextPart(before: UInt8(ascii: ";")) {
            guard let (key, value) = part.cut(at: UInt8(ascii: "=")), key.trimmed.isCaseless(name) else {
                continue
            }
            return value.trimmed.text(limit: 32).lowercased()
        }
        return nil
    }
}

extension SessionDescription.Payload.Role {
    /// The role that an encoding's name says.
    static func of(encoding name: Bytes) -> Self {
        names[name] ?? .media
    }

    private static let names = NameTable<Self>([
        ("CN", .comfortNoise), ("flexfec", .errorCorrection), ("flexfec-03", .errorCorrection),
        ("parityfec", .errorCorrection), ("red", .redundancy), ("rtx", .retransmission(of: nil)),
        ("telephone-event", .telephoneEvent), ("tone", .telephoneEvent), ("ulpfec", .errorCorrection),
    ])
}
