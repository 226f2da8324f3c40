import CallModel
import Testing

@Suite struct EventMeaningTests {
    /// RFC 3261 §13, §14, §15 and §21 in the words of clients. After a redirection and after what asks for another
    /// request, the caller tries again: the call has not ended.
    private static let sip: [(String, String)] = [
        ("INVITE", "callCreate"), ("100", "sip 100"), ("180", "callRinging"), ("181", "SESSION_PROGRESS"),
        ("182", "SESSION_PROGRESS"), ("183", "SESSION_PROGRESS"), ("199", "SESSION_PROGRESS"), ("184", "sip 184"),
        ("200", "callAnswerReceived"), ("202", "callAnswerReceived"), ("ACK", "sip ACK"), ("BYE", "ENDED"),
        ("BYE 200", "sip BYE 200"), ("CANCEL", "sip CANCEL"), ("300", "sip 300"), ("301", "sip 301"),
        ("302", "sip 302"), ("305", "sip 305"), ("380", "sip 380"), ("400", "ENDED"), ("401", "sip 401"),
        ("407", "sip 407"), ("415", "ENDED"), ("420", "sip 420"), ("421", "sip 421"), ("422", "sip 422"),
        ("423", "ENDED"), ("488", "ENDED"), ("491", "sip 491"), ("494", "sip 494"), ("486", "ENDED"), ("487", "ENDED"),
        ("503", "ENDED"), ("603", "ENDED"),
        ("HOLD", "ON_HOLD"), ("RESUME", "IN_CALL"), ("T38", "ON_HOLD"), ("reINVITE", "sip reINVITE"),
        ("UPDATE", "sip UPDATE"), ("700", "sip 700"), ("99", "sip 99"), ("+99", "sip +99"), ("", "sip "),
    ]

    @Test(arguments: sip) func `a SIP message means what clients call it`(type: String, meaning: String) {
        #expect(event("sip", type).meaning == meaning)
    }

    @Test(arguments: ["callCreate", "ENDED", "INVITE", "200", "anything"])
    func `what a client says means what it says`(type: String) {
        #expect(event("callState", type).meaning == type)
    }

    private static let known: [(String, Bool)] = [
        ("INVITE", true), ("reINVITE", true), ("BYE", true), ("BYE 200", true), ("HOLD", true), ("T38", true),
        ("100", true), ("699", true), ("700", false), ("099", false), ("2OO", false), ("REGISTER", false),
    ]

    @Test(arguments: known) func `SIP messages of a call and all status codes are known`(type: String, isKnown: Bool) {
        #expect(EventVocabulary.knows(action: "sip", type: type) == isKnown)
        #expect(!EventVocabulary.knows(action: "callState", type: type))
    }

    private func event(_ action: String, _ type: String) -> CallEvent {
        CallEvent(
            time: Timestamp(milliseconds: 0), receivedAt: Timestamp(milliseconds: 0), action: action, type: type)
    }
}
