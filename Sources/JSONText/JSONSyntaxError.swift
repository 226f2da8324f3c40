/// Why a text could not be read as JSON, and where.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// What was wrong.
    public enum Problem: Hashable, Sendable {
        /// Something stood where something else had to stand.
        case unexpected(found: String, expected: String)
        /// The text ended too early.
        case ended(expected: String)
        /// A word such as `NaN` or `-inf` in place of a number.
        case notANumber(String)
        /// A number beyond the range of a 64-bit float, as it was spelled.
        case numberOutOfRange(String)
        /// Bytes of a string that are not UTF-8.
        case invalidUTF8
        /// Deeper than the limit.
        case tooDeep(limit: Int)
        /// A string longer than the limit, in bytes.
        case stringTooLong(limit: Int)
        /// More values than the limit.
        case tooManyValues(limit: Int)
    }

    /// What was found and what was expected.
    public var problem: Problem
    /// Bytes before the place, from the beginning of the buffer.
    public var offset: Int
    /// The line of the place, from 1.
    public var line: Int
    /// The byte of the line, from 1.
    public var column: Int

    /// Finds line and column of `offset` in a text that begins at `start` of `bytes`, where a line begins.
    public init(_ problem: Problem, at offset: Int, in bytes: [UInt8], from start: Int = 0, firstLine: Int = 1) {
        // Only the text itself is searched: a million short lines must not cost a million searches of the whole.
        let before = bytes[start..<offset]
        self.problem = problem
        self.offset = offset
        line = firstLine + before.count { $0 == .newline }
        column = offset - (before.lastIndex(of: .newline).map { $0 + 1 } ?? start) + 1
    }

    /// Whether the text exceeded a limit, rather than being no JSON.
    public var isLimit: Bool {
        switch problem {
        case .tooDeep, .stringTooLong, .tooManyValues: true
        default: false
        }
    }

    /// Whether a word for a number that is none stood in the way; see ``JSONLimits/acceptsBareNonNumbers``.
    public var isBareNonNumber: Bool {
        if case .notANumber = problem { return true }
        return false
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    public var description: String {
        "line \(line), column \(column): \(problem)"
    }
}

extension JSONSyntaxError.Problem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unexpected(let found, let expected): "found \(found), expected \(expected)"
        case .ended(let expected): "the text ended, expected \(expected)"
        case .notANumber(let word): "\(word) is not JSON; expected a number"
        case .numberOutOfRange(let text): "the number \(text) is beyond the range of a 64-bit float"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .stringTooLong(let limit): "a string longer than \(limit) bytes"
        case .tooManyValues(let limit): "more than \(limit) values"
        }
    }
}
