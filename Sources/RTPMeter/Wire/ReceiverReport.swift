/// What somebody who sends no media hears
/// ([RFC 3550, section 6.4.2](https://www.rfc-editor.org/rfc/rfc3550#section-6.4.2)).
public struct ReceiverReport: Hashable, Sendable {
    /// Who reports.
    public var ssrc: UInt32
    /// One block for a source; at most 31.
    public var reports: [ReportBlock]

    /// A report of known fields.
    public init(ssrc: UInt32, reports: [ReportBlock] = []) {
        self.ssrc = ssrc
        self.reports = reports
    }
}

extension ReceiverReport {
    init?(_ packet: RawSpan, _ body: inout RTCPBody) {
        guard body.has(.sender, upTo: body.offset + 8) else { return nil }
        ssrc = packet.networkOrder(at: body.offset + 4)
        reports = ReportBlock.list(packet, at: body.offset + 8, &body)
    }
}
