import CPcap
import RTPMeter

/// libpcap's handle of a file or an interface: everything that touches its pointers.
///
/// The main file with `unsafe` in this folder. What libpcap lends for one frame, a header and bytes, becomes a
/// `RawSpan` whose life the compiler confines to one call; nothing else leaves.
@safe struct PcapHandle: ~Copyable {
    /// What one step of reading gave.
    enum Step {
        case frame(LentFrame)
        /// No frame is there yet.
        case none
        case end
        case failure
    }

    let pcap: OpaquePointer
    private let stream: CaptureStream?
    /// Whether libpcap closes the stream.
    private let hasGivenStream: Bool
    /// Whether times are those of pcap, whose 32 bits of seconds have no sign
    /// ([draft-ietf-opsawg-pcap §5](https://datatracker.ietf.org/doc/html/draft-ietf-opsawg-pcap)); libpcap gives them one.
    private let hasUnsignedSeconds: Bool

    /// Takes a handle that libpcap made for an interface.
    init(owning pcap: OpaquePointer) {
        unsafe self.pcap = unsafe pcap
        stream = nil
        hasGivenStream = false
        hasUnsignedSeconds = false
    }

    /// Begins to read a file. The stream is closed with the handle, or now if it is not a capture file.
    init(reading stream: CaptureStream, path: String) throws(CaptureError) {
        var words = Self.errorBuffer
        let opened = unsafe pcap_fopen_offline_with_tstamp_precision(
            stream.file, UInt32(PCAP_TSTAMP_PRECISION_NANO), &words)
        guard let opened = unsafe opened else {
            let error = Self.headerError(stream, path: path, reason: Self.text(words))
            stream.discard()
            throw error
        }
        unsafe pcap = unsafe opened
        self.stream = stream
        hasGivenStream = true
        hasUnsignedSeconds = !stream.isPcapng
    }

    /// Begins with what a reader reads alone: libpcap has the link type, and no frames. The stream is closed with the
    /// handle, or now if it is not a capture file.
    init(beside reader: PcapngReader, of stream: CaptureStream, path: String) throws(CaptureError) {
        guard let number = reader.findLinkNumber(), let dead = unsafe pcap_open_dead(number, 0) else {
            let error = Self.headerError(stream, path: path, end: reader.end, hasSection: reader.blocks.isBig != nil)
            stream.discard()
            throw error
        }
        unsafe pcap = unsafe dead
        self.stream = stream
        hasGivenStream = false
        hasUnsignedSeconds = false
    }

    deinit {
        unsafe pcap_close(pcap)
        if hasGivenStream { stream?.releaseBuffer() } else { stream?.discard() }
    }

    // MARK: Frames

    /// The next frame, valid until the next call.
    func next() -> Step {
        var header: UnsafeMutablePointer<pcap_pkthdr>?
        var data: UnsafePointer<UInt8>?
        switch unsafe pcap_next_ex(pcap, &header, &data) {
        case 1:
            guard let header = unsafe header, let data = unsafe data else { return .failure }
            let bytes = unsafe UnsafeRawBufferPointer(start: data, count: Int(header.pointee.caplen))
            let seconds = unsafe Int64(header.pointee.ts.tv_sec)
            // With nanosecond precision asked for, `tv_usec` holds nanoseconds.
            let time = unsafe ArrivalTime(
                seconds: hasUnsignedSeconds ? Int64(UInt32(truncatingIfNeeded: seconds)) : seconds,
                nanoseconds: Int64(header.pointee.ts.tv_usec))
            return unsafe .frame(LentFrame(bytes, length: header.pointee.len, time: time))
        case 0: return .none
        case PCAP_ERROR_BREAK: return .end
        default: return .failure
        }
    }

    /// How records lie in the file, if we can read them without libpcap from here on.
    func plainRecords(linkType: LinkType) -> PlainRecords? {
        guard let stream, stream.descriptor != nil, stream.offset == PlainRecords.fileHeaderLength else { return nil }
        return PlainRecords(header: stream.firstBytes, linkType: linkType)
    }

    // MARK: Properties

    /// libpcap's last words on this handle.
    var lastError: String {
        unsafe String(cString: pcap_geterr(pcap))
    }

    /// What frames begin with; `source` is the file or interface, for the message.
    func linkType(of source: String) throws(CaptureError) -> LinkType {
        let number = unsafe pcap_datalink(pcap)
        if let type = LinkType(rawValue: number) { return type }
        let name = unsafe pcap_datalink_val_to_name(number).map { unsafe String(cString: $0) }
        throw .unsupportedLinkType(source: source, number: Int(number), name: name ?? "unknown")
    }

    /// Lets only frames through that a BPF expression matches.
    func setFilter(_ filter: String) throws(CaptureError) {
        try unsafe withProgram(of: filter) { program throws(CaptureError) in
            guard unsafe pcap_setfilter(pcap, &program) == 0 else {
                throw .badFilter(filter: filter, reason: lastError)
            }
        }
    }

