import RTPMeter

/// Holds what a receiver says that it lacks of a stream against what the capture lacks of the same numbers: what it lacks
/// beyond that was lost behind the probe, and what it has beyond that passed the probe unseen.
struct ReceiverAccount {
    private var last: Entry?
    /// What the receiver came to lack since its first report, less what the capture did.
    private var difference = 0
    /// Copies that came meanwhile, of which a receiver counts each as a packet that is not lost
    /// ([RFC 3550, appendix A.3](https://www.rfc-editor.org/rfc/rfc3550#appendix-A.3)).
    private var copies = 0

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
        if let last, let grown = Self.difference(from: last, to: entry) {
            difference += grown
            copies += passed.duplicates - last.passed.duplicates
        }
        last = entry
    }

    /// How much more one came to lack than the other from one report to a later one; `nil` where they do not go on from each
    /// other: the receiver is another or began anew, the numbers did, or a gap does not count as lost here.
    private static func difference(from earlier: Entry, to later: Entry) -> Int? {
        let (before, after) = (earlier.passed, later.passed)
        guard earlier.receiver == later.receiver, before.segments == after.segments,
            before.forgiven == after.forgiven, later.lost >= earlier.lost - mostLate
        else { return nil }
        let grown = later.lost - earlier.lost - (after.lost - before.lost)
        // Of what did not pass nothing can be lost behind the probe.
        return grown <= max(0, after.received - before.received) ? grown : nil
    }

    /// Packets lost between the probe and the receiver; negative where it has packets that the capture has not. `nil` before
    /// its first report.
    var lostBehind: Int? {
        guard last != nil else { return nil }
        return difference >= 0 ? difference : min(0, difference + copies)
    }
}
