/// The event types whose meaning the product knows; all others are kept and named back to the sender.
public enum EventVocabulary {
    /// Whether `action`/`type` is known (`callAdditionalInfo` of the Kandy SDK and its call states).
    public static func knows(action: String, type: String) -> Bool {
        types[action]?.contains(type) ?? false
    }

    private static let types: [String: Set<String>] = [
        "callMetric": [
            "callCreate", "callRestSent", "callRinging", "callAnswerReceived", "incomingCall", "ringingFeedBackSent",
        ],
        "iceTimeout": ["iceNormal", "iceOneRelay", "iceNoRelay"],
        "iceState": ["iceConnected", "iceDisconnected"],
        "ipChange": ["ipChangeStarted", "ipChangeEnded"],
        "callState": [
            "INITIAL", "DIALING", "SESSION_PROGRESS", "RINGING", "IN_CALL", "ON_HOLD", "ON_DOUBLE_HOLD",
            "REMOTELY_HELD", "ENDED",
        ],
        "rtpStatistics": ["getRTPStatistics"],
    ]
}
