import RTPMeter

/// The dialogs that 2xx responses to one INVITE have made: more than one where several callees of a forked call have
/// answered. The caller hangs up those that it does not want
/// ([RFC 3261 §13.2.2.4](https://www.rfc-editor.org/rfc/rfc3261#section-13.2.2.4)).
struct SIPAnswers: Sendable {
    private struct Dialog: Sendable {
        /// Digest of the caller's tag.
        var caller: UInt64
        /// Digest of both tags.
        var id: UInt64
        var hasLeft = false
    }

    private var dialogs: [Dialog] = []
    private var firstAt: ArrivalTime?

    /// Nobody waits longer for further answers: 64 · T1.
    private static let choiceNanoseconds: Int64 = 32_000_000_000
    /// More are not told apart.
    private static let maximumDialogs = 16

    /// Notes a 2xx.
    mutating func note(_ message: SIPMessage, opener: CallEnd, at time: ArrivalTime) {
        firstAt = firstAt ?? time
        note(Self.dialog(of: message, opener))
    }

    /// Notes a 2xx that was seen on another hop than the first: another target's, where it answers the same caller. Who
    /// passes a call on as one of its own may have other tags for both.
    mutating func noteOther(_ message: SIPMessage, opener: CallEnd) {
        let dialog = Self.dialog(of: message, opener)
        if dialogs.contains(where: { $0.caller == dialog.caller }) { note(dialog) }
    }

    private mutating func note(_ dialog: Dialog) {
        guard place(of: dialog) == nil, dialogs.count < Self.maximumDialogs else { return }
        dialogs.append(dialog)
    }

    /// What tells a message from the same one in another dialog of the call; `nil` where the call has no other.
    func dialog(of message: SIPMessage, opener: CallEnd) -> UInt64? {
        guard dialogs.count > 1 else { return nil }
        return place(of: Self.dialog(of: message, opener)).map { dialogs[$0].id }
    }

    /// Notes a BYE.
    /// - Returns: Whether it only takes back an answer that was not wanted, and another callee stays.
    mutating func leave(_ message: SIPMessage, opener: CallEnd, at time: ArrivalTime) -> Bool {
        guard dialogs.count > 1, let firstAt, time.nanoseconds(since: firstAt) < Self.choiceNanoseconds else {
            return false
        }
        let leaving = Self.dialog(of: message, opener)
        guard let place = place(of: leaving) else { return false }
        dialogs[place].hasLeft = true
        return dialogs.contains { $0.caller == leaving.caller && !$0.hasLeft }
    }

    /// Whether a message is of a dialog that was hung up while another one stayed.
    func hasLeft(_ message: SIPMessage, opener: CallEnd) -> Bool {
        guard dialogs.count > 1 else { return false }
        let left = Self.dialog(of: message, opener)
        return place(of: left).map { dialogs[$0].hasLeft } ?? false
            && dialogs.contains { $0.caller == left.caller && !$0.hasLeft }
    }

    private func place(of dialog: Dialog) -> Int? {
        dialogs.firstIndex { $0.id == dialog.id }
    }

    private static func dialog(of message: SIPMessage, _ opener: CallEnd) -> Dialog {
        let isCallers = opener == .caller
        var digest = Digest()
        digest.add(isCallers ? message.fromTag : message.toTag)
        let caller = digest.value
        digest.add(isCallers ? message.toTag : message.fromTag)
        return Dialog(caller: caller, id: digest.value)
    }
}
