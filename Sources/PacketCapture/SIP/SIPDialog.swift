import CallModel
import RTPMeter

/// What is known of one attempt of a call, and what its next message says.
struct SIPDialog: Sendable {
    private enum Phase: Hashable, Sendable {
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
    private(set) var lastActivity: ArrivalTime
    var relationKeys: [CallRelations.Key] = []

    private var phase = Phase.setup
    private var repeats = RepeatFilter()
    private var agreement = OfferAnswer()
    /// The tags of the caller: one, unless it asked again with another or a leg shares the Call-ID.
    private var callerTags: [String?]
    private var initialSequence: UInt32?
    private var initialBranch: String?
    private var hasAcknowledgement = false
    private var wasCancelled = false
    private var eventCount: Int64 = 0
    private var descriptionsSeen: [UInt64] = []
    private var related: [Int] = []

    private static let maximumDescriptions = 64
    private static let maximumRelations = 16

    /// Begins with the first message seen.
    init(_ ref: CallRef, first message: SIPMessage, at time: ArrivalTime) {
        self.ref = ref
        lastActivity = time
        callerTags = [message.fromTag]
    }

    /// What takes the place of a call that is forgotten.
    static let blank = SIPDialog()

    private init() {
        ref = CallRef(number: 0, callID: "", attempt: 0)
        lastActivity = ArrivalTime(nanoseconds: 0)
        callerTags = []
    }

    /// Whether the call is over.
    var isEnded: Bool {
        if case .ended = phase { return true }
        return false
    }

    /// Whether a message opens the next attempt under the same Call-ID: an INVITE outside the dialog that is over.
    func isNextAttempt(_ message: SIPMessage) -> Bool {
        guard isEnded, message.kind == .request(method: "INVITE"), message.toTag == nil else { return false }
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
        switch repeats.judge(message, opener: opener, flow: flow, at: time) {
        case .retransmission: counters.retransmissions += 1
        case .copy: counters.copies += 1
        case .otherHop:
            counters.otherHops += 1
            note(description, of: message, by: sender, flow, time, &notices)
        case .new, .fork:
            if message.carriesDigits { counters.digits += 1 }
            var page = Page(sender: sender, time: time, before: notices)
            notices = []  // so that the page's are the only ones, and need no copy to be added to
            if message.isRequest {
                request(message, description, &page)
            } else {
                response(message, description, opener, &page)
            }
            swap(&notices, &page.before)
            note(description, of: message, by: sender, flow, time, &notices)
            if !page.after.isEmpty { notices += page.after }
        }
    }

    /// Who sent the request of the message's transaction. Whoever sends an INVITE outside a dialog is a caller.
    private mutating func opener(of message: SIPMessage) -> CallEnd {
        if callerTags.contains(message.fromTag) { return .caller }
        guard message.kind == .request(method: "INVITE"), message.toTag == nil, callerTags.count < 4 else {
            return .callee
        }
        callerTags.append(message.fromTag)
        return .caller
    }

    /// Notes that another call is a leg of this one.
    /// - Returns: Whether that is news.
    mutating func noteRelation(to other: CallRef) -> Bool {
        guard !related.contains(other.number), related.count < Self.maximumRelations else { return false }
        related.append(other.number)
        return true
    }

    /// Notes that a message holds a description that cannot be read.
    mutating func noteUnreadableDescription() {
        counters.unreadableDescriptions += 1
    }

    /// One message on its way through the dialog, and what it says.
    private struct Page {
        let sender: CallEnd
        let time: ArrivalTime
        /// Notices before the message's description.
        var before: [SIPNotice]
        /// Notices after it.
        var after: [SIPNotice] = []
    }

    // MARK: Requests

