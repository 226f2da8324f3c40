public import RTPMeter

/// What a reader of frames wants after one of them.
public enum FrameVerdict: Hashable, Sendable {
    /// The next one.
    case more
    /// No further one for now.
    case enough
}

/// How the reading of frames ended.
public enum FrameLoopEnd: Hashable, Sendable {
    /// All frames were read.
    case endOfFile
    /// The reader had enough; reading again goes on with the next frame.
    case stopped
    /// The file ends in the middle of a frame, or is damaged: ``CaptureError/truncated(path:byte:frames:)`` or
    /// ``CaptureError/damaged(path:byte:frames:reason:)``. The frames before it were read.
    case broken(CaptureError)
}

/// A file of captured frames: pcap or pcapng, also compressed with gzip.
///
/// Not copyable: it owns the open file, and closes it when it goes.
public struct CaptureFile: ~Copyable {
    /// Name of the path that stands for standard input.
    public static let standardInput = "-"
    /// Bytes read at once where libpcap is not needed.
    package static let bufferBytes = 1 << 17

    /// The path, for messages.
    public let path: String
    /// What the frames begin with; in a file of several interfaces, those of the first one that can be decoded.
    public let linkType: LinkType
    /// What was dropped while it was captured, on all interfaces, as a pcapng file says at its end; nil where it does not say,
    /// and of compressed ones.
    public let statistics: CaptureStatistics?
    /// Whether it may have frames without a time, which are lent as of 1970-01-01 00:00 UTC: pcapng (its simple packet
    /// blocks), but not pcap, where that is a time like others.
    public let mayLackTimes: Bool
    @usableFromInline var window: RecordWindow
    @usableFromInline var count = 0
    private var source: FrameSource

    /// Opens a capture file.
    /// - Parameters:
    ///   - path: Of the file; ``standardInput`` reads what is piped in.
    ///   - filter: Only frames that this BPF expression (see `man pcap-filter`) lets through are read; nil for all.
    /// - Throws: ``CaptureError`` of the file or the filter.
    public init(path: String, filter: String? = nil) throws(CaptureError) {
        try self.init(path: path, filter: filter, bufferBytes: Self.bufferBytes)
    }

    /// Opens a capture file and says how it is read, which makes no difference to what is read.
    /// - Parameters:
    ///   - path: Of the file.
    ///   - filter: A BPF expression.
    ///   - bufferBytes: How much to read at once; 0 leaves all to libpcap.
    /// - Throws: ``CaptureError`` of the file or the filter.
    package init(path: String, filter: String?, bufferBytes: Int) throws(CaptureError) {
        let stream = try CaptureStream(path: path)
        let reader = filter == nil ? PcapngReader(piped: stream) : nil
        let handle = try Self.handle(of: stream, or: reader, path: path)
        let linkType = try Self.linkType(of: handle, path: path)
        if let filter { try Self.set(filter, in: handle, path: path) }
        let needsLibpcap = filter != nil || path == Self.standardInput
        let records = needsLibpcap || bufferBytes == 0 ? nil : handle.plainRecords(linkType: linkType)
        self.path = path
        self.linkType = linkType
        statistics = handle.statisticsAtEnd()
        mayLackTimes = stream.isPcapng
        window = RecordWindow(records ?? .none, linkType: linkType)
        source = FrameSource(
            handle, reader: reader, capacity: records == nil ? 0 : bufferBytes, isFiltered: filter != nil)
    }

    private static func handle(
        of stream: CaptureStream, or reader: PcapngReader?, path: String
    ) throws(CaptureError) -> PcapHandle {
        guard let reader else { return try PcapHandle(reading: stream, path: path) }
        return try PcapHandle(beside: reader, of: stream, path: path)
    }

    /// The link type of the first interface, or of the first one after it that can be decoded.
    private static func linkType(of handle: borrowing PcapHandle, path: String) throws(CaptureError) -> LinkType {
        do throws(CaptureError) {
            return try handle.linkType(of: path)
        } catch {
            guard let linkType = handle.opening()?.linkType else { throw error }
            return linkType
        }
    }

    private static func set(
        _ filter: String, in handle: borrowing PcapHandle, path: String
    ) throws(CaptureError) {
        try handle.setFilter(filter)
        if let obstacle = handle.opening()?.obstacle { throw .filterNotPossible(path: path, reason: obstacle) }
    }

    /// How many frames were read so far, those that the filter left out not counted.
    public var frames: Int { count }

    /// What all frames read so far begin with; nil when that is not the same of all, or cannot be decoded.
    public var commonLinkType: LinkType? { source.commonLinkType(besides: linkType) }

    /// Whether the next frame is read without libpcap; for tests.
    var isPlain: Bool { source.isPlain }

    /// How much of the file was read, in bytes as the file is stored (compressed or not); of what is piped in, inflated.
    public var bytesRead: Int { source.offset(unread: window.unread) }

    /// The length of the file; nil for what is piped in.
    public var byteCount: Int? { source.length }

    /// Lends each frame to `body`, in the order of the file, until the end or until `body` has enough.
    ///
    /// In a file of several interfaces, frames may begin with other things than ``linkType``;
    /// ``forEachFrame(lookingAhead:)`` tells.
    ///
    /// - Parameter body: Gets what was captured of the frame (valid during the call only), its length on the wire,
    ///   which is at least as long, and the time of its capture.
    /// - Returns: How it ended.
    /// - Throws: What `body` throws; the next call then goes on with the frame after.
    @inlinable
    @inline(__always)
    public mutating func forEachFrame<Failure: Error>(
        _ body: (RawSpan, _ wireLength: Int, ArrivalTime) throws(Failure) -> FrameVerdict
    ) throws(Failure) -> FrameLoopEnd {
        while let frame = window.next() ?? nextAfterWindow() {
            let verdict = try frame.lend(to: body)
            count &+= 1
            if verdict == .enough { return .stopped }
        }
        return end()
    }

    /// The same, with the link type of each frame and a look ahead.
    ///
    /// - Parameter body: Gets, besides, what the frame begins with, nil for a link type that cannot be decoded; and
    ///   what was captured of a frame that comes some frames later, for ``WireProbe/expect(_:)``, nothing where that is
    ///   not known.
    /// - Returns: How it ended.
    /// - Throws: What `body` throws; the next call then goes on with the frame after.
    @inlinable
    @inline(__always)
    public mutating func forEachFrame<Failure: Error>(
        lookingAhead body: (RawSpan, _ wireLength: Int, ArrivalTime, LinkType?, _ coming: RawSpan) throws(Failure)
            -> FrameVerdict
    ) throws(Failure) -> FrameLoopEnd {
        while let frame = window.next() ?? nextAfterWindow() {
            let linkType = window.linkType
            let coming = unsafe window.coming()
            let verdict = try frame.lend { bytes, wireLength, time throws(Failure) in
                try body(bytes, wireLength, time, linkType, unsafe coming.bytes)
            }
            count &+= 1
            if verdict == .enough { return .stopped }
        }
        return end()
    }

    @usableFromInline
    mutating func nextAfterWindow() -> LentFrame? {
        source.next(after: &window)
    }

    @usableFromInline
    func end() -> FrameLoopEnd {
        source.end(path: path, frames: count)
    }
}
