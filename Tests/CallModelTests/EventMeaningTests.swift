import CallModel
import Testing

@Suite struct EventMeaningTests {
    /// RFC 3261 §13, §14, §15 and §21. After a redirection and after what asks for another request, the caller tries
    /// again: the call has not ended.
    private static let sip: [(String, EventMeaning?)] = [
        ("INVITE", .created), ("100", .noted), ("180", .ringing), ("181", .earlyMedia), ("182", .earlyMedia),
        ("183", .earlyMedia), ("199", .earlyMedia), ("184", .noted), ("200", .answered), ("202", .answered),
        ("ACK", .noted), ("BYE", .ended(.hangup)), ("BYE 200", .ended(.hangup)), ("BYE 481", .ended(.hangup)),
        ("BYE 407", .noted), ("CANCEL", .noted), ("300", .noted),
        ("301", .noted), ("302", .noted), ("305", .noted), ("380", .noted), ("400", .ended(.error)), ("401", .noted),
        ("404", .ended(.notFound)), ("407", .noted), ("408", .ended(.noAnswer)), ("410", .ended(.notFound)),
        ("415", .ended(.error)), ("420", .noted), ("421", .noted), ("422", .noted), ("423", .ended(.error)),
        ("480", .ended(.unavailable)), ("486", .ended(.busy)), ("487", .ended(.cancelled)), ("488", .ended(.error)),
        ("491", .noted), ("494", .noted), ("503", .ended(.unavailable)), ("600", .ended(.busy)),
        ("603", .ended(.declined)), ("604", .ended(.notFound)), ("HOLD", .held(nil)), ("RESUME", .established),
        ("T38", .held(nil)), ("reINVITE", .noted), ("UPDATE", .noted), ("DIRECTION", .noted), ("LEG", .noted),
        ("DIGIT", .noted), ("700", nil), ("99", nil),
        ("+99", nil), ("099", nil), ("2OO", nil), ("REGISTER", nil), ("", nil),
    ]

    @Test(arguments: sip) func `a SIP message means what clients call it`(type: String, meaning: EventMeaning?) {
        #expect(event("sip", type).meanings == meaning.map { [$0] } ?? [])
        #expect(event("sip", type).isKnown == (meaning != nil))
    }

    /// The classes of ITU-T Q.850 §2.2.7 and the causes of its table; RFC 3261 §21 for SIP.
    @Test(arguments: [
        ("Q.850;cause=16;text=\"Normal call clearing\"", false), ("Q.850;cause=31", false), ("Q.850;cause=17", false),
        ("Q.850;cause=27", true), ("q.850 ; cause = 38 ; text=\"Network out of order\"", true),
        ("Q.850;cause=102;text=\"Recovery on timer expiry\"", true), ("Q.850;cause=127", true),
        ("Q.850;cause=128", false), ("SIP;cause=408;text=\"ACK timeout\"", true), ("SIP;cause=481", true),
        ("SIP;cause=503", true), ("SIP;cause=200;text=\"Call completed elsewhere\"", false),
        ("SIP;cause=486", false), ("SIP ;cause=200, Q.850;cause=41", true), ("X.int;cause=38", false),
        ("SIP;cause=200;text=\"was, \\\"Q.850;cause=38\"", false), ("Q.850", false), ("", false),
    ])
    func `a BYE that names a fault is an error and no hang-up`(reason: String, isFault: Bool) {
        #expect(event("sip", "BYE", ["reason": .string(reason)]).meanings == [.ended(isFault ? .error : .hangup)])
    }

