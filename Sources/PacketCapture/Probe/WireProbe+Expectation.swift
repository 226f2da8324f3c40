import RTPMeter

// MARK: - Looking ahead

extension WireProbe {
    /// Gets ready for a frame that comes soon: brings what is known of its stream near the processor, where there are many.
    ///
    /// Only a hint. Nothing that is counted or told depends on it.
    /// - Parameter frame: What was captured of it.
    @inline(__always)
    public mutating func expect(_ frame: RawSpan) {
        guard streams.count > Self.streamsInCache else { return }
        fetch(frame)
    }

    /// So many streams the processor keeps near by itself.
    private static let streamsInCache = 4_096
    /// What every packet touches of its stream; see ``StreamState``.
    private static let bytesOfEveryPacket = 512

    /// First the slot of the index, and some frames later, when it is there, the stream that it names.
    @inline(never)
    private mutating func fetch(_ frame: RawSpan) {
        guard let mixed = decoder.likelyStream(of: frame)?.mixed else { return }
        index.prefetch(mixed)
        guard let coded = index.firstPlace(of: expected.exchange(mixed)), coded & 1 == 0 else { return }
        streams.prefetch(coded >> 1, byteCount: Self.bytesOfEveryPacket)
    }
}

/// The mixed identities of the streams that were expected last.
struct ExpectedStreams {
    private var mixed = [UInt64](repeating: 0, count: 8)
    private var oldest = 0

    /// Takes in another one for the one that was expected first.
    /// - Returns: that one; 0 before there are so many.
    @inline(__always)
    mutating func exchange(_ new: UInt64) -> UInt64 {
        let first = mixed[oldest]
        mixed[oldest] = new
        oldest = (oldest + 1) & 7
        return first
    }
}
