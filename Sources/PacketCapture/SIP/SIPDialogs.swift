import CallModel
import RTPMeter

/// Follows the calls of a capture through their SIP messages
/// ([RFC 3261](https://www.rfc-editor.org/rfc/rfc3261)), one state per Call-ID.
///
/// Events have the action `sip` and these types, each told once, however often the message is repeated and on however
/// many hops it is seen:
///
/// | type | meaning |
/// |---|---|
/// | `INVITE` | the call is asked for; again, with the member `isRetry`, after a challenge or redirection |
/// | `100`, `180`, `183`, … | a provisional response to it, once per callee of a forked call |
/// | `200` | it was answered (any 2xx) |
/// | `407`, `486`, … | it was refused; the call ends with it unless the caller asks again |
/// | `ACK` | the answer was acknowledged |
/// | `ACK MISSING` | the answer was sent again four times, and not acknowledged |
/// | `CANCEL` | the caller gives up |
/// | `INVITE TIMEOUT` | the INVITE was sent again and again, and nobody responded; the call ends with it |
/// | `INVITE REFUSED` | the caller did not ask again after a challenge or redirection; the call ends with it |
/// | `reINVITE`, `reINVITE 200`, … | the session is asked to be changed, and the final response |
/// | `UPDATE` | likewise, before the answer or without ringing |
/// | `HOLD`, `RESUME` | an end (member `end`) stops or starts wanting to receive, at the time of the agreement; or sound that comes again tells so (member `isFromMedia`), and since when |
/// | `DIRECTION` | both ends agree that nothing is to come to an end (member `end`; `receives` false), or again something |
/// | `T38` | both ends have changed to fax (member `isActive` true) or back |
/// | `DIGIT` | an end dials a digit by INFO, which is not told |
/// | `BYE`, `BYE 200`, … | an end hangs up, and the response |
///
/// Members: `method`, `end` (`caller`, `callee`), and where the message has them `statusCode`, `reason` (of a response its
/// phrase), `releaseReason` (of a response its Reason field; of a 487 that of the CANCEL), `userAgent`, `userToUser`,
/// `aliases` ("Header: value"), `unreadDescription` (``SIPMessage/DescriptionFault``). `sequence` counts the events of the
/// call from 1.
///
/// Memory is bounded: so many calls are followed; of more, those that were silent longest are forgotten.
struct SIPDialogs: Sendable {
    /// Places in ``dialogs`` by Call-ID.
    private var places: [String: Int] = [:]
    /// The states themselves are large, and changed where they are. Those forgotten are blank until used again.
    private var dialogs: [SIPDialog] = []
    private var blankPlaces: [Int] = []
    private var relations = CallRelations()
    private let maximumDialogs: Int
    private var nextNumber = 1
    private var lastSweep: ArrivalTime?

    private static let sweepNanoseconds: Int64 = 4_000_000_000
    /// The methods whose messages can be the first that is seen of a call.
    private static let callMethods: Set<String> = ["INVITE", "ACK", "BYE", "CANCEL", "PRACK", "UPDATE"]

    /// - Parameter maximumDialogs: Calls that are followed at once.
    init(maximumDialogs: Int = 100_000) {
        self.maximumDialogs = max(1, maximumDialogs)
    }

    /// The number of calls being followed, ended ones included until they are forgotten.
    var count: Int { places.count }

    /// What was counted of a call's messages; `nil` when it is forgotten.
    func counters(of call: CallRef) -> SIPCallCounters? {
        place(of: call).map { dialogs[$0].counters }
    }

    /// The end of a call whose messages pass where the capture does not see them; `nil` when there is none, or the call is
    /// forgotten.
    func unseenEnd(of call: CallRef) -> CallEnd? {
        place(of: call).flatMap { dialogs[$0].unseenEnd }
    }

    /// Whether the answer to a BYE may still come and be seen. A BYE that was lost goes again and again, for 32 s at most.
    func awaitsGoodbye(_ call: CallRef) -> Bool { place(of: call).map { dialogs[$0].awaitsGoodbye } ?? false }

    /// Whether nothing of a kind is to come to an end of a call by what was agreed last.
    func isStill(_ kind: MediaKind, to end: CallEnd, of call: CallRef) -> Bool {
        place(of: call).map { dialogs[$0].agreement.isStill(kind, to: end) } ?? false
    }

    /// Ends a hold of a call of whose end only sound tells.
    mutating func endHold(of call: CallRef, at time: ArrivalTime) -> [SIPNotice] {
        place(of: call).map { dialogs[$0].endHold(at: time) } ?? []
    }

    /// Notes when media of a call flowed last: one whose media flow goes on without a message.
    mutating func noteMedia(of call: CallRef, at time: ArrivalTime) {
        if let place = place(of: call) { dialogs[place].noteMedia(at: time) }
    }

    private func place(of call: CallRef) -> Int? {
        guard let place = places[call.callID], dialogs[place].ref == call else { return nil }
        return place
    }

    /// Takes a message.
    /// - Parameters:
    ///   - message: The message.
    ///   - flow: Where it came from and went to.
    ///   - time: When it was seen.
    /// - Returns: What it says, and what the time that has passed says about other calls.
    mutating func take(_ message: SIPMessage, flow: Flow, at time: ArrivalTime) -> [SIPNotice] {
        var notices = sweep(at: time)
        guard let place = place(of: message, flow: flow, at: time, into: &notices) else { return notices }
        var message = message
        let description = message.readDescription()
        dialogs[place].take(message, description, flow: flow, at: time, into: &notices)
        relate(message, message.isFragment ? nil : description, flow, place, into: &notices)
        return notices
    }

