// The only unsafe code of the decoders. Every load below is checked by `RawSpan` itself, in release builds too: should
// a decoder ask for bytes that are not there, the program stops instead of reading past the end.

extension RawSpan {
    /// The integer stored in network byte order at `offset`; the caller has compared what it needs with what there is.
    @inline(__always)
    func networkOrder<Value: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as: Value.Type = Value.self
    ) -> Value {
        unsafe Value(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
    }

    /// The byte at `offset`.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// A copy of some of the bytes.
    func copy(_ range: Range<Int>) -> [UInt8] {
        unsafe extracting(range).withUnsafeBytes { unsafe Array($0) }
    }
}

extension [UInt8] {
    /// Lends the bytes of the array, as a frame is lent.
    func withRawSpan<Result>(_ body: (RawSpan) -> Result) -> Result {
        unsafe body(span.bytes)
    }
}