    /// ITU-T Q.850 §2.2.7; RFC 3326 §3.1 for a CANCEL. A status that says what it means stands.
    @Test(
        arguments: [
            ("480", "Q.850;cause=19;text=\"NO_ANSWER\"", .noAnswer), ("480", "Q.850;cause=18", .noAnswer),
            ("503", "Q.850;cause=17", .busy), ("480", "Q.850;cause=1", .notFound),
            ("500", "SIP;cause=500, Q.850;cause=21", .declined), ("480", "Q.850;cause=20", .unavailable),
            ("480", "SIP;cause=19", .unavailable), ("500", "Q.850;cause=41", .error),
            ("404", "Q.850;cause=17", .notFound),
            ("487", "SIP;cause=200;text=\"Call completed elsewhere\"", .answeredElsewhere),
            ("487", "Q.850;cause=26", .answeredElsewhere), ("487", "Q.850;cause=16", .cancelled),
        ] as [(String, String, CallEndCause)])
    func `the reason of a refusal makes clearer why it was`(status: String, reason: String, cause: CallEndCause) {
        #expect(event("sip", status, ["releaseReason": .string(reason)]).meanings == [.ended(cause)])
    }

    @Test func `a BYE for an answer that crossed the CANCEL is the caller's giving up`() {
        #expect(event("sip", "BYE", ["followsCancel": true]).meanings == [.ended(.cancelled)])
    }

    @Test func `fax that ends is sound again`() {
        #expect(event("sip", "T38", ["isActive": false]).meanings == [.established])
    }

    /// Cisco's guide and code, FCSDK, liblinphone, Kandy: one state under many names, spelling mistakes included.
    private static let spellings: [(String, [String], EventMeaning)] = [
        ("callStatus", ["SETUP", ".setup", "ACBClientCallStatusSetup", "ACBCallStatusSetup"], .created),
        (
            "callStatus",
            [
                "ALERTING", "ACBClientCallStatusAlerting", ".alerting", "onIncomingCall", "Phone.onIncomingCall",
                "phone(_:received:)", "phone:received:", "phone:didReceiveCall:",
            ], .alerted
        ),
        ("callStatus", ["RINGING", "ACBClientCallStatusRingin", ".ringing", "onRinging"], .ringing),
        ("call", ["MEDIA_PENDING", "ACBCallStatusMediaPending", ".mediaPending", "onPending"], .mediaPending),
        ("call", ["IN_CALL", "ACBClientCallStatusInCall", ".inCall", "onInCall"], .active),
        ("callStatus", ["BUSY", "ACBCallStatusBusy", "onBusy", "Call.onBusy"], .ended(.busy)),
        ("callStatus", ["NOT_FOUND", "ACBCallStatusNotFound", "onNotFound"], .ended(.notFound)),
        ("callStatus", ["TIMED_OUT", "ACBCallStatusTimedOut", "onTimeout"], .ended(.noAnswer)),
        ("callStatus", ["ERROR", "CALL_ERROR", "ACBCallStatusError", "onCallFailed"], .ended(.error)),
        ("callStatus", ["ENDED", "ACBCClientCallStatusEnded", "onEnded", ".ended"], .ended(nil)),
        ("callStatus", ["NO_MB_CAPACITY"], .ended(.capacity)), ("callStatus", ["REQUEST_TERMINATED"], .ended(.error)),
        ("callStatus", ["TEMPORARILY_UNAVAILABLE"], .ended(.unavailable)),
        ("callStatus", ["MEDIA_UNAVAILABLE"], .ended(.mediaError)), ("callStatus", ["UNINITIALIZED"], .noted),
        ("callStatus", ["preparingBufferViews"], .preparingViews),
        ("callState", ["IN_CALL", "CALLSTATES_IN_CALL", ".inCall", "in_call"], .established),
        ("callState", ["ON_HOLD", "on_hold", "Paused", "LinphoneCallPaused"], .held(.local)),
        ("callState", ["REMOTELY_HELD", ".remotelyHeld", "PausedByRemote"], .held(.remote)),
        ("callState", ["ON_DOUBLE_HOLD", ".onDoubleHold"], .held(.both)),
        ("callState", ["RINGING", "CALLSTATES_RINGING"], .ringingShown),
        ("callState", ["OutgoingRinging", "LinphoneCallStateOutgoingRinging"], .ringing),
        ("callState", ["StreamsRunning", "LinphoneCallStreamsRunning"], .active),
        ("callState", ["SESSION_PROGRESS", ".sessionProgress", "OutgoingEarlyMedia"], .earlyMedia),
        ("call", ["didSendStartCall", "odidSendStartCall:withMessage:"], .requestAccepted),
        ("quality", ["onConnectionQualityChanged", "onCallQualityChanged", "OnInboundQualityChange"], .quality(nil)),
        ("connection", ["OnConnectionLost", "onConnectivityLost", "ucDidLoseConnection"], .connectionLost),
        ("connection", ["onConnectionReestablished", "ucDidReestablishConnection"], .connectionRestored),
        (
            "operation", ["holdCallSucceed", "holdCallSucceeded", "holdCallSuccedded"],
            .operation("holdCall", isSuccess: true)
        ),
    ]