    /// Lets time pass without a message: ends and forgets the calls that have been silent for too long.
    mutating func expire(at time: ArrivalTime) -> [SIPNotice] {
        lastSweep = nil
        return sweep(at: time)
    }

    /// Says what is known now that no message will follow. Calls that are up stay so.
    mutating func finish() -> [SIPNotice] {
        var notices: [SIPNotice] = []
        for place in places.values { dialogs[place].finish(into: &notices) }
        return notices.sorted { $0.call.number < $1.call.number }
    }

    // MARK: Opening and forgetting

    /// Finds the call of a message, or opens it.
    /// - Returns: Its place; `nil` when the message is about no call that is known.
    private mutating func place(
        of message: SIPMessage, flow: Flow, at time: ArrivalTime, into notices: inout [SIPNotice]
    ) -> Int? {
        var attempt = 1
        if let known = places[message.callID] {
            dialogs[known].conclude(before: message, into: &notices)
            guard dialogs[known].isNextAttempt(message, flow: flow) else { return known }
            attempt = dialogs[known].ref.attempt + 1
            forget(message.callID, into: &notices)
        }
        guard Self.callMethods.contains(message.method) else { return nil }
        makeRoom(into: &notices)
        let ref = CallRef(number: nextNumber, callID: message.callID, attempt: attempt)
        nextNumber += 1
        let place = insert(SIPDialog(ref, first: message, at: time))
        places[message.callID] = place
        notices.append(.started(call: ref, at: time, isComplete: message.isInitialInvite))
        return place
    }

    private mutating func insert(_ dialog: SIPDialog) -> Int {
        guard let place = blankPlaces.popLast() else {
            dialogs.append(dialog)
            return dialogs.count - 1
        }
        dialogs[place] = dialog
        return place
    }

    private mutating func relate(
        _ message: SIPMessage, _ description: SessionDescription?, _ flow: Flow, _ place: Int,
        into notices: inout [SIPNotice]
    ) {
        guard !dialogs[place].isEnded else {
            relations.forget(&dialogs[place].relationKeys) { if case .media = $0 { false } else { true } }
            return
        }
        let ref = dialogs[place].ref
        let keys = CallRelations.keys(of: message, description, own: dialogs[place].relationKeys)
        guard !keys.isEmpty else { return }
        let shared = relations.note(
            ref, sender: dialogs[place].latestSender, keys: &dialogs[place].relationKeys, found: keys)
        for item in shared where !dialogs[place].isRelated(to: item.other) {
            guard item.relation != .media || isPassedOn(item, over: flow, place) else {
                relations.discard(item.key)
                continue
            }
            guard dialogs[place].noteRelation(to: item.other) else { continue }
            notices.append(.related(call: ref, other: item.other, by: item.relation))
        }
    }

    /// Whether a description goes on from the earlier call to the one at `place`; or the other way, where the earlier one was
    /// captured late.
    private func isPassedOn(_ description: CallRelations.Shared, over flow: Flow, _ place: Int) -> Bool {
        guard let other = self.place(of: description.other).map({ dialogs[$0].hops }) else { return false }
        let (hops, sender) = (dialogs[place].hops, dialogs[place].latestSender)
        return other.arePassedOn(description.sender, over: flow)
            || other.flows(from: description.sender).contains { hops.arePassedOn(sender, over: $0) }
    }

    private mutating func forget(_ callID: String, into notices: inout [SIPNotice]) {
        guard let place = places.removeValue(forKey: callID) else { return }
        relations.forget(&dialogs[place].relationKeys)
        notices.append(.forgotten(call: dialogs[place].ref))
        dialogs[place] = .blank
        blankPlaces.append(place)
    }

    /// Forgets the calls that were silent longest, a sixteenth at a time, so that a flood of calls costs little each.
    private mutating func makeRoom(into notices: inout [SIPNotice]) {
        guard places.count >= maximumDialogs else { return }
        let silent = places.map { callID, place in
            (activity: dialogs[place].lastActivity, number: dialogs[place].ref.number, callID: callID)
        }.sorted { ($0.activity, $0.number) < ($1.activity, $1.number) }
        for dialog in silent.prefix(1 + maximumDialogs / 16) { forget(dialog.callID, into: &notices) }
    }

    /// Looks through all calls for those that have been silent for too long; now and then, as time passes.
    private mutating func sweep(at time: ArrivalTime) -> [SIPNotice] {
        if let lastSweep, abs(time.seconds(since: lastSweep)) < Double(Self.sweepNanoseconds) * 1e-9 { return [] }
        lastSweep = time
        var notices: [SIPNotice] = []
        var forgettable: [(number: Int, callID: String)] = []
        for place in places.values {
            dialogs[place].expire(at: time, into: &notices)
            if dialogs[place].isForgettable(at: time) {
                forgettable.append((dialogs[place].ref.number, dialogs[place].ref.callID))
            }
        }
        notices.sort { $0.call.number < $1.call.number }  // a dictionary has no order, a report must have one
        for dialog in forgettable.sorted(by: { $0.number < $1.number }) { forget(dialog.callID, into: &notices) }
        return notices
    }
}
