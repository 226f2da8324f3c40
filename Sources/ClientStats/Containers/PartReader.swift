import CallModel

/// Reads a body whose parts stand side by side: the elements of an array, or one a line.
protocol PartReader {
    var builder: SubmissionBuilder { get set }

    /// Reads one part. What is wrong with it alone is refused, so that it costs no other.
    /// - Throws: when there are too many parts.
    mutating func readPart(_ value: JSONValue, at place: BodyPlace) throws(ClientStatsError)
}

extension PartReader {
    mutating func readLines(_ lines: [BodyDocument.Line]) throws(ClientStatsError) {
        for (index, line) in lines.enumerated() {
            switch line.value {
            case .success(let value): try readPart(value, at: .line(index, number: line.number))
            case .failure(let problem): builder.refuse(problem, at: BodyPlace(index: index, name: ""))
            }
        }
    }

    mutating func readElements(_ elements: [JSONValue]) throws(ClientStatsError) {
        for (index, element) in elements.enumerated() { try readPart(element, at: .element(index)) }
    }
}
