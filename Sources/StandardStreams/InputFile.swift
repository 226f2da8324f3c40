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
}
