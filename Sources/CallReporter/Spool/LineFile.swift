import Deflate

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file of lines that is only added to. Each has a checksum before it: what a crash tore or a power cut damaged is passed
/// over when the file is read, and costs no more than itself.
///
/// A class, for it owns an open file.
final class LineFile {
    let path: String
    /// Bytes in the file.
    private(set) var length: Int
    private let descriptor: Int32
    /// Whether the file ends within a line that could be neither finished nor taken back.
    private var isTorn = false

    /// Opens a file to add to, or makes it.
    /// - Throws: ``FileError``.
    init(addingTo path: String) throws(FileError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("open", path) }
        length = max(0, Int(lseek(descriptor, 0, SEEK_END)))
        var last = UInt8(ascii: "\n")
        isTorn = length > 0 && pread(descriptor, &last, 1, off_t(length - 1)) == 1 && last != UInt8(ascii: "\n")
    }

    deinit {
        close(descriptor)
    }

    /// Adds a line, whole or not at all. When this returns it is with the system: it survives the end of this process.
    /// - Parameter line: without an end of line in it.
    /// - Throws: ``FileError``.
    func add(_ line: [UInt8]) throws(FileError) {
        let end = [UInt8(ascii: "\n")]
        let bytes = (isTorn ? end : []) + Self.prefix(of: line) + line + end
        do {
            length += try FileBytes.write(bytes, to: descriptor, of: path)
            isTorn = false
        } catch {
            isTorn = isTorn || ftruncate(descriptor, off_t(length)) != 0
            throw error
        }
    }

    /// The whole lines of a file, oldest first.
    /// - Throws: ``FileError``.
    static func lines(of path: String) throws(FileError) -> [[UInt8]] {
        try FileBytes.read(path).split(separator: UInt8(ascii: "\n")).compactMap { line in
            let content = Array(line.dropFirst(prefixLength))
            return line.prefix(prefixLength).elementsEqual(prefix(of: content)) ? content : nil
        }
    }

    /// Eight digits and a space.
    private static let prefixLength = 9

    private static func prefix(of line: [UInt8]) -> [UInt8] {
        let digits = String(Checksum.crc32(line), radix: 16)
        return Array((String(repeating: "0", count: 8 - digits.utf8.count) + digits + " ").utf8)
    }
}
