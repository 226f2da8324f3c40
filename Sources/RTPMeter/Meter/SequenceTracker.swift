/// The numbers of one stream: which arrived, which are missing.
///
/// Follows [RFC 3550, appendix A.1](https://www.rfc-editor.org/rfc/rfc3550#appendix-A.1) with three differences that an
/// observer needs: a window of the last 128 numbers tells duplicates from late packets; a packet from before the first one
/// moves the beginning back; and a stream counts from its first packet, because acceptance is decided elsewhere
/// (``StreamProbation``). Numbers are extended to 64 bits when a segment starts, so a wrap is nothing special.
///
/// A *segment* is a run of numbers that belong together. A sender that begins anew starts another one.
struct SequenceTracker: Sendable {
    /// Bit k is set when the number `highest - k` arrived.
    private(set) var seen: UInt128 = 0
    /// Bit k is set when the number `highest - k` arrived too late for the simulated jitter buffer.
    private(set) var discarded: UInt128 = 0
    /// Highest number of this segment.
    private(set) var highest: Int64 = 0
    /// Lowest number of this segment.
    private(set) var base: Int64 = 0
    /// Distinct numbers of all segments.
    private(set) var unique: UInt64 = 0
    /// Every packet, duplicates and rejected ones included.
    var packets: UInt64 = 0

    /// A forward step up to this is a gap (MAX_DROPOUT of RFC 3550, appendix A.1).
    static let maximumDropout: UInt16 = 3000
    /// A backward step below this is a late packet (MAX_MISORDER of RFC 3550, appendix A.1).
    static let maximumMisorder: UInt16 = 100
    /// How many numbers back a late packet can be told from a duplicate.
    static let window: Int64 = 128

    /// How far `number` lies ahead of the highest one, modulo 65,536.
    @inline(__always)
    func step(to number: UInt16) -> UInt16 {
        number &- UInt16(truncatingIfNeeded: highest)
    }

    /// Numbers that should have arrived in this segment.
    var expected: UInt64 {
        unique == 0 ? 0 : UInt64(bitPattern: highest &- base &+ 1)
    }

    /// Begins a segment at `number`. What the old window held must have been settled before.
    mutating func begin(at number: UInt16) {
        seen = 1
        discarded = 0
        highest = Int64(number)
        base = highest
        unique &+= 1
    }

    /// Takes the next number, and settles the one that leaves the window.
    @inline(__always)
    mutating func advance(settling ledger: inout LossLedger) {
        let leaves = (seen & ~discarded) >> 127 != 0
        if leaves {
            ledger.receiveOne()
        } else {
            settleOldest(in: &ledger)
        }
        seen = seen << 1 | 1
        discarded <<= 1
        highest &+= 1
        unique &+= 1
    }

    /// Takes a number that is `step` ahead, and settles those that leave the window.
    @inline(never)
    mutating func advance(by step: UInt16, settling ledger: inout LossLedger) {
        let steps = Int64(step)
        settle(oldest: min(steps, Self.window), in: &ledger)
        if steps > Self.window {
            ledger.lose(UInt32(truncatingIfNeeded: steps &- Self.window))
        }
        seen = seen << steps | 1
        discarded <<= steps
        highest &+= steps
        unique &+= 1
    }

    /// Takes a number that is `back` behind the highest, 0...127. Whether it is new.
    mutating func fill(back: Int) -> Bool {
        let bit: UInt128 = 1 << UInt128(back)
        guard seen & bit == 0 else { return false }
        seen |= bit
        base = min(base, highest &- Int64(back))
        unique &+= 1
        return true
    }

    /// Takes what is missing among the latest `count` numbers as if it had arrived, but for a run of missing ones that the
    /// first of them belongs to: some of it is older.
    mutating func fillLatest(_ count: Int) {
        var places: UInt128 = 1 << UInt128(min(UInt64(count), expected, UInt64(Self.window - 1))) - 1
        while places & ~(places >> 1) & ~seen != 0 { places >>= 1 }
        unique &+= UInt64((places & ~seen).nonzeroBitCount)
        seen |= places
    }

    /// Marks a number that arrived, `back` behind the highest, as too late to be played.
    mutating func discard(back: Int) {
        discarded |= 1 << UInt128(back)
    }

    /// Settles everything that is still in the window, for the end of a segment or for figures on a copy.
    func settleAll(in ledger: inout LossLedger) {
        settle(oldest: Self.window, in: &ledger)
    }

    @inline(never)
    private func settleOldest(in ledger: inout LossLedger) {
        settle(oldest: 1, in: &ledger)
    }

    /// Walks the `count` oldest places of the window, in the order of their numbers, leaving out those before `base`.
    private func settle(oldest count: Int64, in ledger: inout LossLedger) {
        let filled = min(expected, UInt64(Self.window))
        let empty = Self.window &- Int64(filled)
        guard count > empty else { return }
        if empty == 0, count == Self.window, seen == .max, discarded == 0 {
            return ledger.receive(UInt32(Self.window))
        }
        for place in empty..<count {
            let bit: UInt128 = 1 << UInt128(Self.window - 1 - place)
            ledger.settle(isReceived: seen & bit != 0, isDiscarded: discarded & bit != 0)
        }
    }
}
