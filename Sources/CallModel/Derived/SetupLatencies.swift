/// How long the parts of setting up a call took: L1-L8 and L15 of `docs/setup-latencies.md`.
///
/// All in milliseconds between two events on one device's clock. `nil` is "undefined", printed as `–`, never 0.
public struct SetupLatencies: Hashable, Sendable, Codable {
    /// How ICE candidate gathering ended (`iceTimeout`).
    public enum IceOutcome: String, Hashable, Sendable, Codable, CaseIterable {
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
    /// L3 of a call nobody answered: ringing → end.
    public var ringTimeUnanswered: Int64?
    /// L9: waiting for media → active (Cisco, FCSDK).
    public var mediaPendingTime: Int64?
    /// L11: told to the callee → answered, on the callee's clock.
    public var alertToAnswer: Int64?
    /// L12: `startCall` → the server took it (SendBird).
    public var requestAccepted: Int64?
    /// L13: answered → connected, by the client's events (SendBird, liblinphone).
    public var connectTime: Int64?
    /// L14: the far end's media stream → the first quality the client told.
    public var firstQualityDelay: Int64?
    /// L16: asked to register → registered.
    public var registrationTime: Int64?
    /// SendBird: how long after its time-out the call that nobody answered was ended; negative before it.
    public var timeoutSlack: Int64?
    /// Whether an `iceTimeout` event is to be expected; false with trickle ICE, `nil` where the client did not say.
    public var isGatheringReported: Bool?
    /// Whether the durations end with an event that ended the call, and not just with the last thing heard.
    public var isEndKnown = false
    /// What was odd, sorted, each once: `before_call_create`, `negative_interval`, `duplicate_type`, `implausible`,
    /// `ice_inconsistent`, `absolute_time_unknown`, `m_lines_differ`, `timeout_early`, `timeout_out_of_range`.
    public var anomalies: [String] = []

    public init() {}
}
