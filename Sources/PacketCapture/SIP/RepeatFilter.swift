import RTPMeter

/// Tells a call's new messages from those that were seen before: sent again, recorded twice, or passed on by a proxy.
///
/// A transaction is told by who opened it, its number and its method, which stay the same from hop to hop; the branch
/// of the topmost Via field and the addresses differ.
struct RepeatFilter: Sendable {
    enum Verdict: Hashable, Sendable {
        case new
        /// The same message as before, of or to another callee: the call was forked.
        case fork
        case retransmission
        /// So soon after the first that no sender did it.
        case copy
        case otherHop
    }

    private struct Entry {
        var key: UInt64
        var time: ArrivalTime
    }

    /// What a message is compared by, each more exact than the one before.
    private struct Keys {
        var anyHop: UInt64
        var anyHopSameCallee: UInt64
        var thisFlow: UInt64
        var thisFlowSameCallee: UInt64
    }

    /// Timer T1 is 500 ms ([RFC 3261 §17](https://www.rfc-editor.org/rfc/rfc3261#section-17)); nobody sends again
    /// sooner.
    private static let copyNanoseconds: Int64 = 100_000_000
    private static let maximumEntries = 96
    /// Room for the messages of a plain call.
    private static let usualEntries = 24

    private var entries: [Entry] = []

    /// Judges a message and remembers it.
    /// - Parameters:
    ///   - message: The message.
    ///   - opener: Who opened its transaction.
    ///   - context: What tells it from messages with the same number and method that are not the same; most have none.
    ///   - flow: Where it came from and went to.
    ///   - time: When it was seen.
    /// - Returns: What it is beside those seen before.
    mutating func judge(
        _ message: SIPMessage, opener: CallEnd, context: UInt64?, flow: Flow, at time: ArrivalTime
    ) -> Verdict {
        let keys = Self.keys(of: message, opener: opener, context: context, flow: flow)
        let hop = place(of: keys.anyHop)
        let callee = place(of: keys.anyHopSameCallee)
        let here = place(of: keys.thisFlow)
        let exact = place(of: keys.thisFlowSameCallee)
        let previous = exact.map { entries[$0].time }
        note(keys.thisFlowSameCallee, at: time, exact)
        note(keys.thisFlow, at: time, here)
        note(keys.anyHopSameCallee, at: time, callee)
        note(keys.anyHop, at: time, hop)
        if let previous {
            return time.nanoseconds(since: previous) < Self.copyNanoseconds ? .copy : .retransmission
        }
        if hop == nil { return .new }
        return here != nil && callee == nil ? .fork : .otherHop
    }

    private static func keys(
        of message: SIPMessage, opener: CallEnd, context: UInt64?, flow: Flow
    ) -> Keys {
        var digest = Digest()
        if let context { digest.add(context) }
        digest.add(opener == .caller ? 0 : 1)
        digest.add(UInt64(message.sequence))
        digest.add(message.method)
        digest.add(UInt64(message.status ?? 0))
        let anyHop = digest.value
        digest.add(message.toTag)
        digest.add(UInt64(message.reliableSequence ?? 0))
        let callee = digest.value
        return Keys(
            anyHop: anyHop, anyHopSameCallee: callee,
            // Without the branch: each dialog of a forked call has transactions of its own.
            thisFlow: flowKey(anyHop, nil, flow),
            thisFlowSameCallee: flowKey(callee, message.topBranch, flow))
    }

    private static func flowKey(_ key: UInt64, _ branch: String?, _ flow: Flow) -> UInt64 {
        var digest = Digest()
        digest.add(key)
        digest.add(branch)
        digest.add(flow.source)
        digest.add(flow.destination)
        return digest.value
    }

    private func place(of key: UInt64) -> Int? {
        entries.lastIndex { $0.key == key }
    }

    private mutating func note(_ key: UInt64, at time: ArrivalTime, _ place: Int?) {
        if let place, place < entries.count, entries[place].key == key {
            entries[place].time = time
            return
        }
        if entries.isEmpty { entries.reserveCapacity(Self.usualEntries) }
        if entries.count >= Self.maximumEntries { entries.removeFirst(Self.maximumEntries / 2) }
        entries.append(Entry(key: key, time: time))
    }
}
