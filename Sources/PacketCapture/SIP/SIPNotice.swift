import CallModel
import RTPMeter

/// One attempt of a call as ``SIPDialogs`` knows it.
struct CallRef: Sendable {
    /// Counts the attempts that one ``SIPDialogs`` has seen; tells them apart.
    var number: Int
    /// The Call-ID.
    var callID: String
    /// 1 for the first use of the Call-ID; an INVITE after the end opens the next.
    var attempt: Int
}

extension CallRef: Hashable {
    static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A side of a call. The caller is who sent the first INVITE; of a call that was joined midway, who sent the first
/// request that was seen or is answered by the first response.
enum CallEnd: String, Hashable, Sendable, CaseIterable {
    case caller, callee

    /// The other side.
    var other: CallEnd { self == .caller ? .callee : .caller }
}

/// How a call ended, as far as signalling tells.
enum SIPEnding: Hashable, Sendable {
    /// One side hung up.
    case bye(by: CallEnd)
    /// The caller gave up before the answer; the status that closed the INVITE, when it was seen.
    case cancelled(status: Int?)
    /// The INVITE was refused with this status.
    case failed(status: Int)
    /// Nothing was heard of it for too long.
    case silent
}

/// What joins two calls of different Call-IDs, which then are legs of one.
enum SIPRelation: Hashable, Sendable {
    /// Both carry the same value in this header field, or one the other's Call-ID.
    case header(String)
    /// Both have the same From and To tags.
    case tags
    /// Both describe the same session at the same address and port.
    case media
    /// One takes the place of the other (`Replaces`, `Join`).
    case replacement
}

/// Something that a SIP message, or a silence, says about a call.
enum SIPNotice: Hashable, Sendable {
    /// A call is new. `isComplete` is false when its first INVITE was not seen.
    case started(call: CallRef, at: ArrivalTime, isComplete: Bool)
    /// Something happened; see ``SIPDialogs`` for the vocabulary.
    case event(call: CallRef, CallEvent)
    /// An end described its media, in a message that came over this flow. Once for each hop that says something else.
    case media(call: CallRef, end: CallEnd, SessionDescription, signalling: Flow, at: ArrivalTime)
    /// An end wants to receive at other places than it did, by an agreement of both.
    case moved(call: CallRef, end: CallEnd, from: Set<Endpoint>, to: Set<Endpoint>)
    /// The first call is a leg of the same conversation as the second one, which was seen before.
    case related(call: CallRef, other: CallRef, by: SIPRelation)
    /// The call is over, since `at`. Answers to its last messages may still follow.
    case ended(call: CallRef, at: ArrivalTime, SIPEnding)
    /// Nothing more will be said of the call.
    case forgotten(call: CallRef)

    /// The call it is about.
    var call: CallRef {
        switch self {
        case .started(let call, _, _), .event(let call, _), .media(let call, _, _, _, _), .related(let call, _, _),
            .moved(let call, _, _, _), .ended(let call, _, _), .forgotten(let call):
            call
        }
    }
}
