/// How often feedback of each kind was sent.
public struct RTCPFeedbackCounts: Hashable, Sendable {
    /// Messages that name missing packets (NACK).
    public var missingPacketMessages = 0
    /// The packets that they name; one that is asked for twice counts twice.
    public var missingPackets = 0
    /// Pictures that could not be shown (PLI).
    public var pictureLosses = 0
    /// Requests for a whole picture (FIR), one for a message.
    public var fullIntraRequests = 0
    /// Limits of the bit rate that were asked for (TMMBR); answers are not counted.
    public var bitRateRequests = 0
    /// Estimates of the bit rate (REMB).
    public var bitRateEstimates = 0
    /// Reports of arrivals (transport-wide, and RFC 8888).
    public var arrivalReports = 0
    /// Messages of any other kind.
    public var others = 0

    /// Nothing counted yet.
    public init() {}

    /// Counts one message.
    public mutating func count(_ feedback: RTCPFeedback) {
        switch feedback.kind {
        case .missingPackets(let count):
            missingPacketMessages += 1
            missingPackets += count
        case .pictureLoss: pictureLosses += 1
        case .fullIntraRequest: fullIntraRequests += 1
        case .maximumBitRateRequest: bitRateRequests += 1
        case .estimatedMaximumBitRate: bitRateEstimates += 1
        case .transportWideArrivals, .congestionControl: arrivalReports += 1
        case .maximumBitRateNotification, .other: others += 1
        }
    }
}
