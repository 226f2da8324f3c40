public import Foundation
public import Testing

/// The recordings and captures that live beside the checkout, in `../shared`, and are not part of it.
public enum SharedData {
    /// The root of this package, found from this file.
    public static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let root = packageRoot.deletingLastPathComponent().appending(path: "shared/data")

    /// Whether the recordings are there. In CI they must be: their absence fails, it does not skip.
    public static var isAvailable: Bool {
        ProcessInfo.processInfo.environment["CI"] == "true" || FileManager.default.fileExists(atPath: root.path)
    }

    /// Runs a test only beside the recordings, and says so when it does not.
    public static var required: some TestTrait & SuiteTrait {
        ConditionTrait.enabled(if: isAvailable, "needs the recordings in ../shared/data")
    }

    /// A file of the shared data, by its path below `data`, such as `calls/01-clean/truth.json`.
    public static func url(_ path: String) -> URL {
        root.appending(path: path)
    }

    /// The lines of a file of the specifications beside the data, empty ones left out.
    public static func specificationLines(_ name: String) throws -> [[UInt8]] {
        let file = root.deletingLastPathComponent().appending(path: "spec/\(name)")
        return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map(Array.init)
    }

    /// The document of a client SDK, by its number.
    public static func seed(_ number: String) throws -> Data {
        let folder = root.deletingLastPathComponent().appending(path: "seeds")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let name = try #require(files.first { $0.hasPrefix(number) })
        return try Data(contentsOf: folder.appending(path: name))
    }

    /// The bytes of a file of the shared data.
    public static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: url(path)))
    }

    /// The lines of a text file of the shared data, empty ones left out.
    public static func lines(_ path: String) throws -> [[UInt8]] {
        try bytes(path).split(separator: UInt8(ascii: "\n")).map(Array.init)
    }

    /// The names of the recorded calls that have statistics of both ends.
    public static func callNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url("calls").path)
            .filter { FileManager.default.fileExists(atPath: url("calls/\($0)/truth.json").path) }
            .sorted()
    }
}
