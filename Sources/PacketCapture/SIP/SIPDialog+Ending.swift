import CallModel
import RTPMeter

// MARK: - Refusals

extension SIPDialog {
    /// A final response of 300 or more to the INVITE that sets up the call.
    struct Refusal {
        let status: Int
        let message: SIPMessage
        let page: Page
        var isTold = false

        init(_ status: Int, _ message: SIPMessage, _ page: Page) {
            self.status = status
            self.message = message
            self.page = Page(sender: page.sender, time: page.time, before: [])
        }
    }

    /// Takes a message that was seen on another hop: what was noted of a branch alone may be the call's when a proxy
    /// passes it on, and several targets may refuse, or answer, in the same words.
    mutating func passOn(
        _ message: SIPMessage, _ reach: SIPBranches.Reach, _ page: Page, into notices: inout [SIPNotice]
    ) {
        if page.sender == .callee, message.isAnswer, message.sequence == initialSequence {
            answers.noteOther(message, opener: .caller)
        }
        switch phase {
        case .setup, .challenged: break
        case .answered, .leaving, .ended: return
        }
        if message.isRequest, message.method == "CANCEL" {
            guard reach == .call, !wasCancelled, cancelsCall(message) else { return }
            noteCancel(message, at: page.time)
            notices.append(event("CANCEL", message, page))
        } else if message.method == "INVITE", let status = message.status, status >= 300, let known = refusals.last,
            known.message.sequence == message.sequence
        {
            if reach == .call {
                refuse(known.status == status ? known : Refusal(status, message, page), into: &notices)
            } else if !known.isTold, known.message.toTag != message.toTag {
                refusals = [Refusal(status, message, page)]  // another target's
            }
        }
    }

    /// Waits to see whether a refusal of one branch is the call's. That the INVITE will come again is told at once.
    mutating func withhold(_ refusal: Refusal, into notices: inout [SIPNotice]) {
        switch phase {
        case .setup, .challenged: break
        case .answered, .leaving, .ended: return  // another branch decides
        }
        var refusal = refusal
        if Self.mayBeMended(refusal.status) {
            notices.append(event(String(refusal.status), refusal.message, refusal.page))
            refusal.isTold = true
        }
        refusals = [refusal]
    }

    /// The call was refused.
    mutating func refuse(_ refusal: Refusal, into notices: inout [SIPNotice]) {
        let (status, time) = (refusal.status, refusal.page.time)
        refusals = []
        if !refusal.isTold {
            // Who was called has been told why the caller took it back, and says only that it did.
            let reason = status == 487 ? cancelReason.map { ["releaseReason": .string($0)] as JSONObject } : nil
            notices.append(event(String(status), refusal.message, refusal.page, more: reason ?? [:]))
        }
        guard phase != .answered, !isEnded else { return }
        if Self.mayBeMended(status) {
            phase = .challenged(status: status, at: time)
            challenge = refusal
        } else {
            wasRefused = true
            end(at: time, wasCancelled ? .cancelled(status: status) : .failed(status: status), &notices)
        }
    }

    /// Takes a refusal for the call's that nobody was seen to pass on, where no branch is left that may be answered.
    private mutating func settleRefusal(into notices: inout [SIPNotice]) {
        guard let refusal = refusals.last, branches.isRefusedDownstream else { return }
        switch phase {
        case .setup, .challenged: refuse(refusal, into: &notices)
        case .answered, .leaving, .ended: refusals = []
        }
    }

    /// Ends a call that was refused, though not at all hops that were seen, before its caller asks anew.
    mutating func conclude(before message: SIPMessage, into notices: inout [SIPNotice]) {
        guard let refusal = refusals.last, message.isInitialInvite, message.sequence != initialSequence,
            branches.isRefusedDownstream, !Self.mayBeMended(refusal.status)
        else { return }
        refuse(refusal, into: &notices)
    }

    /// Takes a response to an INVITE with a higher number than the one that was challenged for that to one that came in its place,
    /// and that the capture lacks: with credentials, it is often too long for one packet.
    mutating func noteUnseenRetry(_ message: SIPMessage, opener: CallEnd) {
        guard case .challenged = phase, opener == .caller, message.sequence > initialSequence ?? .max else { return }
        initialSequence = message.sequence
        refusals = []
        phase = .setup
    }

    /// Responses after which callers ask again by themselves: for credentials, at another address, with other
    /// extensions, with a longer interval, or after a collision.
    private static func mayBeMended(_ status: Int) -> Bool {
        (300...399).contains(status) || [401, 407, 420, 421, 422, 491, 494].contains(status)
    }
}

// MARK: - Hanging up

extension SIPDialog {
    /// Whether the caller took back the INVITE that sets up the call.
    var wasCancelled: Bool { cancelledAt != nil }

    /// Whether a CANCEL takes back the INVITE that sets up the call, and no re-INVITE. It has the number and the tags of what it
    /// cancels ([RFC 3261 §9.1](https://www.rfc-editor.org/rfc/rfc3261#section-9.1)), and only requests within a dialog have a
    /// tag of their target (§12.2.1.1).
    func cancelsCall(_ message: SIPMessage) -> Bool {
        initialSequence.map { $0 == message.sequence } ?? (message.toTag == nil)
    }

    mutating func noteCancel(_ message: SIPMessage, at time: ArrivalTime) {
        guard !wasCancelled else { return }
        cancelledAt = time
        cancelReason = message.reasonHeader
    }

