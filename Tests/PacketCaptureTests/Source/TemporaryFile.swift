import Foundation

/// A file that a test writes, gone when the test is done.
final class TemporaryFile {
    let path = FileManager.default.temporaryDirectory.appending(path: "capture-\(UUID().uuidString)").path

    init(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A text with the path of this file replaced by the word FILE.
    func anonymous(_ text: String) -> String { text.replacing(path, with: "FILE") }
}
