import Configuration
import Foundation
import StandardStreams
import Yams

/// A file of settings in YAML.
///
/// The values are read by swift-configuration, which takes what it is asked for and passes over the rest. What else the
/// file has, and on what line, is looked up beside it.
struct ConfigurationFile: Sendable {
    /// Bytes that a file has at most: nobody writes more by hand.
    private static let maximumBytes = 1 << 20

    /// The path as it was given.
    let path: String
    let values: any ConfigSnapshot
    /// Every key that has a value, and where.
    let places: [String: Place]
    /// Keys that are set more than once.
    let repeated: [(key: String, line: Int)]

    /// Where a value stands, and what it is.
    struct Place: Hashable, Sendable {
        var line: Int
        var shape: Shape
    }

    /// What a value is.
    enum Shape: Hashable, Sendable {
        case scalar, list
        /// Nothing: a key with an empty value, such as a section of which every line is a comment.
        case empty
        /// A list of what is not plain text, or anything whose key is none.
        case nested
    }

    /// - Throws: ``ConfigurationError`` when the file cannot be read or is not YAML.
    init(reading path: String) throws {
        try self.init(path: path, data: try Self.data(of: path))
    }

    /// - Throws: ``ConfigurationError`` when it is not YAML.
    init(path: String, data: Data) throws {
        self.path = path
        let data = Self.withoutMark(data)
        let root: Node?
        do {
            root = try Yams.Parser(yaml: String(decoding: data, as: UTF8.self)).singleRoot()
        } catch let error as YamlError {
            throw ConfigurationError(faults: [Self.fault(in: path, error)])
        }
        guard let root, root.null == nil else {
            (values, places, repeated) = (InMemoryProvider(values: [:]).snapshot(), [:], [])
            return
        }
        guard let mapping = root.mapping else {
            let source = SettingSource.file(path, line: root.mark?.line ?? 1)
            throw ConfigurationError(faults: [.notYAML(source, problem: "there are no keys with values")])
        }
        var walk = Walk()
        walk.enter(mapping, at: [])
        (places, repeated) = (walk.places, walk.repeated)
        guard !walk.places.values.contains(where: { $0.shape == .nested }) else {
            // The library takes no part of such a file; the place is told as a wrong value.
            values = InMemoryProvider(values: [:]).snapshot()
            return
        }
        values = try YAMLSnapshot(data: data.bytes, providerName: path, parsingOptions: .default)
    }

    private static func data(of path: String) throws -> Data {
        do {
            let data = try Data(contentsOf: URL(filePath: path))
            guard data.count <= maximumBytes else {
                let reason = "it has \(data.count) bytes, more than the \(maximumBytes) that are read"
                throw ConfigurationError(faults: [.unreadable(path: path, reason: reason)])
            }
            return data
        } catch let error as CocoaError {
            let reason =
                switch error.code {
                case .fileReadNoSuchFile, .fileNoSuchFile: "there is no such file"
                case .fileReadNoPermission: InputFile.obstacle(to: path) ?? "this account may not read it"
                default: FileWords.isDirectory(path) ? "it is a directory" : error.localizedDescription
                }
            throw ConfigurationError(faults: [.unreadable(path: path, reason: reason)])
        }
    }

    /// Without the byte order mark that some editors begin a file with
    /// ([YAML 1.2.2 §5.2](https://yaml.org/spec/1.2.2/#52-character-encodings)).
    private static func withoutMark(_ data: Data) -> Data {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return data.starts(with: mark) ? Data(data.dropFirst(mark.count)) : data
    }

    private static func fault(in path: String, _ error: YamlError) -> ConfigurationFault {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return .notYAML(.file(path, line: mark.line), problem: problem)
        case .duplicatedKeysInMapping(let duplicates, let context):
            return .setTwice(key: duplicates.sorted().joined(separator: ", "), .file(path, line: context.mark.line))
        default:
            return .notYAML(.file(path, line: 1), problem: "it is not YAML")
        }
    }

    /// Goes through the keys of a file.
    private struct Walk {
        var places: [String: Place] = [:]
        var repeated: [(key: String, line: Int)] = []

        mutating func enter(_ mapping: Node.Mapping, at path: [String]) {
            for (name, value) in mapping {
                let parts = path + [name.string ?? "?"]
                if name.string == nil {
                    add(parts.joined(separator: "."), name.mark?.line ?? 1, .nested)
                } else if let inner = value.mapping {
                    enter(inner, at: parts)
                } else {
                    add(parts.joined(separator: "."), name.mark?.line ?? 1, Self.shape(of: value))
                }
            }
        }

        private mutating func add(_ key: String, _ line: Int, _ shape: Shape) {
            if places[key] != nil { repeated.append((key, line)) }
            places[key] = Place(line: line, shape: shape)
        }

        private static func shape(of value: Node) -> Shape {
            if let sequence = value.sequence {
                return sequence.allSatisfy { $0.scalar != nil } ? .list : .nested
            }
            return value.null != nil ? .empty : .scalar
        }
    }
}