    @Test(arguments: spellings) func `every spelling means the same`(
        action: String, types: [String], meaning: EventMeaning
    ) {
        for type in types { #expect(event(action, type).meanings == [meaning], "\(type)") }
    }

    private static let callbacks = [
        "call:didChangeStatus:", "call(_:didChange:)", "callStatusChanged", "LinphoneCoreCallStateChangedCb",
    ]

    @Test(arguments: callbacks) func `a callback that only carries a state says nothing itself`(type: String) {
        #expect(event("callStatus", type).meanings == [.noted])
    }

    @Test(arguments: ["CALL_STATE", "callstate", "Call.State"])
    func `an action compares as all names do`(action: String) {
        for type in ["ENDED", "IN_CALL", "RINGING"] {
            #expect(
                event(action, type).meanings == event("callState", type).meanings
                    && !event(action, type).meanings.isEmpty)
        }
    }

    @Test func `a numeric code of a failure is a SIP status`() {
        #expect(event("call", "Call.onDialFailed", ["code": 404]).meanings == [.ended(.notFound)])
        #expect(event("callState", "Error", ["code": 486]).meanings == [.ended(.busy)])
        #expect(event("call", "onDialFailed", ["status": "BUSY"]).meanings == [.ended(.busy)])
    }

    @Test func `an app switches its own sound by the value, whatever the method is called`() {
        let off: JSONObject = ["detail": ["isAudioEnabled": false]]
        let muted = EventMeaning.condition(.microphoneMuted, isOn: true)
        #expect(event("operation", "unmuteMicrophone", off).meanings.last == muted)
        #expect(event("operation", "enableLocalAudio", ["value": false]).meanings.last == muted)
        #expect(
            event("operation", "setLocalMediaEnabled", ["detail": ["video": false, "audio": true]]).meanings.dropFirst()
                == [.condition(.microphoneMuted, isOn: false), .condition(.cameraOff, isOn: true)])
    }

    @Test func `a hold that did not come about is none`() {
        let failed: JSONObject = ["detail": ["success": false]]
        #expect(event("operation", "hold", failed).meanings == [.operation("hold", isSuccess: false)])
        #expect(
            event("operation", "holdCallFailed").meanings == [.operation("holdCall", isSuccess: false), .resumed])
    }

    private static let statusCodes: [(Int64, CallEndCause)] = [
        (9900, .remoteHangup), (9901, .localHangup), (9906, .error), (404, .notFound), (480, .unavailable),
        (487, .noAnswer), (486, .busy), (603, .declined), (607, .declined), (500, .error), (999, .unknown),
    ]

    @Test(arguments: statusCodes) func `a status code is a cause`(code: Int64, cause: CallEndCause) {
        #expect(event("callState", "ENDED", ["statusCode": .integer(code)]).meanings == [.ended(cause)])
        #expect(event("callState", "ENDED", ["statusCode": .string("\(code)")]).meanings == [.ended(cause)])
    }

    /// The gateway's BUSY is an offer that waits already.
    private static let gatewayCodes: [(String, CallEndCause)] = [
        ("NOMATCH", .error), ("REFUSED", .declined), ("BUSY", .error), ("TIMEOUT", .noAnswer), ("NOTFOUND", .notFound),
        ("FAILED", .error),
    ]

    @Test(arguments: gatewayCodes) func `codes of a gateway are not statuses of a call`(
        code: String, cause: CallEndCause
    ) {
        #expect(event("call", "onDialFailed", ["code": .string(code)]).meanings == [.ended(cause)])
    }

    private static let endTypes: [(String, Int64, CallEndCause?)] = [
        ("SBVCEndTypeNone", 0, nil), ("SBVCEndTypeCancel", 1, .cancelled), ("SBVCEndTypeDecline", 2, .declined),
        ("SBVCEndTypeEnd", 3, .remoteHangup), ("SBVCEndTypeTimeout", 4, .noAnswer), ("SBVCEndTypeUnknown", 5, .error),
    ]

    @Test(arguments: endTypes) func `SendBird's ends are causes by name and by number`(
        name: String, number: Int64, cause: CallEndCause?
    ) {
        for type in [JSONValue.string(name), .integer(number)] {
            let members: JSONObject = ["side": "caller", "detail": ["endType": type, "ender": "callee"]]
            #expect(event("call", "didReceiveEndCall", members).meanings == [.ended(cause)])
        }
        let mine: JSONObject = ["side": "caller", "detail": ["endType": "SBVCEndTypeEnd", "ender": "caller"]]
        #expect(event("call", "didSendEndCall", mine).meanings == [.ended(.localHangup)])
    }

    private static let sendBirdErrors: [(String, Int64)] = [
        ("SBVCErrorUnknown", 820_000), ("SBVCErrorSendBirdConnectionRequired", 820_100),
        ("SBVCErrorSendBirdRequired", 820_130), ("SBVCErrorInvalidAction", 820_200),
        ("SBVCErrorAcceptingFail", 820_300), ("SBVCErrorInvalidParameter", 820_400),
        ("SBVCErrorUnsuitableChannel", 820_401), ("SBVCErrorAlreadyCameraSwitching", 820_510),
        ("SBVCErrorAlreadyCallGoingOn", 900_600),
    ]

    @Test(arguments: sendBirdErrors) func `SendBird's errors are known by name and by number`(name: String, code: Int64)
    {
        let byName = event("error", name).meanings
        #expect(byName == event("error", "error", ["code": .integer(code)]).meanings)
        #expect(byName.first == .problem(.error))
    }

    @Test func `a device that lets no calls through says so by its code alone`() {
        let code: JSONValue = "com.apple.CallKit.error.incomingcall/3"
        #expect(event("error", "anything", ["code": code]).meanings == [.failed(.doNotDisturb)])
        #expect(event("app", "doNotDisturb").meanings == [.failed(.doNotDisturb)])
        let other: JSONValue = "com.apple.CallKit.error.incomingcall/13"
        #expect(event("error", "anything", ["code": other]).meanings == [.problem(.error)])
    }

    @Test func `SSRCs are read as decimal, else as hexadecimal`() {
        let sources: JSONValue = ["audio": ["3735928559", 7], "video": ["0x12345678", "beef00"]]
        #expect(
            event("ssrc", "didReceiveSSRCs", ["detail": sources]).meanings
                == [.streams([3_735_928_559, 7, 0x1234_5678, 0xbeef00])])
    }

    @Test func `liblinphone's rating from 0 to 5 is not taken for 0 to 100`() {
        let source: JSONValue = "liblinphone-ios"
        #expect(event("quality", "rating", ["source": source, "value": 4.5]).meanings == [.quality(90)])
        #expect(event("quality", "rating", ["source": source, "value": -1]).meanings == [.quality(nil)])
    }

    @Test(arguments: ["foo", "", "callCreat", "🙂"]) func `what nobody knows has no meaning`(type: String) {
        #expect(event("callState", type).meanings == [])
        #expect(!event("callState", type).isKnown)
    }

    private func event(_ action: String, _ type: String, _ members: JSONObject = [:]) -> CallEvent {
        CallEvent(
            time: Timestamp(milliseconds: 0), receivedAt: Timestamp(milliseconds: 0), action: action, type: type,
            members: members)
    }
}
