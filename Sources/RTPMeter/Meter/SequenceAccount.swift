/// What came of the numbers of a stream up to one of them, to hold against what its receiver says of the same numbers
/// ([RFC 3550, section 6.4.1](https://www.rfc-editor.org/rfc/rfc3550#section-6.4.1)).
public struct SequenceAccount: Hashable, Sendable {
    /// Distinct numbers received.
    public var received: Int
    /// Numbers that are missing between them, those of forgiven gaps left out.
    public var lost: Int
    /// Packets with a number already seen, by now.
    public var duplicates: Int
    /// Runs of numbers that were counted together; see ``RTPStreamFigures/segments``.
    public var segments: Int
    /// Numbers missing in gaps that were forgiven.
    public var forgiven: Int
}

extension RTPStreamMeter {
    /// What came up to a number.
    /// - Returns: Nil for a number that is not among the latest 128 of its run.
    public func account(upTo number: UInt16) -> SequenceAccount? {
        let back = Int64(UInt16(truncatingIfNeeded: sequence.highest) &- number)
        guard back < SequenceTracker.window, UInt64(back) < sequence.expected else { return nil }
        let later = (sequence.seen & ((1 << UInt128(back)) - 1)).nonzeroBitCount
        let received = Int(clamping: sequence.unique) - later
        return SequenceAccount(
            received: received, lost: Int(clamping: expectedPackets) - Int(back) - received,
            duplicates: Int(duplicates), segments: Int(segments), forgiven: forgivenPackets)
    }
}
