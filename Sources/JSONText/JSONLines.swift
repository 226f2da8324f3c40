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

    /// Finds the lines of `bytes` that hold more than white space.
    public static func split(_ bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = 0
        var number = 1
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: .newline) ?? bytes.count
            if !isBlank(bytes[start..<end]) { lines.append(Line(number: number, range: start..<end)) }
            start = end + 1
            number += 1
        }
        return lines
    }

    /// Whether there is nothing but white space.
    public static func isBlank(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { $0 == .space || $0 == .tab || $0 == .carriageReturn || $0 == .newline }
    }
}
