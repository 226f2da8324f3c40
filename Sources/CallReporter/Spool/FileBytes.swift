#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files as bytes, by the calls of the system: it is they that say what a crash leaves behind.
enum FileBytes {
    /// Writes all bytes.
    /// - Returns: how many.
    /// - Throws: ``FileError``; then some may have been written.
    static func write(_ bytes: [UInt8], to descriptor: Int32, of path: String) throws(FileError) -> Int {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                #if canImport(Darwin)
                    Darwin.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                #elseif canImport(Musl)
                    Musl.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                #else
                    Glibc.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileError("write", path, code: count < 0 ? errno : ENOSPC) }
            done += count
        }
        return done
    }

    /// The content of a file.
    /// - Throws: ``FileError``.
    static func read(_ path: String) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("read", path) }
        let length = Int(status.st_size)
        var bytes = [UInt8](repeating: 0, count: length)
        let count = pread(descriptor, &bytes, length, 0)
        guard count >= 0 else { throw FileError("read", path) }
        bytes.removeLast(length - count)
        return bytes
    }

    /// The length of a file, which need not be opened for it; 0 where there is none.
    static func length(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Puts a file where one may lie: whoever looks finds the old one or the new one, also after a power cut.
    /// - Throws: ``FileError``; then what was there is there.
    static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let part = path + ".part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("open", part) }
        do throws(FileError) {
            _ = try write(bytes, to: descriptor, of: part)
            guard fsync(descriptor) == 0 else { throw FileError("fsync", part) }
        } catch {
            close(descriptor)
            unlink(part)
            throw error
        }
        close(descriptor)
        guard rename(part, path) == 0 else {
            let error = FileError("rename", part)
            unlink(part)
            throw error
        }
    }

    /// Removes a file, if there is one.
    static func remove(_ path: String) {
        unlink(path)
    }
}
