// The only unsafe code of this module.

extension RawSpan {
    /// The integer stored in network byte order (big-endian) at `offset`, in bytes from the start of the span.
    ///
    /// The caller has compared `byteCount` with what it needs. Should that check be wrong, the load traps, in release
    /// builds too, and never reads past the end. It is called unsafe because a load can make a value of any type out of
    /// any bytes; every pattern of bits is a valid integer.
    @inlinable
    @inline(__always)
    package func networkOrder<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T {
        unsafe T(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }
}
