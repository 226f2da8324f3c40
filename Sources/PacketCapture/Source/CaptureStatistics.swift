/// What a capture's kernel counted since it was opened: whether the figures are the network's or the sensor's.
public struct CaptureStatistics: Hashable, Sendable {
    /// Frames that matched the filter, those that were dropped included on Linux. On a loopback interface Linux counts
    /// each frame twice, sent and received, although it is read once.
    public var received: Int
    /// Frames lost because the program did not fetch them in time: the buffer was full.
    public var droppedByKernel: Int
    /// Frames lost by the network card or its driver; 0 where they do not tell.
    public var droppedByInterface: Int

    /// Counts, each since the capture was opened.
    public init(received: Int = 0, droppedByKernel: Int = 0, droppedByInterface: Int = 0) {
        self.received = received
        self.droppedByKernel = droppedByKernel
        self.droppedByInterface = droppedByInterface
    }
}

/// Counters of 32 bits that begin anew after 2³², made to ones that do not.
struct CounterUnwrapper {
    private var last: UInt32 = 0
    private(set) var total = 0

    /// Takes the present value; must be called at least once in 2³² counts.
    mutating func take(_ value: UInt32) -> Int {
        total += Int(value &- last)
        last = value
        return total
    }
}
