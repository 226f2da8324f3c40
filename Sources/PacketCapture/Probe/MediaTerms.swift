import CallModel
import RTPMeter

/// What signalling says about the packets that an end wants to receive at one place.
///
/// Several `m=` lines may share it ([RFC 9143](https://www.rfc-editor.org/rfc/rfc9143)): the payload type tells whose a
/// packet is, for in a bundle it has one meaning (§9.2).
struct MediaTerms {
    private let lines: [SessionDescription.Media]
    /// Those of all lines.
    private let payloads: [SessionDescription.Payload]
    private let areAllEncrypted: Bool
    /// The clocks of its payload types.
    let clocks: [UInt8: RTPClock]
    let events: PayloadTypeSet
    let comfortNoise: PayloadTypeSet
    private let data: PayloadTypeSet

    /// - Parameter lines: the `m=` lines of the place; where two list a payload type, the first one counts.
    init(_ lines: [SessionDescription.Media]) {
        self.lines = lines
        payloads = lines.flatMap(\.payloads)
        areAllEncrypted = lines.allSatisfy(\.isEncrypted)
        let rates = payloads.compactMap { payload in
            payload.clockRate.flatMap { RTPClock(hertz: $0, source: .signalled) }.map { (payload.number, $0) }
        }
        clocks = Dictionary(rates, uniquingKeysWith: { first, _ in first })
        events = PayloadTypeSet(payloads.filter { $0.role == .telephoneEvent }.map(\.number))
        comfortNoise = PayloadTypeSet(payloads.filter { $0.role == .comfortNoise }.map(\.number))
        data = PayloadTypeSet(lines.filter { $0.kind != .audio && $0.kind != .video }.flatMap(\.payloads).map(\.number))
    }

    /// What a payload type means; `nil` when no line lists it.
    subscript(payloadType: UInt8) -> SessionDescription.Payload? {
        payloads.first { $0.number == payloadType }
    }

    /// Audio or video, by the line that lists the payload type; `nil` when none does.
    func kind(of payloadType: UInt8) -> MediaKind? { line(of: payloadType)?.mediaKind }

    /// Audio or video, by the line that names the source as one of those that send
    /// ([RFC 5576](https://www.rfc-editor.org/rfc/rfc5576)); `nil` when none does.
    func kind(ofSource ssrc: UInt32) -> MediaKind? { lines.first { $0.sources.contains(ssrc) }?.mediaKind }

    /// `text`, `application` and the like, where the line that lists the payload type is for neither sound nor pictures.
    func dataKind(of payloadType: UInt8) -> String? {
        guard data.contains(payloadType), let kind = line(of: payloadType)?.kind, kind != .audio, kind != .video else {
            return nil
        }
        return kind.rawValue
    }

    /// What all lines are for; `nil` when some are for audio and some for video.
    var commonKind: MediaKind? {
        guard let first = lines.first?.mediaKind else { return nil }
        return lines.allSatisfy { $0.mediaKind == first } ? first : nil
    }

    /// Whether packets of a payload type are encrypted; where no line lists it, whether all are.
    func isEncrypted(_ payloadType: UInt8) -> Bool {
        guard lines.count > 1 else { return areAllEncrypted }
        return line(of: payloadType)?.isEncrypted ?? areAllEncrypted
    }

    /// Whether nothing is encrypted there.
    var isInTheClear: Bool { lines.allSatisfy { !$0.isEncrypted } }

    private func line(of payloadType: UInt8) -> SessionDescription.Media? {
        lines.first { line in line.payloads.contains { $0.number == payloadType } }
    }
}

extension SessionDescription.Media {
    /// As it is shown: what is not video counts as audio. ``MediaTerms/dataKind(of:)`` tells what is neither.
    fileprivate var mediaKind: MediaKind { kind == .video ? .video : .audio }
}
