import JSONText

/// The parts of a file that is a list, found as they are asked for, so that their number costs no memory.
enum ListedParts: Sequence, IteratorProtocol {
    /// One a line.
    case lines(JSONLines.Lines)
    /// Those of an array, and the number that the next one gets.
    case elements(JSONSlices.Elements, next: Int)

    mutating func next() -> JSONLines.Line? {
        switch self {
        case .lines(var lines):
            let line = lines.next()
            self = .lines(lines)
            return line
        case .elements(var elements, let number):
            let range = elements.next()
            self = .elements(elements, next: number + 1)
            return range.map { JSONLines.Line(number: number, range: $0) }
        }
    }
}
