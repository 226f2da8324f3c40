import CallModel

/// One line of text whose parts may be coloured. Its width does not depend on the colours.
struct Line: Hashable {
    struct Span: Hashable {
        var text: String
        var ink: Ink?
    }

    private(set) var spans: [Span]

    init(_ text: String = "", _ ink: Ink? = nil) {
        spans = [Span(text: text, ink: ink)]
    }

    /// Columns it takes on a terminal.
    var width: Int {
        spans.reduce(0) { $0 + $1.text.columnWidth }
    }

    static func + (left: Line, right: Line) -> Line {
        var sum = left
        sum.spans += right.spans
        return sum
    }

    /// The text without spaces at its end, with ANSI colours if wanted.
    func rendered(isColoured: Bool) -> String {
        var kept = spans
        while let last = kept.last {
            let text = last.text.trimmingTrailingSpaces
            guard text.isEmpty else {
                kept[kept.count - 1].text = text
                break
            }
            kept.removeLast()
        }
        return kept.map { isColoured ? $0.coloured : $0.text }.joined()
    }
}

extension Line.Span {
    /// The text in the escape sequences of ECMA-48 SGR.
    var coloured: String {
        guard let ink, !text.isEmpty else { return text }
        return "\u{1b}[\(ink.code)m\(text)\u{1b}[0m"
    }
}

/// A colour or weight; it only ever repeats what the text says.
enum Ink: Hashable {
    case heading
    case band(QualityBand)

    /// The SGR parameter (ECMA-48 §8.3.117).
    var code: String {
        switch self {
        case .heading: "1"
        case .band(.excellent): "32"
        case .band(.good): "36"
        case .band(.fair): "33"
        case .band(.poor): "35"
        case .band(.bad): "31"
        }
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}
