import CPcap
public import RTPMeter

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A capture on a network interface, while it runs.
///
/// A class, because it owns libpcap's handle and lives as long as someone captures; it is not `Sendable`: one task or
/// thread opens, polls and drops it. ``poll(maximumFrames:_:)`` fetches frames without waiting for any;
/// ``wait(milliseconds:)`` waits. To stop, stop polling.
public final class LiveCapture {
    /// The interface's name.
    public let interface: String
    /// What the frames begin with.
    public let linkType: LinkType
    private let handle: PcapHandle
    private var received = CounterUnwrapper()
    private var droppedByKernel = CounterUnwrapper()
    private var droppedByInterface = CounterUnwrapper()

    /// Begins to capture.
    ///
    /// Privileges are needed for this only, and can be given up afterwards: ``Privileges/drop(toUser:)``.
    /// - Parameters:
    ///   - interface: Name of the interface, or `any` for all (Linux).
    ///   - options: How.
    /// - Throws: ``CaptureError`` of the interface or the filter.
    public init(interface: String, options: LiveOptions = LiveOptions()) throws(CaptureError) {
        let handle = try PcapHandle.live(interface: interface, options: options)
        let linkType = try handle.linkType(of: interface)
        if let filter = options.filter { try handle.setFilter(filter) }
        self.interface = interface
        self.linkType = linkType
        self.handle = handle
    }

    /// Looks whether there is an interface of this name, and whether a filter can be read, which takes no privileges.
    /// - Throws: ``CaptureError/noSuchInterface(name:available:)``, ``CaptureError/badFilter(filter:reason:)``.
    public static func check(interface: String, filter: String?) throws(CaptureError) {
        let names = PcapHandle.interfaceNames()
        guard names.isEmpty || names.contains(interface) else {
            throw .noSuchInterface(name: interface, available: names)
        }
        if let filter { try PcapHandle.checkFilter(filter) }
    }

    /// Lends the frames that are there to `body`, without waiting for more.
    /// - Parameters:
    ///   - maximumFrames: Return after this many at the latest, so that the caller can do something else.
    ///   - body: As of ``CaptureFile/forEachFrame(_:)``, except that it takes all there are.
    /// - Returns: How many frames there were; less than `maximumFrames` means that there are no more now.
    /// - Throws: ``CaptureError/captureFailed(interface:reason:)`` when the interface is gone.
    @inline(__always)
    public func poll(
        maximumFrames: Int, _ body: (RawSpan, _ wireLength: Int, ArrivalTime) -> Void
    ) throws(CaptureError) -> Int {
        var count = 0
        while count < maximumFrames {
            switch handle.next() {
            case .frame(let frame):
                frame.lend(to: body)
                count += 1
            case .none, .end: return count
            case .failure: throw .captureFailed(interface: interface, reason: handle.lastError)
            }
        }
        return count
    }

    /// Waits until frames are there, the time is over, or a signal came.
    /// - Parameter milliseconds: The longest wait.
    /// - Returns: Whether frames are there.
    public func wait(milliseconds: Int) -> Bool {
        handle.wait(milliseconds: milliseconds)
    }

    /// What the kernel counted since the beginning; ask at least every few hours, for it counts in 32 bits.
    public func statistics() -> CaptureStatistics {
        guard let counters = handle.counters() else {
            return CaptureStatistics(
                received: received.total, droppedByKernel: droppedByKernel.total,
                droppedByInterface: droppedByInterface.total)
        }
        return CaptureStatistics(
            received: received.take(counters.received),
            droppedByKernel: droppedByKernel.take(counters.droppedByKernel),
            droppedByInterface: droppedByInterface.take(counters.droppedByInterface))
    }
}
