import CallModel
import RTPMeter

/// What is known of one attempt of a call, and what its next message says.
struct SIPDialog: Sendable {
    enum Phase: Hashable, Sendable {
        case setup
        /// Refused in a way that the caller may mend by asking again, with credentials or at another address.
        case challenged(status: Int, at: ArrivalTime)
        case answered
        /// BYE was sent and not answered yet.
        case leaving(by: CallEnd, since: ArrivalTime)
        case ended(at: ArrivalTime)
    }

    let ref: CallRef
    private(set) var counters = SIPCallCounters()
    let openedAt: ArrivalTime
    var lastActivity: ArrivalTime
    var relationKeys: [CallRelations.Key] = []

    var phase = Phase.setup
    private var repeats = RepeatFilter()
    var agreement = OfferAnswer()
    /// The tags of the caller: one, unless it asked again with another or a leg shares the Call-ID.
    private var callerTags: [String?]
    var initialSequence: UInt32?
    var branches = SIPBranches()
    var answers = SIPAnswers()
    /// The last final response of 300 or more of which it is not known whether it is the call's; one at most.
    var refusals: [Refusal] = []
    var challenge: Refusal?  // the last one that the caller may mend
    /// Whether a refusal ended it.
    var wasRefused = false
    private var hasAcknowledgement = false
    /// When the caller took back the INVITE that sets up the call.
    var cancelledAt: ArrivalTime?
    /// Why it did, by the Reason field of the CANCEL.
    var cancelReason: String?
    private var eventCount: Int64 = 0
    private var descriptionsSeen: [UInt64] = []
    private var related: [Int] = []
    /// Where its descriptions were seen.
    private(set) var hops = DescriptionHops()
    private var trickled = TrickledCandidates()
    /// Who sent the last message.
    private(set) var latestSender = CallEnd.caller
    /// The ends of which a message was seen.
    private var seenEnds: Set<CallEnd> = []
    /// Whether a message was seen that follows one of the other end.
    private var hasReply = false
    /// How often the answer came again, and over which of the hops that are seen.
    private var repeatedAnswers = 0
    private var hopOfRepeats: Flow?

    private static let maximumDescriptions = 64
    private static let maximumRelations = 16

    /// Begins with the first message seen.
    init(_ ref: CallRef, first message: SIPMessage, at time: ArrivalTime) {
        self.ref = ref
        (openedAt, lastActivity) = (time, time)
        callerTags = [message.fromTag]
    }

    /// What takes the place of a call that is forgotten.
    static let blank = SIPDialog()

    private init() {
        ref = CallRef(number: 0, callID: "", attempt: 0)
        (openedAt, lastActivity) = (ArrivalTime(nanoseconds: 0), ArrivalTime(nanoseconds: 0))
        callerTags = []
    }

    /// Whether the call is over.
    var isEnded: Bool {
        if case .ended = phase { return true }
        return false
    }

    /// The end that must have sent something, and of which nothing was seen.
    var unseenEnd: CallEnd? {
        guard hasReply, seenEnds.count == 1 else { return nil }
        return seenEnds.first?.other
    }

    /// Whether a message opens the next attempt under the same Call-ID: an INVITE outside the dialog that is over, with
    /// a higher number or another tag of the caller
    /// ([RFC 3261 §19.3](https://www.rfc-editor.org/rfc/rfc3261#section-19.3)), or to another target of a call that was
    /// refused.
    func isNextAttempt(_ message: SIPMessage, flow: Flow) -> Bool {
        guard isEnded, message.isInitialInvite else { return false }
        if wasRefused, branches.isNextTarget(message, flow: flow) { return true }
        if let tag = message.fromTag, !callerTags.contains(tag) { return true }
        return initialSequence.map { message.sequence > $0 } ?? true
    }

