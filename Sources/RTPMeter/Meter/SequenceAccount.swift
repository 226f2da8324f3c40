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
    /// So many numbers may be on their way while a report is.
    private static let accountable = 128

    /// What came up to a number.
    /// - Returns: Nil for a number that is not among the latest 128 of its run, or behind which a gap lies.
    public func account(upTo number: UInt16) -> SequenceAccount? {
        let back = Int(UInt16(truncatingIfNeeded: sequence.highest) &- number)
        guard back < Self.accountable, UInt64(back) < sequence.expected else { return nil }
        var received = Int(clamping: sequence.unique)
        var run = 0
        for place in 0..<back {
            let isMissing = sequence.isMissing(back: place)
            run = isMissing ? run + 1 : 0
            received -= isMissing ? 0 : 1
            guard run <= Int(GapLedger.leastJump) else { return nil }
        }
        return SequenceAccount(
            received: received, lost: Int(clamping: expectedPackets) - back - received,
            lostInGaps: Int(gaps.lossPackets), duplicates: Int(sequence.duplicates), segments: Int(segments),
            forgiven: forgivenPackets)
    }
}
