extension CallEndCause {
    /// The cause by a SIP status (RFC 3261 §21); `nil` where it is none that ends a call.
    init?(sipStatus status: Int64) {
        switch status {
        case 486, 600: self = .busy
        case 404, 410, 604: self = .notFound
        case 408, 487: self = .noAnswer
        case 480, 503: self = .unavailable
        case 603, 607: self = .declined
        case 400...699: self = .error
        default: return nil
        }
    }

    /// The cause by the `statusCode` of `ENDED`: Kandy's own, or a SIP status passed through. `nil` without one.
    init?(statusCodeOf event: CallEvent) {
        guard let code = event.members["statusCode"]?.wholeNumber ?? event.detail("statusCode")?.wholeNumber else {
            return nil
        }
        switch code {
        case 9900: self = .remoteHangup
        case 9901: self = .localHangup
        case 9906: self = .error
        default: self = CallEndCause(sipStatus: code) ?? .unknown
        }
    }

    /// The cause by the code of a failure: a call status (Android), else a code of Cisco's gateway. `nil` without one.
    ///
    /// `BUSY` of the gateway is an offer that waits already, not a callee who is busy; as a status it is one.
    init?(failureOf event: CallEvent) {
        if let status = event.detail("status")?.text ?? event.detail("callStatus")?.text, status.uppercased() == "BUSY"
        {
            self = .busy
            return
        }
        guard let value = event.detail("code") ?? event.detail("status") else { return nil }
        if let status = value.wholeNumber {
            guard let cause = CallEndCause(sipStatus: status) else { return nil }
            self = cause
            return
        }
        switch value.text?.uppercased() {
        case "REFUSED": self = .declined
        case "TIMEOUT", "TIMED_OUT": self = .noAnswer
        case "NOTFOUND", "NOT_FOUND": self = .notFound
        case "NO_MB_CAPACITY": self = .capacity
        case "TEMPORARILY_UNAVAILABLE": self = .unavailable
        case "MEDIA_UNAVAILABLE": self = .mediaError
        default: return nil
        }
    }

    /// The cause by SendBird's `endType`, a name or a number, and who ended the call. `nil` where it has not ended.
    init?(sendBirdEndOf event: CallEvent, isLocal: Bool) {
        let type = event.detail("endType")
        let name = type?.text.map { FoldedName($0).text } ?? ""
        let kinds = ["none", "cancel", "decline", "end", "timeout", "unknown"]
        let number = type?.wholeNumber.flatMap { Int(exactly: $0) } ?? kinds.firstIndex { "sbvcendtype\($0)" == name }
        let ender = event.detail("ender")?.text ?? event.detail("getEnder")?.text
        let side = event.members["side"]?.text ?? event.members["role"]?.text
        let byMe = ender.flatMap { ender in side.map { $0 == ender } } ?? isLocal
        switch number {
        case 0: return nil
        case 1: self = .cancelled
        case 2: self = .declined
        case 4: self = .noAnswer
        case 5: self = .error
        default: self = byMe ? .localHangup : .remoteHangup
        }
    }
}