    /// Whether a BYE was sent whose answer may still come: it goes again until then, for 32 s
    /// ([RFC 3261 §17.1.2.2](https://www.rfc-editor.org/rfc/rfc3261#section-17.1.2.2)). That of an end of which nothing was seen
    /// is not waited for.
    var awaitsGoodbye: Bool {
        if case .leaving = phase { return unseenEnd == nil }
        return false
    }

    mutating func bye(_ message: SIPMessage, _ page: inout Page) {
        guard !answers.leave(message, opener: page.sender, at: page.time) else { return }
        // The answer crossed the CANCEL, and the caller hangs up what it does not want (RFC 3261 §9.1).
        let isOfCancel =
            page.sender == .caller
            && cancelledAt.map { !isSilent(page.time, since: $0, Patience.leaving) } ?? false
        page.before.append(event("BYE", message, page, more: isOfCancel ? ["followsCancel": true] : [:]))
        switch phase {
        case .setup, .answered, .challenged: phase = .leaving(by: page.sender, since: page.time)
        case .leaving, .ended: break
        }
    }
}

// MARK: - Time

extension SIPDialog {
    /// Notes that media of the call flow: a caller may wait in early media for long, and sessions need not be refreshed.
    mutating func noteMedia(at time: ArrivalTime) {
        switch phase {
        case .setup where !wasCancelled && !isUnheard, .answered: lastActivity = max(lastActivity, time)
        default: break
        }
    }

    /// Ends the call when it has been silent for too long.
    mutating func expire(at time: ArrivalTime, into notices: inout [SIPNotice]) {
        guard !isEnded else { return }
        if let refusal = refusals.last, isSilent(time, since: refusal.page.time, Patience.passing) {
            settleRefusal(into: &notices)
        }
        defer { if isEnded { lastActivity = max(lastActivity, time) } }  // it is forgotten a while after it was told
        switch phase {
        case .setup where wasCancelled && isSilent(time, since: lastActivity, Patience.cancelled):
            end(at: lastActivity, .cancelled(status: nil), &notices)
        case .setup where isUnheard && isSilent(time, since: lastActivity, Patience.response): giveUp(into: &notices)
        case .setup where isSilent(time, since: lastActivity, Patience.ringing):
            end(at: lastActivity, .silent, &notices)
        case .challenged(let status, let since) where isSilent(time, since: since, Patience.challenged):
            giveUp(after: status, since, into: &notices)
        case .answered where isSilent(time, since: lastActivity, Patience.answered):
            end(at: lastActivity, .silent, &notices)
        case .leaving(let by, let since) where isSilent(time, since: since, Patience.leaving):
            end(at: since, .bye(by: by), &notices)
        default: break
        }
    }

    /// Ends a call of which nothing more can come but the end: the capture is over.
    mutating func finish(into notices: inout [SIPNotice]) {
        settleRefusal(into: &notices)
        switch phase {
        case .challenged(let status, let since): giveUp(after: status, since, into: &notices)
        case .leaving(let by, let since): end(at: since, .bye(by: by), &notices)
        case .setup where wasCancelled: end(at: lastActivity, .cancelled(status: nil), &notices)
        case .setup where isUnheard && isSilent(lastActivity, since: openedAt, Patience.lastInvite):
            giveUp(into: &notices)
        default: break
        }
    }

    /// Nobody answers the INVITE. The caller may try another target.
    private mutating func giveUp(into notices: inout [SIPNotice]) {
        let members: JSONObject = ["method": "INVITE", "reason": "no response"]
        notices.append(event("INVITE TIMEOUT", members, of: .caller, at: lastActivity))
        wasRefused = true
        end(at: lastActivity, .silent, &notices)
    }

    /// The caller does not ask again.
    private mutating func giveUp(after status: Int, _ time: ArrivalTime, into notices: inout [SIPNotice]) {
        let members = challenge?.message.eventMembers ?? ["method": "INVITE"]
        notices.append(event("INVITE REFUSED", members, of: challenge?.page.sender ?? .callee, at: time))
        end(at: time, .failed(status: status), &notices)
    }

    /// Whether an ended call can be forgotten: no more repetitions of its last messages can come.
    func isForgettable(at time: ArrivalTime) -> Bool {
        guard case .ended(let end) = phase else { return false }
        return isSilent(time, since: max(end, lastActivity), Patience.ended)
    }

    private func isSilent(_ time: ArrivalTime, since start: ArrivalTime, _ seconds: Int64) -> Bool {
        time.nanoseconds(since: start) > seconds * 1_000_000_000
    }

    /// How long to wait, in seconds. 32 s (64 · T1) is how long a transaction may take
    /// ([RFC 3261 §17](https://www.rfc-editor.org/rfc/rfc3261#section-17)).
    private enum Patience {
        static let cancelled: Int64 = 64
        /// The last of seven INVITEs comes after 31.5 s (Timers A and B).
        static let lastInvite: Int64 = 31
        /// Timer B, from the last of the INVITEs: one that comes to another target belongs to the same attempt.
        static let response: Int64 = 32
        /// Timer C is more than three minutes, and every provisional response sets it anew.
        static let ringing: Int64 = 300
        /// People type passwords.
        static let challenged: Int64 = 64
        static let leaving: Int64 = 32
        /// For a proxy to pass a refusal on, or to try another target.
        static let passing: Int64 = 32
        static let answered: Int64 = 12 * 3600
        static let ended: Int64 = 64
    }

    mutating func end(at time: ArrivalTime, _ ending: SIPEnding, _ notices: inout [SIPNotice]) {
        phase = .ended(at: time)
        notices.append(.ended(call: ref, at: time, ending))
    }
}
