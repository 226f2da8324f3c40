import CallModel
import RTPMeter

// MARK: - What both ends agree on

extension SIPDialog {
    /// What is told of a change that both ends have agreed on.
    mutating func event(_ change: OfferAnswer.Change, _ message: SIPMessage, _ page: Page) -> SIPNotice {
        switch change {
        case .hold(let end): event("HOLD", message, page, end: end)
        case .resume(let end): event("RESUME", message, page, end: end)
        case .fax(let isActive): event("T38", message, page, more: ["isActive": .bool(isActive)])
        case .direction(let end, let isOpen):
            event("DIRECTION", message, page, end: end, more: ["receives": .bool(isOpen)])
        case .move(let end, let old, let new): .moved(call: ref, end: end, from: old, to: new)
        }
    }

    /// What an ACK says of an answer that was not seen. That of a branch of the INVITE is the ACK of a refusal.
    mutating func unseenAgreement(_ message: SIPMessage, by sender: CallEnd) -> [OfferAnswer.Change] {
        branches.knows(message) ? [] : agreement.acknowledgeUnseenAnswer(message, by: sender)
    }

    /// Sound tells that a hold was over by then, of which no agreement was seen.
    mutating func endHold(at time: ArrivalTime) -> [SIPNotice] {
        agreement.endHold().map { event("RESUME", ["isFromMedia": .bool(true)], of: $0, at: time) }
    }
}