    /// Takes a message of the call.
    /// - Parameters:
    ///   - message: The message.
    ///   - description: Its session description.
    ///   - flow: Where it came from and went to.
    ///   - time: When it was seen.
    ///   - notices: What it says is added here.
    mutating func take(
        _ message: SIPMessage, _ description: SessionDescription?, flow: Flow, at time: ArrivalTime,
        into notices: inout [SIPNotice]
    ) {
        lastActivity = max(lastActivity, time)
        counters.messages += 1
        let opener = opener(of: message)
        let sender = message.isRequest ? opener : opener.other
        seenEnds.insert(sender)
        latestSender = sender
        let description = trickled.complete(description, of: message, by: sender)
        if description != nil { hops.note(flow, sender: sender) }
        // A request with a tag of its target, and a response, are sent to who has sent something before (RFC 3261 §12.2).
        hasReply = hasReply || !message.isRequest || message.toTag != nil
        let context = context(of: message, opener)
        let reach = reach(of: message, opener, flow)
        switch repeats.judge(message, opener: opener, context: context, flow: flow, at: time) {
        case .retransmission:
            counters.retransmissions += 1
            repeated(message, Page(sender: sender, time: time, before: []), flow, into: &notices)
        case .copy: counters.copies += 1
        case .otherHop:
            counters.otherHops += 1
            passOn(message, reach, Page(sender: sender, time: time, before: []), into: &notices)
            note(description, of: message, by: sender, flow, time, &notices)
        case .new, .fork:
            if message.carriesDigits { counters.digits += 1 }
            var page = Page(sender: sender, time: time, before: notices)
            notices = []  // so that the page's are the only ones, and need no copy to be added to
            if message.isRequest {
                request(message, description, reach, &page)
            } else {
                response(message, description, opener, reach, &page)
            }
            swap(&notices, &page.before)
            note(description, of: message, by: sender, flow, time, &notices)
            if !page.after.isEmpty { notices += page.after }
        }
    }

    /// Who sent the request of the message's transaction. Whoever sends an INVITE outside a dialog is a caller.
    private mutating func opener(of message: SIPMessage) -> CallEnd {
        if callerTags.contains(message.fromTag) { return .caller }
        guard message.isInitialInvite, callerTags.count < 4 else { return .callee }
        callerTags.append(message.fromTag)
        return .caller
    }

    /// What tells a message from others of its number and method: which answer of a forked call a BYE is about, and
    /// whether an ACK is that of a refusal.
    private func context(of message: SIPMessage, _ opener: CallEnd) -> UInt64? {
        switch message.method {
        case "BYE": answers.dialog(of: message, opener: opener)
        case "ACK": branches.isRefused(message) ? 1 : nil
        default: nil
        }
    }

    /// Notes what a message says of one branch of the call.
    /// - Returns: Whether it says it of the call; of a message that says nothing of a branch it is the call.
    private mutating func reach(of message: SIPMessage, _ opener: CallEnd, _ flow: Flow) -> SIPBranches.Reach {
        guard opener == .caller else { return .call }
        switch (message.method, message.status) {
        case ("INVITE", nil):
            if message.toTag == nil { branches.open(message, flow: flow) }
        case ("INVITE", .some(200...299)): branches.answer(message)
        case ("INVITE", .some(300...)): return branches.refuse(message)
        case ("CANCEL", nil): return branches.cancel(message)
        default: break
        }
        return .call
    }

    /// Whether another call was found to be a leg of this one.
    func isRelated(to other: CallRef) -> Bool { related.contains(other.number) }

    /// Notes that another call is a leg of this one.
    /// - Returns: Whether that is news.
    mutating func noteRelation(to other: CallRef) -> Bool {
        guard !isRelated(to: other), related.count < Self.maximumRelations else { return false }
        related.append(other.number)
        return true
    }

    /// One message on its way through the dialog, and what it says.
    struct Page {
        let sender: CallEnd
        let time: ArrivalTime
        /// Notices before the message's description.
        var before: [SIPNotice]
        /// Notices after it.
        var after: [SIPNotice] = []
    }

    // MARK: Requests

