public import RTPMeter

/// A frame in memory that will be used for another: valid until the next one is fetched.
///
/// Confined for that reason. ``PcapHandle`` and ``FrameSource`` make it, and who fetched it turns it at once into a
/// `RawSpan`, whose life the compiler confines to one call.
@safe @usableFromInline struct LentFrame {
    /// What was captured.
    @usableFromInline let bytes: UnsafeRawBufferPointer
    /// Length on the wire, never less than what was captured.
    @usableFromInline let wireLength: Int
    @usableFromInline let time: ArrivalTime

    @inlinable
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, length: UInt32, time: ArrivalTime) {
        unsafe self.bytes = unsafe bytes
        wireLength = max(bytes.count, Int(length))
        self.time = time
    }

    /// Lends the frame for one call.
    @inlinable
    @inline(__always)
    func lend<Result, Failure: Error>(
        to body: (RawSpan, Int, ArrivalTime) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe bytes.bytes, wireLength, time)
    }
}
