/// One RTCP packet; a datagram usually holds several.
public enum RTCPPacket: Hashable, Sendable {
    /// Packet type 200.
    case senderReport(SenderReport)
    /// Packet type 201.
    case receiverReport(ReceiverReport)
    /// Packet type 202: who is behind the sources, one entry for a source.
    case sourceDescription([SourceDescription])
    /// Packet type 203.
    case goodbye(Goodbye)
    /// Packet type 204.
    case applicationDefined(ApplicationDefined)
    /// Packet types 205 and 206.
    case feedback(RTCPFeedback)
    /// Packet type 207.
    case extendedReport(ExtendedReport)
    /// The first packet of an encrypted datagram, of which only this much is in the clear
    /// ([RFC 3711, section 3.4](https://www.rfc-editor.org/rfc/rfc3711#section-3.4)).
    case encrypted(packetType: UInt8, sender: UInt32)
    /// Any other packet type of 192...223.
    case unknown(packetType: UInt8)
}

extension RTCPPacket {
    /// Reads the packet; nil when it is too short to mean anything, and then the body has an error.
    init?(_ packet: RawSpan, _ body: inout RTCPBody) {
        switch body.type {
        case 200:
            guard let report = SenderReport(packet, &body) else { return nil }
            self = .senderReport(report)
        case 201:
            guard let report = ReceiverReport(packet, &body) else { return nil }
            self = .receiverReport(report)
        case 202:
            self = .sourceDescription(SourceDescription.list(packet, &body))
        case 203:
            self = .goodbye(Goodbye(packet, &body))
        case 204:
            guard let application = ApplicationDefined(packet, &body) else { return nil }
            self = .applicationDefined(application)
        case 205, 206:
            guard let feedback = RTCPFeedback(packet, &body) else { return nil }
            self = .feedback(feedback)
        case 207:
            guard let report = ExtendedReport(packet, &body) else { return nil }
            self = .extendedReport(report)
        default:
            self = .unknown(packetType: body.type)
        }
    }

    /// Reads the first eight bytes of an encrypted datagram.
    init?(encrypted packet: RawSpan, _ body: inout RTCPBody) {
        guard body.has(.sender, upTo: body.offset + 8) else { return nil }
        self = .encrypted(packetType: body.type, sender: packet.networkOrder(at: body.offset + 4))
    }
}
