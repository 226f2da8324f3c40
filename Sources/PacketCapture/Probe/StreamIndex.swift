/// Finds the place of a stream by its identity: open addressing with linear probing, at most half full.
///
/// A search is made for each packet of RTP. The standard hash of a `Dictionary` is dear there; an identity is mixed by
/// a few multiplications instead (``StreamIdentity/mixed``).
///
/// What is mixed is the sender's choice, and nothing seeds it: identities can be made up whose searches begin at one
/// slot. Such a search passes all of them, at most. Those of no stream are limited (``WireProbe/mostCandidates``) and
/// forgotten soon; a stream takes three packets with numbers in a row.
struct StreamIndex {
    /// Half of the mixed identity, which also says where the search begins, and the place. Eight bytes: the index of some
    /// thousand streams is not to drive them out of the processor's cache.
    private struct Slot {
        var mixed: UInt32 = 0
        var place = StreamIndex.empty
    }

    private static let empty: Int32 = -1
    private var slots: [Slot]
    private var mask: Int
    private(set) var count = 0

    /// - Parameter capacity: slots to begin with; a power of two.
    init(capacity: Int = 1_024) {
        slots = Array(repeating: Slot(), count: capacity)
        mask = capacity - 1
    }

    /// Brings the slot near where the search for `mixed` begins.
    @inline(__always)
    func prefetch(_ mixed: UInt64) {
        slots.prefetch(Int(truncatingIfNeeded: mixed) & mask, byteCount: 1)
    }

    /// The first place under `mixed`, which is nearly always the one: its bits are mixed well.
    @inline(__always)
    func firstPlace(of mixed: UInt64) -> Int? {
        var position = Int(truncatingIfNeeded: mixed) & mask
        while true {
            let slot = slots[position]
            if slot.place == Self.empty { return nil }
            if slot.mixed == UInt32(truncatingIfNeeded: mixed) { return Int(slot.place) }
            position = (position + 1) & mask
        }
    }

    /// The first place under `mixed` that `isMatch` confirms; `nil` when there is none.
    func place(of mixed: UInt64, isMatch: (Int) -> Bool) -> Int? {
        var position = Int(truncatingIfNeeded: mixed) & mask
        while true {
            let slot = slots[position]
            guard slot.place != Self.empty else { return nil }
            if slot.mixed == UInt32(truncatingIfNeeded: mixed), isMatch(Int(slot.place)) { return Int(slot.place) }
            position = (position + 1) & mask
        }
    }

    /// Notes a place that is not there yet.
    mutating func insert(_ place: Int, mixed: UInt64) {
        if 2 * (count + 1) > slots.count { grow() }
        put(Slot(mixed: UInt32(truncatingIfNeeded: mixed), place: Int32(place)))
        count += 1
    }

    /// Forgets a place under one of its identities; those behind it move up, so that no search ends too early.
    mutating func remove(_ place: Int, mixed: UInt64) {
        let mixed = UInt32(truncatingIfNeeded: mixed)
        var hole = Int(mixed) & mask
        while slots[hole].place != place || slots[hole].mixed != mixed {
            guard slots[hole].place != Self.empty else { return }
            hole = (hole + 1) & mask
        }
        count -= 1
        var next = (hole + 1) & mask
        while slots[next].place != Self.empty {
            let home = Int(slots[next].mixed) & mask
            // Whether the hole lies between the home of this slot and where it is now.
            if (next - home) & mask >= (next - hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = Slot()
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: 2 * old.count)
        mask = slots.count - 1
        for slot in old where slot.place != Self.empty { put(slot) }
    }

    private mutating func put(_ slot: Slot) {
        var position = Int(slot.mixed) & mask
        while slots[position].place != Self.empty { position = (position + 1) & mask }
        slots[position] = slot
    }
}