    /// Looks whether a BPF expression can be read, of frames of one kind or another: what an interface has is known when it is
    /// open.
    static func checkFilter(_ filter: String) throws(CaptureError) {
        var failure: CaptureError?
        for linkType in [DLT_EN10MB, DLT_LINUX_SLL, DLT_RAW, DLT_IEEE802_11_RADIO] {
            guard let dead = unsafe pcap_open_dead(linkType, 65_535) else { return }
            do {
                return try unsafe PcapHandle(owning: dead).withProgram(of: filter) { _ in }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func withProgram(
        of filter: String, _ body: (inout bpf_program) throws(CaptureError) -> Void
    ) throws(CaptureError) {
        var program = unsafe bpf_program()
        guard unsafe pcap_compile(pcap, &program, filter, 1, PCAP_NETMASK_UNKNOWN) == 0 else {
            throw .badFilter(filter: filter, reason: lastError)
        }
        defer { unsafe pcap_freecode(&program) }
        try unsafe body(&program)
    }

    /// What the kernel counted; its numbers have 32 bits and begin anew after 2³².
    func counters() -> (received: UInt32, droppedByKernel: UInt32, droppedByInterface: UInt32)? {
        var counters = pcap_stat()
        guard unsafe pcap_stats(pcap, &counters) == 0 else { return nil }
        return (counters.ps_recv, counters.ps_drop, counters.ps_ifdrop)
    }

    /// A descriptor that becomes readable when frames are there; nil if the interface has none.
    var descriptor: Int32? {
        let number = unsafe pcap_get_selectable_fd(pcap)
        return number < 0 ? nil : number
    }

    // MARK: Files

    /// The descriptor of a file that is read as it is stored; nil of others, and of interfaces.
    var fileDescriptor: Int32? { stream?.descriptor }

    /// Goes to another place in a file that is read as it is stored. False if the system refuses.
    func seek(to offset: Int) -> Bool { stream?.seek(to: offset) ?? false }

    /// How far the reading of a file is, in stored bytes.
    var fileOffset: Int { stream?.offset ?? 0 }

    /// The length of the file as it is stored.
    var fileLength: Int? { stream?.length }

    /// What the end of the bytes means: compressed data may stop early, and just where a frame ends.
    func end(path: String, frames: Int) -> FrameLoopEnd {
        stream?.inflationError == nil ? .endOfFile : .broken(breakage(path: path, frames: frames))
    }

    /// Why libpcap stopped before the end of the file.
    func breakage(path: String, frames: Int) -> CaptureError {
        let words = lastError
        // libpcap has no error number for this, only these words.
        guard !words.hasPrefix("truncated ") else { return breakage(path: path, frames: frames, reason: nil) }
        let reason = words.isEmpty ? "the system does not let it be read there" : words
        return breakage(path: path, frames: frames, reason: reason)
    }

    /// What it means that reading stopped here for a reason; nil when the file ends inside a frame.
    func breakage(path: String, frames: Int, reason: String?) -> CaptureError {
        guard let reason = stream?.inflationError ?? reason else {
            return .truncated(path: path, byte: fileOffset, frames: frames)
        }
        return .damaged(path: path, byte: fileOffset, frames: frames, reason: reason)
    }

    /// A reader of the same file, at its beginning, that does without libpcap; nil for other formats, for what is piped
    /// in, and for damaged gzip. Until it leaves, libpcap must not read.
    func pcapngReader() -> PcapngReader? {
        guard let stream, stream.isPcapng, stream.inflationError == nil else { return nil }
        return PcapngReader(beside: stream)
    }

    /// What a pcapng file says before its first frame; nil where there is no ``pcapngReader()``.
    func opening() -> PcapngBlocks? {
        guard let reader = pcapngReader() else { return nil }
        _ = reader.next()
        reader.leave()
        return reader.blocks
    }

    /// What a pcapng file says was dropped while it was captured; nil where it does not say, and of compressed ones.
    func statisticsAtEnd() -> CaptureStatistics? {
        guard let stream, stream.isPcapng, stream.firstBytes.count >= PcapngBlocks.leastLength,
            let bytes = stream.tail(PcapngTail.mostBytes)
        else { return nil }
        return PcapngTail(bytes, isBig: stream.firstBytes[8] == 0x1A).statistics
    }

    private static func headerError(_ stream: CaptureStream, path: String, reason: String) -> CaptureError {
        if let inflation = stream.inflationError { return .damagedHeader(path: path, reason: inflation) }
        if stream.place == 0, !stream.hasFailed { return .emptyFile(path: path) }
        // Fewer bytes than any magic number has, or another one.
        guard reason.contains("unknown file format") || (1..<4).contains(stream.firstBytes.count) else {
            return .damagedHeader(path: path, reason: reason)
        }
        if stream.isCompressed { return .damagedHeader(path: path, reason: "what it inflates to is no capture") }
        return .notACapture(path: path, firstBytes: Array(stream.firstBytes.prefix(4)))
    }

    /// Why what a reader reads alone describes no interface.
    private static func headerError(
        _ stream: CaptureStream, path: String, end: PcapngEnd?, hasSection: Bool
    ) -> CaptureError {
        if let inflation = stream.inflationError { return .damagedHeader(path: path, reason: inflation) }
        guard case .damaged(let reason) = end else {
            return .damagedHeader(path: path, reason: "it ends before it describes an interface")
        }
        return hasSection
            ? .damagedHeader(path: path, reason: reason) : .notACapture(path: path, firstBytes: stream.firstBytes)
    }

    // MARK: Words

    /// Room for one message of libpcap.
    static var errorBuffer: [CChar] { [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE)) }

    static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
