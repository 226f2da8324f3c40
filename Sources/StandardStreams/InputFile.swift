package import Foundation

/// What a user names as a file to read: one on a disk, a pipe or a device that hands out bytes.
package enum InputFile {
    /// Name of the path that stands for standard input.
    package static let standardInput = "-"

    /// Whether there is something to read.
    /// - Parameter path: of the file, or ``standardInput``.
    /// - Returns: whether it can be opened.
    package static func isReadable(_ path: String) -> Bool {
        path == standardInput || FileManager.default.isReadableFile(atPath: path)
    }

    /// Reads all that is in it.
    /// - Parameter path: of the file, or ``standardInput``.
    /// - Returns: all its bytes.
    /// - Throws: an error of Foundation.
    package static func bytes(of path: String) throws -> Data {
        if path == standardInput { return try FileHandle.standardInput.readToEnd() ?? Data() }
        // `Data(contentsOf:)` takes pipes for files that may not be read.
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        return try file.readToEnd() ?? Data()
    }

    /// Why a file cannot be read that must be read more than once.
    /// - Parameter path: of the file.
    /// - Returns: the reason in words; `nil` where it can, or is not there.
    package static func obstacle(to path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return nil }
        return "it is a pipe or a device; a file is expected, for it is read more than once"
    }
}
