import Deflate
public import Foundation

/// A database that an earlier version wrote: both ends of `SampleData/03-loss5`, and the caller's of `26-no-answer`.
public struct EarlierDatabase: Sendable, CaseIterable, CustomStringConvertible {
    /// The rules that derived what is in it.
    public let rulesVersion: Int
    private let name: String

    public static let allCases = [
        EarlierDatabase(rulesVersion: 1, name: "schema1-rules1"),
        EarlierDatabase(rulesVersion: 2, name: "schema2-rules2"),
    ]

    /// The first version that could be used.
    public static let first = allCases[0]

    public var description: String { name }

    /// Writes it to a place where it can be opened.
    public func write(to file: URL) throws {
        let packed = SharedData.packageRoot.appending(path: "SampleData/databases/\(name).sqlite.gz")
        let bytes = try Gzip.inflate(Array(Data(contentsOf: packed)), maximumBytes: 4 << 20, maximumRatio: 1_000)
        try Data(bytes).write(to: file)
    }
}
