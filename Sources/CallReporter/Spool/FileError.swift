#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the system said of a file.
struct FileError: Error, Hashable, CustomStringConvertible {
    /// What was tried: `write`.
    let operation: String
    let path: String
    /// The system's number, `errno`.
    let code: Int32

    init(_ operation: String, _ path: String, code: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// Whether there is no such file: whoever waits for it waits for ever.
    var isAbsence: Bool { code == ENOENT }

    var description: String { "\(operation) \(path): \(String(cString: strerror(code)))" }
}
