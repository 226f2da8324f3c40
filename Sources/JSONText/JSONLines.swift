/// The lines of a text that holds one JSON value a line.
public enum JSONLines {
    /// One line that is not blank.
    public struct Line: Hashable, Sendable {
        /// Its number in the text, from 1, blank lines counted.
        public var number: Int
        /// Its bytes, without the line's end.
        public var range: Range<Int>

        public init(number: Int, range: Range<Int>) {
            self.number = number
            self.range = range
        }
    }

    /// The lines of a text that hold more than white space, found as they are asked for: a text of a few bytes a line
    /// costs no more memory than its bytes.
    public struct Lines: Sequence, IteratorProtocol, Sendable {
        private let bytes: [UInt8]
        private var start = 0
        private var number = 1

        fileprivate init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// The next line; `nil` after the last.
        public mutating func next() -> Line? {
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: .newline) ?? bytes.count
                let line = Line(number: number, range: start..<end)
                start = end + 1
                number += 1
                if !isBlank(bytes[line.range]) { return line }
            }
            return nil
        }
    }

    /// Finds the lines of `bytes` that hold more than white space.
    public static func split(_ bytes: [UInt8]) -> Lines { Lines(bytes) }

    /// Whether there is nothing but white space.
    public static func isBlank(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { $0 == .space || $0 == .tab || $0 == .carriageReturn || $0 == .newline }
    }
}
