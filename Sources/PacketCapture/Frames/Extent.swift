/// Where a layer lies in a frame: what was captured of it, and how long it was on the wire.
struct Extent: Hashable {
    /// Offset of its first byte.
    var start: Int
    /// Offset after its last captured byte.
    var end: Int
    /// Offset after its last byte on the wire; equal to ``end`` unless the snap length cut it.
    var wireEnd: Int

    @inline(__always) var count: Int { end - start }
    @inline(__always) var wireCount: Int { wireEnd - start }
    @inline(__always) var isCut: Bool { end < wireEnd }

    /// Whether this many bytes were captured.
    @inline(__always)
    func has(_ bytes: Int) -> Bool { count >= bytes }

    /// What follows a header of this many bytes, which the caller knows to be there.
    @inline(__always)
    func dropping(_ bytes: Int) -> Extent {
        Extent(start: start + bytes, end: end, wireEnd: wireEnd)
    }

    /// The same, knowing from its own header how long it was on the wire.
    @inline(__always)
    func limited(toWire bytes: Int) -> Extent {
        Extent(start: start, end: min(end, start + bytes), wireEnd: start + bytes)
    }
}
