import RTPMeter

/// The frames of a pcapng file, read without libpcap.
///
/// libpcap reads files whose interfaces have one link type and one snap length, and whose sections have one byte order.
/// Where it stops for one of these reasons, ``FrameSource`` goes on with this. What is piped in is read by this from its
/// first byte on.
///
/// A class, because it owns memory and is seldom there. One of the few files with `unsafe`: a block is read into memory
/// of its own, and its frame lent from there.
@safe final class PcapngReader {
    /// What was learnt from the blocks so far.
    private(set) var blocks = PcapngBlocks()
    /// Why there is no further frame; nil while there may be.
    private(set) var end: PcapngEnd?
    /// What the frame given last begins with; nil for what cannot be decoded.
    private(set) var linkType: LinkType?
    /// What all frames given so far begin with; nil if that differs, or cannot be decoded.
    private(set) var commonLinkType: LinkType?
    private let stream: CaptureStream
    /// Where the stream was before.
    private let place: Int
    /// The block that was read last.
    private var memory: UnsafeMutableRawBufferPointer
    /// A frame that was read in advance.
    private var held: LentFrame?
    /// Whether a frame was given.
    private(set) var hasGiven = false

    /// Begins with what is piped in, past libpcap; nil for other formats, and for files, of which libpcap can be asked first.
    init?(piped stream: CaptureStream) {
        guard stream.length == nil, stream.isPcapng else { return nil }
        self.stream = stream
        place = 0
        unsafe memory = .allocate(byteCount: 4096, alignment: 16)
    }

    /// Begins with the first byte of a file; nil if the system refuses to go there.
    init?(beside stream: CaptureStream) {
        self.stream = stream
        place = stream.place
        guard stream.go(to: 0) else { return nil }
        unsafe memory = .allocate(byteCount: 4096, alignment: 16)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// Leaves the stream as it was, so that libpcap can go on.
    func leave() {
        _ = stream.go(to: place)
    }

    /// The next frame, valid until the next call; nil at the end.
    func next() -> LentFrame? {
        guard let frame = held ?? fetch() else { return nil }
        held = nil
        commonLinkType = hasGiven && commonLinkType != linkType ? nil : linkType
        hasGiven = true
        return frame
    }

    /// Reads on to the first interface whose frames can be decoded, no further than to the first frame: what is piped in may
    /// be silent for long.
    /// - Returns: The number of its link type, or that of the first interface where none can be decoded; nil without any.
    func findLinkNumber() -> Int32? {
        while blocks.linkType == nil, held == nil, end == nil { held = takeBlock() }
        return blocks.linkNumber
    }

    /// Passes over the frames that libpcap has given.
    /// - Returns: Whether libpcap could not go on from there, and this can.
    func resume(after count: Int) -> Bool {
        for _ in 0..<count where next() == nil { return false }
        held = fetch()
        return blocks.obstacle != nil
    }

    /// Reads on to the first thing that libpcap does not read.
    /// - Returns: What that is; nil if there is none before the end.
    func findObstacle() -> String? {
        while blocks.obstacle == nil, fetch() != nil {}
        return blocks.obstacle
    }

    private func fetch() -> LentFrame? {
        while end == nil {
            if let frame = takeBlock() { return frame }
        }
        return nil
    }

    /// Reads the next block.
    /// - Returns: The frame in it; nil if it is of another kind, and at the end.
    private func takeBlock() -> LentFrame? {
        do throws(PcapngEnd) {
            let length = try readBlock()
            let block = unsafe UnsafeRawBufferPointer(rebasing: memory[..<length])
            guard let frame = unsafe try blocks.take(block.bytes) else { return nil }
            linkType = frame.interface.linkType
            return unsafe LentFrame(
                UnsafeRawBufferPointer(rebasing: block[frame.bytes]), length: frame.wireLength, time: frame.time)
        } catch {
            end = error
            return nil
        }
    }

    /// Reads a block to the front of the memory.
    /// - Returns: Its length in bytes.
    private func readBlock() throws(PcapngEnd) -> Int {
        let least = PcapngBlocks.leastLength
        guard try read(0..<least) else { throw .endOfFile }
        let length = unsafe try blocks.length(of: UnsafeRawBufferPointer(rebasing: memory[..<least]).bytes)
        if unsafe length > memory.count { grow(to: length) }
        if length > least, try !read(least..<length) { throw .truncated }
        return length
    }

    /// Reads bytes to a place in the memory; false if there are none.
    private func read(_ range: Range<Int>) throws(PcapngEnd) -> Bool {
        let count = unsafe stream.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[range]))
        if count < range.count, stream.hasFailed { throw .damaged("the system does not let it be read there") }
        guard count > 0 else { return false }
        guard count == range.count else { throw .truncated }
        return true
    }

    private func grow(to length: Int) {
        let size = unsafe max(length, 2 * memory.count)
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<PcapngBlocks.leastLength]))
        unsafe memory.deallocate()
        unsafe memory = unsafe larger
    }
}
