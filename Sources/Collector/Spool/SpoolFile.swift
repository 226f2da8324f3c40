import Foundation

/// A file without a name: it holds what shall not stay in memory, and is gone when the program ends, however it ends.
///
/// Nobody else can open it, for its name is taken away as soon as it is made.
struct SpoolFile: ~Copyable {
    private let descriptor: CInt
    private let folder: String
    /// Its length in bytes.
    private(set) var byteCount = 0

    /// - Parameter folder: where it takes its space.
    /// - Throws: when no file can be made there.
    init(in folder: String) throws(FactSpoolError) {
        var name = Array("\(folder)/facts-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw .cannotCreate(folder: folder, reason: Self.reason) }
        unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.init(descriptor, in: folder)
    }

    /// A file that exists.
    /// - Throws: when it cannot be opened.
    init(opening path: String, in folder: String) throws(FactSpoolError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotCreate(folder: folder, reason: Self.reason) }
        self.init(descriptor, in: folder)
    }

    private init(_ descriptor: CInt, in folder: String) {
        self.descriptor = descriptor
        self.folder = folder
    }

    deinit {
        close(descriptor)
    }

    /// Writes at the end.
    mutating func append(_ bytes: [UInt8]) throws(FactSpoolError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return pwrite(descriptor, rest.baseAddress, rest.count, off_t(byteCount + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .cannotWrite(folder: folder, reason: Self.reason) }
            written += count
        }
        byteCount += written
    }

    /// The bytes at a place that ``append(_:)`` filled.
    func bytes(at offset: Int, count: Int) throws(FactSpoolError) -> [UInt8] {
        var failure: FactSpoolError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled..<count])
                let read = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else {
                    failure = .cannotRead(folder: folder, reason: read < 0 ? Self.reason : "it ends too early")
                    return
                }
                filled += read
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Gives its space back.
    mutating func empty() {
        guard byteCount > 0 else { return }
        // Where that fails the space is written over all the same.
        _ = ftruncate(descriptor, 0)
        byteCount = 0
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