    private mutating func request(
        _ message: SIPMessage, _ description: SessionDescription?, _ page: inout Page
    ) {
        if message.carriesDigits { page.before.append(event("DIGIT", message, page)) }
        switch message.method {
        case "INVITE": invite(message, description, &page)
        case "ACK": acknowledgement(message, &page)
        case "CANCEL":
            wasCancelled = true
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
        initialBranch = message.topBranch
        if case .challenged = phase { phase = .setup }
        page.before.append(event("INVITE", message, page, more: isRetry ? ["isRetry": true] : [:]))
    }

    /// The ACK of a 2xx is a transaction of its own; that of any other response belongs to the INVITE, branch and all
    /// ([RFC 3261 §17.1.1.3](https://www.rfc-editor.org/rfc/rfc3261#section-17.1.1.3)), and says nothing new.
    private mutating func acknowledgement(_ message: SIPMessage, _ page: inout Page) {
        guard !hasAcknowledgement, !wasCancelled, initialSequence.map({ $0 == message.sequence }) ?? true else {
            return
        }
        switch phase {
        case .answered: break
        case .setup where initialBranch != message.topBranch || initialSequence == nil: phase = .answered
        default: return
        }
        hasAcknowledgement = true
        page.before.append(event("ACK", message, page))
    }

    private mutating func bye(_ message: SIPMessage, _ page: inout Page) {
        page.before.append(event("BYE", message, page))
        switch phase {
        case .setup, .answered, .challenged: phase = .leaving(by: page.sender, since: page.time)
        case .leaving, .ended: break
        }
    }

    // MARK: Responses

    private mutating func response(
        _ message: SIPMessage, _ description: SessionDescription?, _ opener: CallEnd, _ page: inout Page
    ) {
        guard let status = message.status else { return }
        switch message.method {
        case "INVITE":
            // The second answer of a forked call finds its transaction closed.
            let isFork = opener == .caller && message.sequence == initialSequence
            let isInitial = agreement.isInitial(message, opener: opener) ?? (isFork || phase == .setup)
            let changes = agreement.answer(message, opener: opener, description)
            if isInitial { setup(status, message, &page) } else { change(status, message, &page) }
            page.after += changes.map { event($0, message, page) }
        case "UPDATE":
            page.after += agreement.answer(message, opener: opener, description).map { event($0, message, page) }
        case "BYE" where status >= 200: goodbye(status, message, &page)
        default: break
        }
    }

    /// A response to the INVITE that sets up the call.
    private mutating func setup(_ status: Int, _ message: SIPMessage, _ page: inout Page) {
        if initialSequence == nil { initialSequence = message.sequence }
        page.before.append(event((200...299).contains(status) ? "200" : String(status), message, page))
        guard status >= 200, phase != .answered, !isEnded else { return }
        if status < 300 {
            if case .leaving = phase { return }
            phase = .answered
        } else if Self.mayBeMended(status) {
            phase = .challenged(status: status, at: page.time)
        } else {
            end(at: page.time, wasCancelled ? .cancelled(status: status) : .failed(status: status), &page.after)
        }
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

    /// Responses after which callers ask again by themselves: for credentials, at another address, with other
    /// extensions, with a longer interval, or after a collision.
    private static func mayBeMended(_ status: Int) -> Bool {
        (300...399).contains(status) || [401, 407, 420, 421, 422, 491, 494].contains(status)
    }

    // MARK: Time

    /// Ends the call when it has been silent for too long.
    mutating func expire(at time: ArrivalTime, into notices: inout [SIPNotice]) {
        guard !isEnded else { return }
        defer { if isEnded { lastActivity = max(lastActivity, time) } }  // it is forgotten a while after it was told
        switch phase {
        case .setup where wasCancelled && isSilent(time, since: lastActivity, Patience.cancelled):
            end(at: lastActivity, .cancelled(status: nil), &notices)
        case .setup where isSilent(time, since: lastActivity, Patience.ringing):
            end(at: lastActivity, .silent, &notices)
        case .challenged(let status, let since) where isSilent(time, since: since, Patience.challenged):
            end(at: since, .failed(status: status), &notices)
        case .answered where isSilent(time, since: lastActivity, Patience.answered):
            end(at: lastActivity, .silent, &notices)
        case .leaving(let by, let since) where isSilent(time, since: since, Patience.leaving):
            end(at: since, .bye(by: by), &notices)
        default: break
        }
    }

    /// Ends a call of which nothing more can come but the end: the capture is over.
    mutating func finish(into notices: inout [SIPNotice]) {
        switch phase {
        case .challenged(let status, let since): end(at: since, .failed(status: status), &notices)
        case .leaving(let by, let since): end(at: since, .bye(by: by), &notices)
        case .setup where wasCancelled: end(at: lastActivity, .cancelled(status: nil), &notices)
        default: break
        }
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
        /// Timer C is more than three minutes, and every provisional response sets it anew.
        static let ringing: Int64 = 300
        /// People type passwords.
        static let challenged: Int64 = 64
        static let leaving: Int64 = 32
        static let answered: Int64 = 12 * 3600
        static let ended: Int64 = 64
    }

    private mutating func end(at time: ArrivalTime, _ ending: SIPEnding, _ notices: inout [SIPNotice]) {
        phase = .ended(at: time)
        notices.append(.ended(call: ref, at: time, ending))
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

    private mutating func event(_ change: OfferAnswer.Change, _ message: SIPMessage, _ page: Page) -> SIPNotice {
        switch change {
        case .hold(let end): event("HOLD", message, page, end: end)
        case .resume(let end): event("RESUME", message, page, end: end)
        case .fax(let isActive): event("T38", message, page, more: ["isActive": .bool(isActive)])
        }
    }

    private mutating func event(
        _ type: String, _ message: SIPMessage, _ page: Page, end: CallEnd? = nil, more: JSONObject = [:]
    ) -> SIPNotice {
        eventCount += 1
        var members = message.eventMembers
        for (name, value) in more { members[name] = value }
        members["end"] = .string((end ?? page.sender).rawValue)
        let time = Timestamp(milliseconds: page.time.nanoseconds.flooredMilliseconds)
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
