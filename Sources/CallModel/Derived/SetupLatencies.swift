/// How long the parts of setting up a call took: L1-L8 and L15 of `docs/setup-latencies.md`.
///
/// All in milliseconds between two events on one device's clock. `nil` is "undefined", printed as `–`, never 0.
public struct SetupLatencies: Hashable, Sendable, Codable {
    /// How ICE candidate gathering ended (`iceTimeout`).
    public enum IceOutcome: String, Hashable, Sendable, Codable {
        /// `iceNormal`: gathering ended by itself.
        case normal
        /// `iceOneRelay`: cut off by the timeout with at least one relay candidate.
        case oneRelay
        /// `iceNoRelay`: cut off by twice the timeout without a relay candidate.
        case noRelay
    }

    /// L1: `callCreate` → `callRestSent`.
    public var restSentDelay: Int64?
    /// L2: `callCreate` → the earlier of `callRinging` and `SESSION_PROGRESS`.
    public var postDialDelay: Int64?
    /// L2n: `callRestSent` → `callRinging`.
    public var networkPostDialDelay: Int64?
    /// L3: `callRinging` → `callAnswerReceived`.
    public var ringTime: Int64?
    /// L4: `callCreate` → `callAnswerReceived`.
    public var answerDelay: Int64?
    /// L5: `callCreate` → first `iceConnected`.
    public var iceConnectTime: Int64?
    /// L6: `callAnswerReceived` → first `iceConnected`; negative when the path stood before the answer.
    public var mediaSetup: Int64?
    /// L7: `callCreate` → `iceTimeout` event; an upper bound of the time gathering took.
    public var iceGatheringUpperBound: Int64?
    /// L7: how gathering ended; `nil` when no `iceTimeout` event came.
    public var iceOutcome: IceOutcome?
    /// L8: `callCreate` → first inbound packet lies after this many ms (the last report without packets).
    public var firstMediaAfter: Int64?
    /// L8: `callCreate` → first inbound packet lies at or before this many ms (the first report with packets).
    public var firstMediaBy: Int64?
    /// L15: first `iceConnected` (or first media) → end.
    public var callDuration: Int64?
    /// L15: `callCreate` → end.
    public var totalDuration: Int64?
    /// RFC 6076 §4.3.1 Session Request Delay: INVITE → first response other than 100; from SIP on the wire only.
    public var sessionRequestDelay: Int64?
    /// RFC 6076 §4.4 Session Disconnect Delay: BYE → its 2xx; from SIP on the wire only.
    public var sessionDisconnectDelay: Int64?
    /// RFC 6076 §4.5 Session Duration Time: 2xx to the INVITE → BYE; from SIP on the wire only.
    public var sessionDurationTime: Int64?
    /// Whether the durations end with an event that ended the call, and not just with the last thing heard.
    public var isEndKnown = false
    /// What was odd: `before_call_create`, `negative_interval`, `duplicate_type`, `implausible`; sorted, each once.
    public var anomalies: [String] = []

    public init() {}
}
