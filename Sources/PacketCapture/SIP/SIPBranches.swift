import RTPMeter

/// The transactions of the INVITE that sets up a call: one on each hop, and one for each target of a proxy that forks,
/// hunts or fails over ([RFC 3261 §16.6, §16.7](https://www.rfc-editor.org/rfc/rfc3261#section-16.7)).
///
/// A refusal, or a CANCEL, is about one of them; it is the call's where no other is left that may still be answered.
struct SIPBranches: Sendable {
    /// What a message says something of.
    enum Reach: Hashable, Sendable {
        case call
        case branch
    }

    private enum State: Hashable, Sendable {
        case pending, cancelled, refused, answered
    }

    private struct Branch: Sendable {
        /// Digest of the branch parameter of the topmost Via field.
        var id: UInt64
        var source: Endpoint
        var destination: Endpoint
        var state = State.pending

        var isOpen: Bool { state == .pending || state == .cancelled }
    }

    private var sequence: UInt32?
    private var branches: [Branch] = []

    /// More are not told apart.
    private static let maximumBranches = 32

    /// Notes an INVITE outside a dialog; another number than before begins anew.
    mutating func open(_ message: SIPMessage, flow: Flow) {
        if sequence != message.sequence {
            sequence = message.sequence
            branches = []
        }
        guard place(of: message) == nil, branches.count < Self.maximumBranches else { return }
        branches.append(
            Branch(id: Self.id(of: message), source: flow.source, destination: flow.destination))
    }

    /// Notes a 2xx.
    mutating func answer(_ message: SIPMessage) {
        if let place = place(of: message) { branches[place].state = .answered }
    }

    /// Notes a final response of 300 or more.
    mutating func refuse(_ message: SIPMessage) -> Reach {
        guard message.sequence == sequence else { return .call }
        guard let place = place(of: message) else { return branches.count > 1 ? .branch : .call }
        branches[place].state = .refused
        return reach(of: place) { $0.isOpen }
    }

    /// Notes a CANCEL, which has the branch of what it cancels
    /// ([RFC 3261 §9.1](https://www.rfc-editor.org/rfc/rfc3261#section-9.1)).
    mutating func cancel(_ message: SIPMessage) -> Reach {
        guard let place = place(of: message) else { return .call }
        if branches[place].state == .pending { branches[place].state = .cancelled }
        return reach(of: place) { $0.state == .pending }
    }

    private func reach(of place: Int, while isLeft: (Branch) -> Bool) -> Reach {
        for other in branches.indices where other != place {
            if branches[other].state == .answered { return .branch }
            if isLeft(branches[other]), !isUpstream(place, of: other) { return .branch }
        }
        return .call
    }

    /// Whether a message has the branch of an INVITE that was seen.
    func knows(_ message: SIPMessage) -> Bool { place(of: message) != nil }

    /// Whether a message has the branch of an INVITE that was refused.
    func isRefused(_ message: SIPMessage) -> Bool {
        place(of: message).map { branches[$0].state == .refused } ?? false
    }

    /// Whether an INVITE goes to another target by the hand of who has sent one before: so do proxies that hunt, and
    /// clients that fail over ([RFC 3263 §4.3](https://www.rfc-editor.org/rfc/rfc3263#section-4.3)).
    func isNextTarget(_ message: SIPMessage, flow: Flow) -> Bool {
        message.sequence == sequence && !knows(message)
            && branches.contains { $0.source.address == flow.source.address }
    }

    /// Whether nothing is left but to pass a refusal on: all that is open has been refused further down.
    var isRefusedDownstream: Bool {
        branches.indices.allSatisfy { open in
            !branches[open].isOpen
                || branches.indices.contains { branches[$0].state == .refused && isUpstream(open, of: $0) }
        }
    }

    /// Whether a transaction came first, and the other one is what its receiver made of it. Of proxies with several
    /// addresses that is only known of the first hop that was seen.
    private func isUpstream(_ place: Int, of other: Int) -> Bool {
        let (up, down) = (branches[place], branches[other])
        guard place < other, up.source != down.source else { return false }
        return up.destination.address == down.source.address || place == 0 && up.source.address != down.source.address
    }

    private func place(of message: SIPMessage) -> Int? {
        guard message.sequence == sequence else { return nil }
        let id = Self.id(of: message)
        return branches.firstIndex { $0.id == id }
    }

    private static func id(of message: SIPMessage) -> UInt64 {
        var digest = Digest()
        digest.add(message.topBranch)
        return digest.value
    }
}
