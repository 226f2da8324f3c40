/// The numbers of one stream: which arrived, which are missing.
///
/// Follows [RFC 3550, appendix A.1](https://www.rfc-editor.org/rfc/rfc3550#appendix-A.1) with three differences that an
/// observer needs: a window of the last 448 numbers and more tells duplicates from late packets; a packet from before the
/// first one moves the beginning back; and a stream counts from its first packet, because acceptance is decided elsewhere
/// (``StreamProbation``). Numbers are extended to 64 bits when a segment starts, so a wrap is nothing special.
///
/// A *segment* is a run of numbers that belong together. A sender that begins anew starts another one.
///
/// The window is eight blocks of 64 numbers. They are settled a block at a time, so that the next number in order costs one
/// bit in the newest.
struct SequenceTracker: Sendable {
    /// Highest number of this segment.
    private(set) var highest: Int64 = 0
    /// Lowest number of this segment.
    private(set) var base: Int64 = 0
    /// Distinct numbers of all segments.
    private(set) var unique: UInt64 = 0
    /// Packets with a number already seen.
    var duplicates: UInt32 = 0
    /// Packets whose number jumped, and that no other one has confirmed.
    var rejected: UInt32 = 0
    /// Which numbers arrived: bit k of lane j is number k of the block that is j before the newest.
    private var seen: SIMD8<UInt64> = .zero
    /// Which of them arrived too late for the simulated jitter buffer.
    private var discarded: SIMD8<UInt64> = .zero

    /// A forward step up to this is a gap (MAX_DROPOUT of RFC 3550, appendix A.1).
    static let maximumDropout: UInt16 = 3000
    /// A backward step below this is a late packet (MAX_MISORDER of RFC 3550, appendix A.1).
    static let maximumMisorder: UInt16 = 100
    /// A single number less far back than this is a late packet, whatever its timestamp.
    static let maximumStray: UInt16 = 128
    /// So many numbers back, and fewer, a late packet can be told from a duplicate: seven blocks, the newest apart. That is
    /// 0.4 s of a sender of 1,000 packets a second, which sends again what its receiver asks for.
    static let window: Int64 = 448

    /// How far `number` lies ahead of the highest one, modulo 65,536.
    @inline(__always)
    func step(to number: UInt16) -> UInt16 {
        number &- UInt16(truncatingIfNeeded: highest)
    }

    /// Every packet.
    var packets: UInt64 { unique &+ UInt64(duplicates) &+ UInt64(rejected) }

    /// Numbers that should have arrived in this segment.
    var expected: UInt64 {
        unique == 0 ? 0 : UInt64(bitPattern: highest &- base &+ 1)
    }

    /// Begins a segment at `number`. What the old window held must have been settled before.
    mutating func begin(at number: UInt16) {
        highest = Int64(number)
        base = highest
        seen = .zero
        discarded = .zero
        noteHighest()
    }

    /// Takes the next number. Settles the oldest block where it is the first of another one.
    @inline(__always)
    mutating func advance(settling ledger: inout LossLedger) {
        if highest & 63 == 63 {
            turn(settling: &ledger)
        }
        highest &+= 1
        noteHighest()
    }

    /// Takes a number that is `step` ahead. Settles the blocks that leave the window.
    @inline(never)
    mutating func advance(by step: UInt16, settling ledger: inout LossLedger) {
        let number = highest &+ Int64(step)
        while highest >> 6 < number >> 6 {
            turn(settling: &ledger)
            highest = (highest | 63) &+ 1
        }
        highest = number
        noteHighest()
    }

    @inline(__always)
    private mutating func noteHighest() {
        seen[0] |= 1 &<< UInt64(truncatingIfNeeded: highest & 63)
        unique &+= 1
    }

    /// Whether the number `back` behind the highest, less than ``window``, is one of the segment that has not arrived.
    func isMissing(back: Int) -> Bool {
        let (lane, bit) = place(back: back)
        return seen[lane] & bit == 0 && highest &- Int64(back) >= base
    }

    /// Takes a number that is `back` behind the highest, less than ``window``. Whether it is new.
    mutating func fill(back: Int) -> Bool {
        let (lane, bit) = place(back: back)
        guard seen[lane] & bit == 0 else { return false }
        seen[lane] |= bit
        base = min(base, highest &- Int64(back))
        unique &+= 1
        return true
    }

    /// Takes what is missing among the latest `count` numbers as if it had arrived, but for a run of missing ones that the
    /// first of them belongs to: some of it is older.
    mutating func fillLatest(_ count: Int) {
        var count = Int(min(UInt64(count), expected, UInt64(Self.window - 1)))
        while count > 0, isMissing(back: count - 1) { count -= 1 }
        for back in 0..<count { _ = fill(back: back) }
    }

    /// Marks a number that arrived, `back` behind the highest, as too late to be played.
    mutating func discard(back: Int) {
        let (lane, bit) = place(back: back)
        discarded[lane] |= bit
    }

    /// Settles everything that is still in the window, for the end of a segment or for figures on a copy.
    func settleAll(in ledger: inout LossLedger) {
        for lane in (1...7).reversed() {
            settle(lane, upTo: 64, in: &ledger)
        }
        settle(0, upTo: highest & 63 &+ 1, in: &ledger)
    }

    private func place(back: Int) -> (lane: Int, bit: UInt64) {
        let number = highest &- Int64(back)
        let lane = Int(truncatingIfNeeded: highest >> 6 &- number >> 6) & 7
        return (lane, 1 &<< UInt64(truncatingIfNeeded: number & 63))
    }

    /// Settles the oldest block, and makes room for the next one.
    @inline(never)
    private mutating func turn(settling ledger: inout LossLedger) {
        settle(7, upTo: 64, in: &ledger)
        for lane in (1...7).reversed() {
            seen[lane] = seen[lane - 1]
            discarded[lane] = discarded[lane - 1]
        }
        seen[0] = 0
        discarded[0] = 0
    }

    /// Walks the first `end` places of a block, in the order of their numbers, leaving out those before `base`.
    private func settle(_ lane: Int, upTo end: Int64, in ledger: inout LossLedger) {
        let start = max(0, base &- (highest >> 6 &- Int64(lane)) << 6)
        let (seen, discarded) = (seen[lane], discarded[lane])
        if start == 0, end == 64, discarded == 0, seen == .max {
            return ledger.receive(64)
        }
        for place in stride(from: start, to: end, by: 1) {
            let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: place)
            ledger.settle(isReceived: seen & bit != 0, isDiscarded: discarded & bit != 0)
        }
    }
}
