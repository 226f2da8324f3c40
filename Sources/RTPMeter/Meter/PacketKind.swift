/// What a packet of a stream carries, as far as measuring it goes.
///
/// The caller knows it from signalling: which payload type is which. Whatever the kind, the packet's number counts, because
/// numbers run over all payload types of a source; the kind only decides which packets measure time.
public enum PacketKind: UInt8, Hashable, Sendable {
    /// Sound or picture.
    case media
    /// Digits and tones as events ([RFC 4733](https://www.rfc-editor.org/rfc/rfc4733)): all packets of one event share a
    /// timestamp. Events are counted, their digits are never looked at.
    case telephoneEvent
    /// The noise to play during silence (RFC 3389; payload types 13 and 19).
    case comfortNoise
    /// Padding and nothing else, which senders use to probe the path.
    case padding
}

/// One packet as the meter's parts see it.
struct MeteredPacket: Sendable {
    var arrival: Int64
    var timestamp: UInt32
    var sequenceNumber: UInt16
    var payloadBytes: UInt16
    var payloadType: UInt8
    var hasMarker: Bool
    var kind: PacketKind
}

extension MeteredPacket {
    @inline(__always)
    init(_ header: RTPHeader, arrival: ArrivalTime, payloadBytes: Int, kind: PacketKind) {
        self.init(
            arrival: arrival.nanoseconds, timestamp: header.timestamp, sequenceNumber: header.sequenceNumber,
            payloadBytes: UInt16(truncatingIfNeeded: min(max(payloadBytes, 0), 0xffff)),
            payloadType: header.payloadType, hasMarker: header.hasMarker, kind: kind)
    }
}
