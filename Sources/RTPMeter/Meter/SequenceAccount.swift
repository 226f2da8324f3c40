/// What came of the numbers of a stream up to one of them, to hold against what its receiver says of the same numbers
/// ([RFC 3550, section 6.4.1](https://www.rfc-editor.org/rfc/rfc3550#section-6.4.1)).
public struct SequenceAccount: Hashable, Sendable {
    /// Distinct numbers received.
    public var received: Int
    /// Numbers that are missing between them, those of forgiven gaps left out.
    public var lost: Int
    /// Of those, the ones in runs of at least 0.4 s, of which some receivers count none as lost: their numbers began anew.
    public var lostInGaps: Int
    /// Packets with a number already seen, by now.
    public var duplicates: Int
    /// Runs of numbers that were counted together; see ``RTPStreamFigures/segments``.
    public var segments: Int
    /// Numbers missing in gaps that were forgiven.
    public var forgiven: Int
}

extension RTPStreamMeter {
    /// What came up to a number.
    /// - Returns: Nil for a number that is not among the latest 128 of its run, or behind which a gap lies.
    public func account(upTo number: UInt16) -> SequenceAccount? {
        let back = Int64(UInt16(truncatingIfNeeded: sequence.highest) &- number)
        guard back < SequenceTracker.window, UInt64(back) < sequence.expected else { return nil }
        let later: UInt128 = (1 << UInt128(back)) - 1
        var run = ~sequence.seen & later
        let received = Int(clamping: sequence.unique) - (sequence.seen & later).nonzeroBitCount
        for _ in 0..<GapLedger.leastJump { run &= run >> 1 }
        guard run == 0 else { return nil }
        return SequenceAccount(
            received: received, lost: Int(clamping: expectedPackets) - Int(back) - received,
            lostInGaps: Int(gaps.lossPackets), duplicates: Int(duplicates), segments: Int(segments),
            forgiven: forgivenPackets)
    }
}
