/// The hops over which the descriptions of a call were seen, each from the caller to the callee.
///
/// A back-to-back user agent that passes a description on sends it after another host has sent it to it. A host that sends
/// the same one in two calls has but one: load generators and simple clients name the same session and port in each.
struct DescriptionHops: Sendable {
    private var first: Flow?
    private var others: [Flow] = []  // most calls have none

    /// So many hops are known.
    private static let maximum = 16

    /// Notes a hop over which an end's description was seen.
    mutating func note(_ flow: Flow, sender: CallEnd) {
        let hop = sender == .caller ? flow : flow.reversed
        guard let first else { return first = hop }
        if hop != first, others.count < Self.maximum - 1, !others.contains(hop) { others.append(hop) }
    }

    /// The flows over which an end's description was sent, if it was.
    func flows(from end: CallEnd) -> [Flow] {
        ([first].compactMap(\.self) + others).map { end == .caller ? $0 : $0.reversed }
    }

    /// A host of several addresses sends from another one than it receives at; then the calls have no address in common.
    /// - Parameters:
    ///   - end: Whose description it is in this call.
    ///   - hop: From where to where it is sent in another call.
    /// - Returns: Whether who sends it there has it from this call: it was sent it and has not sent it itself.
    func arePassedOn(_ end: CallEnd, over hop: Flow) -> Bool {
        let hops = flows(from: end)
        if hops.contains(where: { $0.destination == hop.source }) { return !hops.contains { $0.source == hop.source } }
        let (senders, receivers) = (hops.map(\.source.address), hops.map(\.destination.address))
        guard !senders.contains(hop.source.address) else { return false }
        return receivers.contains(hop.source.address)
            || !receivers.contains(hop.destination.address) && !senders.contains(hop.destination.address)
    }
}
