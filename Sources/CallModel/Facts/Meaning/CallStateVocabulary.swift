/// The states and callbacks by which SDKs tell how a call comes about and ends.
///
/// Kandy (`callMetric`, `callState`), Cisco Remote Expert Mobile and FCSDK (`call`, `callStatus`), SendBird (`call`) and
/// liblinphone (`callState`). Their names do not contradict each other but for ``FoldedName`` `incall`.
enum CallStateVocabulary {
    private static let actions: Set<String> = ["callmetric", "callstate", "callstatus", "call"]

    static func meanings(of event: CallEvent, _ name: FoldedName) -> [EventMeaning]? {
        if let failure = failure(event, name) { return [failure] }
        let action = event.foldedAction
        guard actions.contains(action) else { return nil }
        let state = name.state
        // Kandy says so before a path stands, Cisco after.
        if state == "incall" { return [action == "callstate" ? .established : .active] }
        if let meaning = callbacks[name] ?? states[state] ?? callbacks[state] { return [refined(meaning, event)] }
        if ["ringing", "ringin"].contains(state) { return [action == "callstate" ? .ringingShown : .ringing] }
        return ending(of: event, state)
    }

    private static let states: [FoldedName: EventMeaning] = [
        // Kandy
        "callcreate": .created, "incomingcall": .alerted, "callrestsent": .requestSent, "callringing": .ringing,
        "callanswerreceived": .answered, "ringingfeedbacksent": .noted, "initial": .noted, "dialing": .noted,
        "sessionprogress": .earlyMedia, "onhold": .held(.local), "remotelyheld": .held(.remote),
        "ondoublehold": .held(.both), "unknown": .noted,
        // Cisco, FCSDK
        "uninitialized": .noted, "setup": .created, "dial": .created, "alerting": .alerted,
        "mediapending": .mediaPending, "preparingbufferviews": .preparingViews, "busy": .ended(.busy),
        "notfound": .ended(.notFound), "timedout": .ended(.noAnswer), "error": .ended(.error),
        "callerror": .ended(.error), "nombcapacity": .ended(.capacity), "requestterminated": .ended(.error),
        "temporarilyunavailable": .ended(.unavailable), "mediaunavailable": .ended(.mediaError),
        // liblinphone
        "idle": .noted, "outgoinginit": .created, "outgoingprogress": .requestSent, "incomingreceived": .alerted,
        "pushincomingreceived": .alerted, "outgoingringing": .ringing, "outgoingearlymedia": .earlyMedia,
        "incomingearlymedia": .earlyMedia, "connected": .answered, "streamsrunning": .active, "pausing": .noted,
        "paused": .held(.local), "resuming": .noted, "pausedbyremote": .held(.remote), "refered": .noted,
        "referred": .noted, "updatedbyremote": .noted, "updating": .noted, "earlyupdatedbyremote": .noted,
        "earlyupdating": .noted, "end": .ended(nil), "released": .ended(nil),
    ]

    private static let callbacks: [FoldedName: EventMeaning] = [
        // Cisco for browsers
        "onincomingcall": .alerted, "phoneonincomingcall": .alerted, "onringing": .ringing,
        "onpending": .mediaPending, "onincall": .active, "onbusy": .ended(.busy), "onnotfound": .ended(.notFound),
        "ontimeout": .ended(.noAnswer), "onstatuschanged": .noted,
        "didchangestatus": .noted, "didchange": .noted, "callstatuschanged": .noted,
        "linphonecorecallstatechangedcb": .noted,
        // FCSDK
        "received": .alerted, "didreceivecall": .alerted,
        // SendBird
        "didsendstartcall": .requestAccepted, "odidsendstartcall": .requestAccepted, "didreceivestartcall": .alerted,
        "startcallwithaudioonly": .created, "startcall": .created, "didsendacceptcall": .answered,
        "didreceiveacceptcall": .answered, "acceptcall": .noted, "didconnectcall": .active,
    ]

    /// A code says more of an error than its state.
    private static func refined(_ meaning: EventMeaning, _ event: CallEvent) -> EventMeaning {
        guard meaning == .ended(.error), let cause = CallEndCause(failureOf: event) else { return meaning }
        return .ended(cause)
    }

    /// Told under whatever action.
    private static func failure(_ event: CallEvent, _ name: FoldedName) -> EventMeaning? {
        switch name {
        case "ondialfailed", "oncallfailed", "didreceivedialfailure", "didreceivedialfailurewitherror",
            "didreceivecallfailure", "didreceivecallfailurewitherror":
            .ended(CallEndCause(failureOf: event) ?? .error)
        default: nil
        }
    }

    private static func ending(of event: CallEvent, _ state: FoldedName) -> [EventMeaning]? {
        switch state {
        case "ended", "onended": [.ended(CallEndCause(statusCodeOf: event))]
        case "didsendendcall": [.ended(CallEndCause(sendBirdEndOf: event, isLocal: true))]
        case "didreceiveendcall": [.ended(CallEndCause(sendBirdEndOf: event, isLocal: false))]
        default: nil
        }
    }
}
