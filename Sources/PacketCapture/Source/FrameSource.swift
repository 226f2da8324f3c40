#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The frames of a file, one after the other: read by ourselves as long as they are plain, by libpcap otherwise.
///
/// libpcap opens every file and says what it is. Records of a classic capture in a regular file are then read in large
/// pieces and lent from the buffer. At the first one that is not whole and sensible, the end of the file included,
/// libpcap takes over at its first byte, for good: what is cut, absurd or damaged is its business, and gives the same
/// frames and the same words as if it had read everything.
///
/// Of pcapng, libpcap reads on until it comes to what it does not take: an interface of another kind than the first, a
/// section of the other byte order. From the frame after, ``PcapngReader`` reads. Of what is piped in it reads all, for
/// there it cannot begin again; a filter leaves that to libpcap.
///
/// One of the few files with `unsafe`: the system fills a buffer.
@safe struct FrameSource: ~Copyable {
    private let handle: PcapHandle
    /// `capacity` bytes; nil as soon as libpcap reads.
    private var buffer: UnsafeMutableRawPointer?
    private let capacity: Int
    /// Offset in the file of the byte after the last one in the buffer.
    private var bufferedUpTo = PlainRecords.fileHeaderLength
    /// Whether reading stopped because something is wrong.
    private var isBroken = false
    /// Frames that libpcap gave.
    private var lent = 0
    private let isFiltered: Bool
    /// Reads instead of libpcap; nil as long as that can.
    private var reader: PcapngReader?
    /// What makes libpcap stop, where nothing else can filter.
    private var obstacle: String?

    /// Reads on after the header of a file.
    /// - Parameters:
    ///   - handle: The opened file, no frame of it read yet.
    ///   - reader: Reads all of it in place of libpcap; nil where libpcap begins.
    ///   - capacity: Bytes to read at once; 0 leaves all to libpcap. A longer record goes to libpcap, and so do all
    ///     after it.
    ///   - isFiltered: Whether libpcap has a filter.
    init(_ handle: consuming PcapHandle, reader: PcapngReader?, capacity: Int, isFiltered: Bool) {
        self.handle = handle
        self.reader = reader
        self.capacity = capacity
        self.isFiltered = isFiltered
        unsafe buffer = capacity > 0 ? .allocate(byteCount: capacity, alignment: 4096) : nil
    }

    deinit {
        unsafe buffer?.deallocate()
    }

    /// Whether libpcap has nothing to do so far.
    var isPlain: Bool { unsafe buffer != nil }

    /// The length of the file as it is stored.
    var length: Int? { handle.fileLength }

    /// How far the reading of the file is, in stored bytes, with so many of them unread.
    func offset(unread: Int) -> Int {
        isPlain ? bufferedUpTo - unread : handle.fileOffset
    }

    /// The next frame, of which the window shows but the beginning, or nothing; nil at the end.
    mutating func next(after window: inout RecordWindow) -> LentFrame? {
        while fill(&window) {
            if let frame = window.next() { return frame }
        }
        guard handOver(&window) else { return nil }
        return reader == nil ? nextOfLibpcap(&window) : nextOfReader(&window)
    }

    /// Moves what is unread to the front of the buffer and reads more behind it; false when there is no more, or no
    /// room.
    private mutating func fill(_ window: inout RecordWindow) -> Bool {
        guard let buffer = unsafe buffer, let descriptor = handle.fileDescriptor else { return false }
        let unread = window.unread
        guard unread < capacity else { return false }
        unsafe buffer.copyMemory(from: buffer + window.position, byteCount: unread)
        let count = max(0, unsafe pread(descriptor, buffer + unread, capacity - unread, off_t(bufferedUpTo)))
        bufferedUpTo += count
        unsafe window.show(unread + count, bytesAt: buffer)
        return count > 0
    }

    /// Lets libpcap go on with the first unread record, if it does not already; false when it cannot get there.
    private mutating func handOver(_ window: inout RecordWindow) -> Bool {
        guard let buffer = unsafe buffer else { return true }
        isBroken = !handle.seek(to: bufferedUpTo - window.unread)
        guard !isBroken else { return false }
        unsafe window.show(0, bytesAt: nil)
        unsafe buffer.deallocate()
        unsafe self.buffer = nil
        return true
    }

    private mutating func nextOfLibpcap(_ window: inout RecordWindow) -> LentFrame? {
        while true {
            switch handle.next() {
            case .frame(let frame):
                lent += 1
                return frame
            case .none: continue
            case .end: isBroken = false
            case .failure:
                isBroken = true
                if takeOver() { return nextOfReader(&window) }
            }
            return nil
        }
    }

    /// Goes on without libpcap, if it stopped at what it does not read of pcapng; false if there is another reason.
    private mutating func takeOver() -> Bool {
        guard let reader = handle.pcapngReader() else { return false }
        if isFiltered {
            obstacle = reader.findObstacle()
        } else if reader.resume(after: lent) {
            self.reader = reader
            return true
        }
        reader.leave()
        return false
    }

    private mutating func nextOfReader(_ window: inout RecordWindow) -> LentFrame? {
        let frame = reader?.next()
        if frame != nil { window.linkType = reader?.linkType }
        return frame
    }

    /// What all frames so far begin with, in a file of which libpcap says that they have one link type.
    func commonLinkType(besides linkType: LinkType) -> LinkType? {
        guard let reader, reader.hasGiven else { return linkType }
        return reader.commonLinkType
    }

    /// Why there is no next frame.
    func end(path: String, frames: Int) -> FrameLoopEnd {
        if let obstacle { return .broken(.filterNotPossible(path: path, reason: obstacle)) }
        switch reader?.end {
        case .damaged(let reason): return .broken(handle.breakage(path: path, frames: frames, reason: reason))
        case .truncated: return .broken(handle.breakage(path: path, frames: frames, reason: nil))
        case .endOfFile: return handle.end(path: path, frames: frames)
        case nil: break
        }
        return isBroken
            ? .broken(handle.breakage(path: path, frames: frames)) : handle.end(path: path, frames: frames)
    }
}
