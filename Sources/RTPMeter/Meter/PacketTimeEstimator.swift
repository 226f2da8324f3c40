/// How many ticks a packet lasts: the smallest timestamp step between packets with consecutive numbers that keeps coming back.
///
/// A vote among the steps: equal ones confirm, smaller ones weigh more than larger ones, because silence and lost packets
/// only ever make steps larger.
struct PacketTimeEstimator: Hashable, Sendable {
    /// Ticks from one packet to the next; 0 while not known.
    private(set) var ticks: UInt32 = 0
    private var votes: UInt8 = 0

    /// Whether at least three steps agreed.
    var isKnown: Bool { votes >= 3 }

    /// Takes the step between two packets with consecutive numbers. Whether it is the usual one.
    @inline(__always)
    mutating func confirm(_ step: UInt32) -> Bool {
        guard step == ticks else { return false }
        votes = votes < 100 ? votes &+ 1 : votes
        return true
    }

    /// Takes a step that is not the usual one.
    mutating func vote(_ step: UInt32) {
        let weight: UInt8 = step < ticks ? 8 : 1
        if votes > weight {
            votes -= weight
        } else {
            ticks = step
            votes = 1
        }
    }
}
