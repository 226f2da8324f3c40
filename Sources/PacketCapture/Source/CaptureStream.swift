import CPcap

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The bytes of a capture file as a C stream, which is what libpcap reads from; inflated on the way when they are
/// compressed.
///
/// One of the few files with `unsafe`: stdio and zlib are C, their handles are pointers. Each is made in `init`, handed
/// to libpcap (which closes the stream with its own handle) and used for nothing but asking how far it is.
@safe struct CaptureStream {
    /// Bytes a read of the file fetches; stdio's own 4,096 cost more in system calls than the frames in them.
    private static let bufferSize = 256 * 1024

    let file: UnsafeMutablePointer<FILE>
    /// Memory of the stream. Given to it because glibc, asked for a size alone, keeps to its own.
    private let buffer: UnsafeMutablePointer<CChar>
    /// The decompressor in front of the stream; nil when the file is read as it is.
    private let gzip: gzFile?
    /// Length of the file as it is stored; nil for what has no length.
    let length: Int?
    /// The first bytes, as many as a header has at most; empty for what cannot be read twice.
    let firstBytes: [UInt8]
    /// Whether they are those of gzip.
    let isCompressed: Bool
    /// Whether the bytes, inflated, are those of pcapng, by the first of them: no other capture begins with it.
    let isPcapng: Bool

    init(path: String) throws(CaptureError) {
        let descriptor = try Self.descriptor(of: path)
        length = try Self.length(of: descriptor, path: path)
        firstBytes = length == nil ? [] : Self.peek(descriptor)
        // zlib passes through what is not compressed, so a pipe, which cannot be looked at first, goes through it.
        isCompressed = firstBytes.starts(with: [0x1F, 0x8B])
        let needsInflating = length == nil || isCompressed
        unsafe gzip = needsInflating ? unsafe gzdopen(descriptor, "r") : nil
        let stream = unsafe gzip.map { unsafe capture_gzip_stream($0) } ?? fdopen(descriptor, "r")
        guard let stream = unsafe stream else { throw Self.openError(path) }
        unsafe file = unsafe stream
        if let gzip = unsafe gzip { unsafe gzbuffer(gzip, UInt32(Self.bufferSize)) }
        unsafe buffer = .allocate(capacity: Self.bufferSize)
        _ = unsafe setvbuf(file, buffer, _IOFBF, Self.bufferSize)
        let firstByte = unsafe gzip.map { unsafe Self.peek($0) } ?? firstBytes.first.map(Int32.init)
        isPcapng = firstByte == 0x0A
    }

    private static func descriptor(of path: String) throws(CaptureError) -> Int32 {
        let descriptor = path == CaptureFile.standardInput ? dup(0) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw openError(path) }
        return descriptor
    }

    /// The length of a regular file; nil for a pipe. Closes the descriptor when it throws.
    private static func length(of descriptor: Int32, path: String) throws(CaptureError) -> Int? {
        do throws(CaptureError) {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { throw openError(path) }
            guard status.st_mode & S_IFMT != S_IFDIR else { throw .directory(path: path) }
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            guard status.st_size > 0 else { throw .emptyFile(path: path) }
            return Int(status.st_size)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Closes it, when libpcap did not take it.
    func discard() {
        unsafe fclose(file)
        releaseBuffer()
    }

    /// Gives back its memory, when libpcap has closed it.
    func releaseBuffer() {
        unsafe buffer.deallocate()
    }

    /// How far the reading of the stored bytes is; of the inflated ones for a pipe, which does not tell.
    var offset: Int {
        guard let gzip = unsafe gzip else { return max(0, unsafe ftell(file)) }
        return length == nil ? place : max(0, Int(unsafe gzoffset(gzip)))
    }

    /// The descriptor of a regular file that is read as it is stored, and as long as the stream; nil for others.
    var descriptor: Int32? {
        length == nil || isCompressed ? nil : unsafe fileno(file)
    }

    /// The last bytes of a regular file that is read as it is stored; nil of others.
    func tail(_ most: Int) -> [UInt8]? {
        guard let length, let descriptor else { return nil }
        let size = min(most, length)
        return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, unsafe pread(descriptor, buffer.baseAddress, size, off_t(length - size)))
        }
    }

    /// Goes to another place in a file that is not compressed. False if the system refuses.
    func seek(to offset: Int) -> Bool {
        unsafe fseek(file, offset, SEEK_SET) == 0
    }

    // MARK: Beside libpcap

    /// Where the next byte of ``read(into:)`` lies among the inflated ones; libpcap may hold some of those before.
    var place: Int {
        if let gzip = unsafe gzip { return unsafe gztell(gzip) }
        return unsafe ftell(file)
    }

    /// Goes to such a place. False for what is piped in, and if the system refuses.
    func go(to place: Int) -> Bool {
        guard let gzip = unsafe gzip else { return seek(to: place) }
        guard length != nil else { return false }
        return unsafe gzseek(gzip, place, SEEK_SET) == place
    }

    /// Reads the next bytes, past libpcap.
    /// - Returns: How many there were; fewer than there is room for at the end only.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        guard let gzip = unsafe gzip else { return unsafe fread(room.baseAddress, 1, room.count, file) }
        return max(0, Int(unsafe gzread(gzip, room.baseAddress, UInt32(room.count))))
    }

    /// Whether the system did not let it be read; of a compressed file ``inflationError`` says that.
    var hasFailed: Bool { unsafe gzip == nil && ferror(file) != 0 }

    /// Why the decompressor stopped, in zlib's words; nil when it did not, or there is none.
    var inflationError: String? {
        guard let gzip = unsafe gzip else { return nil }
        var code: Int32 = 0
        guard let words = unsafe gzerror(gzip, &code), code != Z_OK, code != Z_STREAM_END else { return nil }
        if code == Z_BUF_ERROR { return "the compressed data stops before its end" }
        // zlib puts the name of the file first, which it does not know: "<fd:6>: incorrect data check".
        let text = unsafe String(cString: words)
        return text.split(separator: ": ").last.map(String.init) ?? text
    }

    /// The first bytes of a file, without moving in it.
    private static func peek(_ descriptor: Int32) -> [UInt8] {
        let most = PlainRecords.fileHeaderLength
        return unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            count = max(0, unsafe pread(descriptor, buffer.baseAddress, most, 0))
        }
    }

    /// The first inflated byte, which is put back; negative when there is none. One is all that zlib promises to take back.
    private static func peek(_ gzip: gzFile) -> Int32 {
        let byte = unsafe gzgetc(gzip)
        if byte >= 0 { unsafe gzungetc(byte, gzip) }
        return byte
    }

    /// Why a file could not be opened, by the system's error number.
    private static func openError(_ path: String) -> CaptureError {
        let number = errno
        if number == ENOENT { return .missingFile(path: path) }
        return .unreadableFile(path: path, reason: unsafe String(cString: strerror(number)))
    }
}
