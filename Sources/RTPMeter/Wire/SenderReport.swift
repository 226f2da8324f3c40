/// What a sender says it has sent, and what it hears
/// ([RFC 3550, section 6.4.1](https://www.rfc-editor.org/rfc/rfc3550#section-6.4.1)).
public struct SenderReport: Hashable, Sendable {
    /// The sender.
    public var ssrc: UInt32
    /// The sender's wall clock: seconds since 1900-01-01 in the high half, fractions of 1/2³² s in the low one.
    ///
    /// Counts from anywhere, or is 0, when the sender has no wall clock; never compare it with another clock.
    public var ntpTimestamp: UInt64
    /// The same instant in ticks of the payload's clock, on the scale of the RTP timestamps.
    public var rtpTimestamp: UInt32
    /// RTP packets sent since the start.
    public var packetCount: UInt32
    /// Bytes of payload sent since the start, headers and padding left out; wraps at 2³².
    public var octetCount: UInt32
    /// What the sender hears, one block for a source; at most 31.
    public var reports: [ReportBlock]

    /// A report of known fields.
    public init(
        ssrc: UInt32, ntpTimestamp: UInt64, rtpTimestamp: UInt32, packetCount: UInt32, octetCount: UInt32,
        reports: [ReportBlock] = []
    ) {
        self.ssrc = ssrc
        self.ntpTimestamp = ntpTimestamp
        self.rtpTimestamp = rtpTimestamp
        self.packetCount = packetCount
        self.octetCount = octetCount
        self.reports = reports
    }

    /// The middle 32 bits of the NTP time, by which a report block names this report.
    public var ntpMiddle: UInt32 { UInt32(truncatingIfNeeded: ntpTimestamp >> 16) }
}

extension SenderReport {
    init?(_ packet: RawSpan, _ body: inout RTCPBody) {
        let offset = body.offset
        guard body.has(.sender, upTo: offset + 8), body.has(.senderInformation, upTo: offset + 28) else { return nil }
        ssrc = packet.networkOrder(at: offset + 4)
        ntpTimestamp = packet.networkOrder(at: offset + 8)
        rtpTimestamp = packet.networkOrder(at: offset + 16)
        packetCount = packet.networkOrder(at: offset + 20)
        octetCount = packet.networkOrder(at: offset + 24)
        reports = ReportBlock.list(packet, at: offset + 28, &body)
    }
}