    private mutating func request(
        _ message: SIPMessage, _ description: SessionDescription?, _ reach: SIPBranches.Reach, _ page: inout Page
    ) {
        if message.carriesDigits { page.before.append(event("DIGIT", message, page)) }
        switch message.method {
        case "INVITE": invite(message, description, &page)
        case "ACK":
            acknowledgement(message, &page)
            let changes = agreement.acknowledge(message, by: page.sender, description)
            page.after += (changes ?? unseenAgreement(message, by: page.sender)).map { event($0, message, page) }
        case "PRACK": provisional(message, description, &page)
        case "CANCEL" where reach == .call:
            if cancelsCall(message) { noteCancel(message, at: page.time) }
            page.before.append(event("CANCEL", message, page))
        case "BYE": bye(message, &page)
        case "UPDATE":
            agreement.open(message, by: page.sender, isInitial: false, description)
            page.before.append(event("UPDATE", message, page))
        default: break
        }
    }

    private mutating func invite(
        _ message: SIPMessage, _ description: SessionDescription?, _ page: inout Page
    ) {
        let isInitial = message.toTag == nil
        agreement.open(message, by: page.sender, isInitial: isInitial, description)
        guard isInitial else {
            page.before.append(event("reINVITE", message, page))
            if case .setup = phase { phase = .answered }  // joined midway: only an answered call is asked anew
            return
        }
        let isRetry = initialSequence != nil
        initialSequence = message.sequence
        refusals = []
        if case .challenged = phase { phase = .setup }
        page.before.append(event("INVITE", message, page, more: isRetry ? ["isRetry": true] : [:]))
    }

    /// A PRACK answers the offer of the response that it acknowledges, or makes one
    /// ([RFC 3262 §5](https://www.rfc-editor.org/rfc/rfc3262#section-5)).
    private mutating func provisional(
        _ message: SIPMessage, _ description: SessionDescription?, _ page: inout Page
    ) {
        guard description != nil else { return }
        if let changes = agreement.acknowledge(message, by: page.sender, description) {
            page.after += changes.map { event($0, message, page) }
        } else {
            agreement.open(message, by: page.sender, isInitial: false, description)
        }
    }

    /// The ACK of a 2xx is a transaction of its own; that of any other response belongs to the INVITE, branch and all
    /// ([RFC 3261 §17.1.1.3](https://www.rfc-editor.org/rfc/rfc3261#section-17.1.1.3)), and says nothing new.
    private mutating func acknowledgement(_ message: SIPMessage, _ page: inout Page) {
        // An answer may cross a CANCEL, and is acknowledged all the same (RFC 3261 §9.1).
        guard !hasAcknowledgement, !wasCancelled || phase == .answered,
            initialSequence.map({ $0 == message.sequence }) ?? true
        else { return }
        switch phase {
        case .answered where !branches.isRefused(message): break
        case .setup where !branches.knows(message): phase = .answered
        default: return
        }
        hasAcknowledgement = true
        page.before.append(event("ACK", message, page))
    }

    /// A 2xx is sent again until the ACK comes
    /// ([RFC 3261 §13.3.1.4](https://www.rfc-editor.org/rfc/rfc3261#section-13.3.1.4)): tells when it has come so often that
    /// something keeps the ACK away. The callee will hang up after 32 s.
    private mutating func repeated(
        _ message: SIPMessage, _ page: Page, _ flow: Flow, into notices: inout [SIPNotice]
    ) {
        guard message.isAnswer, page.sender == .callee, message.sequence == initialSequence, phase == .answered,
            !hasAcknowledgement, unseenEnd == nil
        else { return }
        hopOfRepeats = hopOfRepeats ?? flow
        guard hopOfRepeats == flow else { return }
        repeatedAnswers += 1
        if repeatedAnswers == Self.tellingRepeats {
            notices.append(event("ACK MISSING", message, page, end: .caller))
        }
    }

    /// Whether the INVITE came again and again, and nothing else.
    var isUnheard: Bool { !hasReply && !wasCancelled && counters.retransmissions >= Self.tellingRepeats }

    /// One repetition may be late, or a response lost; the fourth comes 7.5 s after the first message (Timers A and G).
    private static let tellingRepeats = 4

    // MARK: Responses

