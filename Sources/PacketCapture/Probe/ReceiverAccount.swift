import RTPMeter

/// Holds what a receiver says that it lacks of a stream against what the capture lacks of the same numbers: what it lacks
/// beyond that was lost behind the probe, and what it has beyond that passed the probe unseen.
struct ReceiverAccount {
    private var last: Entry?
    /// What the receiver came to lack since its first report, less what the capture did.
    private var lacking = 0
    /// What the capture came to lack meanwhile and the receiver has, at least.
    private var unseen = 0

    private struct Entry {
        let receiver: UInt32
        let lost: Int
        let passed: SequenceAccount
    }

    /// So many may come late between two reports; a count that falls by more has begun anew.
    private static let mostLate = 10

    /// Takes a receiver's report.
    mutating func take(_ block: ReportBlock, by receiver: UInt32, of meter: RTPStreamMeter) {
        guard let passed = meter.account(upTo: UInt16(truncatingIfNeeded: block.highestSequence)) else { return }
        let entry = Entry(receiver: receiver, lost: Int(block.cumulativeLost), passed: passed)
        if let last { compare(last, entry) }
        last = entry
    }

    /// Adds what happened from one report to a later one, where they go on from each other: not where the receiver is
    /// another or began anew, the numbers did, or a gap does not count as lost here.
    private mutating func compare(_ earlier: Entry, _ later: Entry) {
        let (before, after) = (earlier.passed, later.passed)
        guard earlier.receiver == later.receiver, before.segments == after.segments,
            before.forgiven == after.forgiven, later.lost >= earlier.lost - Self.mostLate
        else { return }
        let difference = later.lost - earlier.lost - (after.lost - before.lost)
        // Of what did not pass nothing can be lost behind the probe.
        guard difference <= max(0, after.received - before.received) else { return }
        lacking += difference
        // A receiver counts each copy as a packet that is not lost (RFC 3550 A.3), and some count no long gap.
        let copies = after.duplicates - before.duplicates
        unseen -= difference + copies + after.lostInGaps - before.lostInGaps
    }

    /// Packets lost between the probe and the receiver; negative where it has packets that the capture has not. `nil` before
    /// its first report.
    var lostBehind: Int? {
        guard last != nil else { return nil }
        return lacking > 0 ? lacking : -max(0, unseen)
    }
}
