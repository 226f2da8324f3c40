/// What became of each number, once its window has passed and nothing can arrive for it any more.
struct LossLedger: Sendable {
    /// Runs of losses by length.
    private(set) var runs = LossRuns()
    /// Length of the run of losses that the last settled number belongs to; 0 after a received one.
    private var openRun: UInt32 = 0
    /// Losses and discards as bursts and gaps.
    var burstGap = BurstGapCounter()

    /// A number that arrived in time.
    @inline(__always)
    mutating func receiveOne() {
        receive(1)
    }

    /// `count` numbers in a row that arrived in time.
    @inline(__always)
    mutating func receive(_ count: UInt32) {
        burstGap.receive(count)
        if openRun != 0 {
            closeRun()
        }
    }

    /// `count` numbers in a row that never arrived.
    mutating func lose(_ count: UInt32) {
        burstGap.lose(count)
        openRun = openRun &+ count
    }

    /// The next number in order.
    mutating func settle(isReceived: Bool, isDiscarded: Bool) {
        guard isReceived else { return lose(1) }
        guard isDiscarded else { return receiveOne() }
        burstGap.lose(1)
        closeRun()
    }

    private mutating func closeRun() {
        if openRun != 0 {
            runs.note(length: openRun)
            openRun = 0
        }
    }
}