    private mutating func response(
        _ message: SIPMessage, _ description: SessionDescription?, _ opener: CallEnd, _ reach: SIPBranches.Reach,
        _ page: inout Page
    ) {
        guard let status = message.status else { return }
        switch message.method {
        case "INVITE":
            noteUnseenRetry(message, opener: opener)
            // The second answer of a forked call finds its transaction closed.
            let isFork = opener == .caller && message.sequence == initialSequence
            let isInitial = agreement.isInitial(message, opener: opener) ?? (isFork || phase == .setup)
            let changes = agreement.answer(message, opener: opener, description)
            if isInitial { setup(status, message, reach, &page) } else { change(status, message, &page) }
            page.after += changes.map { event($0, message, page) }
        case "UPDATE", "PRACK":
            page.after += agreement.answer(message, opener: opener, description).map { event($0, message, page) }
        case "BYE" where status >= 200 && !answers.hasLeft(message, opener: opener): goodbye(status, message, &page)
        default: break
        }
    }

    /// A response to the INVITE that sets up the call.
    private mutating func setup(
        _ status: Int, _ message: SIPMessage, _ reach: SIPBranches.Reach, _ page: inout Page
    ) {
        if initialSequence == nil { initialSequence = message.sequence }
        if status >= 300 {
            let refusal = Refusal(status, message, page)
            if reach == .call { refuse(refusal, into: &page.before) } else { withhold(refusal, into: &page.before) }
            return
        }
        page.before.append(event((200...299).contains(status) ? "200" : String(status), message, page))
        guard status >= 200 else { return }
        answers.note(message, opener: .caller, at: page.time)
        switch phase {
        case .setup, .challenged: phase = .answered
        case .answered, .leaving, .ended: break
        }
        refusals = []
    }

    /// A response to an INVITE within the call; only the final one says something.
    private mutating func change(_ status: Int, _ message: SIPMessage, _ page: inout Page) {
        if status >= 200 { page.before.append(event("reINVITE \(status)", message, page)) }
    }

    private mutating func goodbye(_ status: Int, _ message: SIPMessage, _ page: inout Page) {
        page.before.append(event("BYE \(status)", message, page))
        var ending = (by: page.sender.other, since: page.time)
        switch phase {
        case .ended: return
        case .leaving(let by, let since): ending = (by, since)
        case .setup, .answered, .challenged: break  // the BYE itself was not seen
        }
        if status == 401 || status == 407 {
            phase = .answered
        } else {
            end(at: ending.since, .bye(by: ending.by), &page.after)
        }
    }

    // MARK: Notices

    /// Tells of a description that this end has not sent from this address before.
    private mutating func note(
        _ description: SessionDescription?, of message: SIPMessage, by sender: CallEnd, _ flow: Flow,
        _ time: ArrivalTime, _ notices: inout [SIPNotice]
    ) {
        guard let description, !description.media.isEmpty else { return }
        var digest = Digest()
        digest.add(message.body)
        digest.add(sender == .caller ? 0 : 1)
        digest.add(flow.source)
        guard !descriptionsSeen.contains(digest.value) else { return }
        if descriptionsSeen.count >= Self.maximumDescriptions { descriptionsSeen.removeFirst() }
        descriptionsSeen.append(digest.value)
        notices.append(.media(call: ref, end: sender, description, signalling: flow, at: time))
    }

    mutating func event(
        _ type: String, _ message: SIPMessage, _ page: Page, end: CallEnd? = nil, more: JSONObject = [:]
    ) -> SIPNotice {
        var members = message.eventMembers
        for (name, value) in more { members[name] = value }
        return event(type, members, of: end ?? page.sender, at: page.time)
    }

    mutating func event(_ type: String, _ members: JSONObject, of end: CallEnd, at time: ArrivalTime) -> SIPNotice {
        eventCount += 1
        var members = members
        members["end"] = .string(end.rawValue)
        let time = Timestamp(milliseconds: time.nanoseconds.flooredMilliseconds)
        return .event(
            call: ref,
            CallEvent(
                time: time, receivedAt: time, action: "sip", type: type, sequence: eventCount, members: members))
    }
}

extension Int64 {
    /// Of nanoseconds the whole milliseconds, downwards also before 1970.
    fileprivate var flooredMilliseconds: Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
