import CollectorServer
import Foundation
import StandardStreams

/// Reads and extends files of tokens.
enum TokenFile {
    /// - Throws: ``TokenFileFailure`` when it cannot be read, or something in it is wrong.
    static func read(_ path: String) throws -> TokenTable {
        try table(of: try text(of: path), in: path)
    }

    private static func text(of path: String) throws(TokenFileFailure) -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw TokenFileFailure(path: path, reason: FileWords.reason(for: error, reading: path))
        }
    }

    private static func table(of text: String, in path: String) throws(TokenFileFailure) -> TokenTable {
        do throws(TokenFileError) {
            return try TokenTable(parsing: text)
        } catch {
            throw TokenFileFailure(path: path, reason: "\(error)")
        }
    }

    /// Adds the line of a token. A file that is not there is made, for nobody else to read.
    /// - Parameters:
    ///   - entry: the line.
    ///   - path: the file.
    ///   - tell: hands out the token, which is kept nowhere: a line for one that nobody has is not added.
    /// - Throws: ``TokenFileFailure`` when it cannot be read or written, or no server could use it with that line; what `tell` does.
    static func append(_ entry: TokenEntry, to path: String, once tell: () throws -> Void) throws {
        let line = entry.line
        if FileManager.default.fileExists(atPath: path) {
            let text = try text(of: path)
            // Of what is wrong already the error tells.
            _ = try table(of: text, in: path)
            do throws(TokenFileFailure) {
                _ = try table(of: text + "\n" + line, in: path)
            } catch {
                throw TokenFileFailure(path: path, reason: "with one more \(error.reason)")
            }
        }
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TokenFileFailure(path: path, reason: String(cString: strerror(errno)))
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let before = try file.readToEnd() ?? Data()
        let newline = before.isEmpty || before.last == UInt8(ascii: "\n") ? "" : "\n"
        try tell()
        do {
            try file.write(contentsOf: Data((newline + line + "\n").utf8))
        } catch {
            throw TokenFileFailure(path: path, reason: FileWords.reason(for: error, reading: path))
        }
    }
}

/// A file of tokens cannot be used.
struct TokenFileFailure: Error, Hashable, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "cannot use the tokens in \(path): \(reason)" }
}

/// What the system says of a file, in words without its path.
enum FileWords {
    static func reason(for error: any Error, reading path: String) -> String {
        if isDirectory(path) { return "it is a directory; the name of a file is expected" }
        if let reason = InputFile.obstacle(to: path) { return reason }
        return switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile, .fileNoSuchFile: "there is no such file"
        case .fileReadNoPermission: "no permission to read it"
        case .fileReadInapplicableStringEncoding, .fileReadCorruptFile: "it is not UTF-8 text"
        default: error.localizedDescription
        }
    }

    static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
