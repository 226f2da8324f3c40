import RTPMeter

/// What signalling says about the packets that an end wants to receive on one `m=` line.
struct MediaTerms {
    let kind: SessionDescription.Kind
    let isEncrypted: Bool
    let isDTXAllowed: Bool
    private let payloads: [SessionDescription.Payload]

    init(_ media: SessionDescription.Media) {
        kind = media.kind
        isEncrypted = media.isEncrypted
        isDTXAllowed = media.isDTXAllowed
        payloads = media.payloads
    }

    /// What a payload type means; `nil` when the description does not list it.
    subscript(payloadType: UInt8) -> SessionDescription.Payload? {
        payloads.first { $0.number == payloadType }
    }

    /// The payload type of a role, 255 when there is none.
    func payloadType(of role: SessionDescription.Payload.Role) -> UInt8 {
        payloads.first { $0.role == role }?.number ?? .max
    }
}
