/// What the sender of an inbound stream says it sent, beside what should have come by its numbers, between the same two
/// reports.
public struct SenderCount: Hashable, Sendable, Codable {
    /// Packets sent, by the sender's RTCP reports (`packetsSent` of `remote-outbound-rtp`).
    public var packetsSent: Int
    /// Packets received and lost here.
    public var packetsExpected: Int
    /// From the first of these reports to the last, in seconds. Either may be up to 5 s older than what it is held
    /// against (RFC 3550 §6.2).
    public var seconds: Double

    public init(packetsSent: Int, packetsExpected: Int, seconds: Double) {
        self.packetsSent = packetsSent
        self.packetsExpected = packetsExpected
        self.seconds = seconds
    }
}
