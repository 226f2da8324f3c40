/// Paragraphs of a given width.
enum Wrap {
    /// Breaks a text at its spaces; `indent` spaces come before the first line, `hanging` before the others.
    static func lines(_ text: String, columns: Int, indent: Int = 2, hanging: Int = 2) -> [Line] {
        let words = text.split(separator: " ").map(String.init)
        return lines(words, separator: " ", columns: columns, indent: indent, hanging: hanging)
    }

    /// Sets items after a prefix, and below one another where they do not fit.
    static func lines(_ items: [String], prefix: String, columns: Int) -> [Line] {
        let margin = min(prefix.columnWidth, columns / 2 + 4)
        let lines = self.lines(items, separator: " ", columns: columns, indent: margin, hanging: margin)
        guard margin == prefix.columnWidth, let first = lines.first else { return [Line(prefix)] + lines }
        return [Line(prefix + first.rendered(isColoured: false).dropFirst(margin))] + lines.dropFirst()
    }

    /// Sets items one after the other with commas between them, at the ends of lines, too.
    static func list(_ items: [String], columns: Int, hanging: Int) -> [Line] {
        let texts = items.dropLast().map { $0 + "," } + items.suffix(1)
        return lines(texts, separator: " ", columns: columns, hanging: hanging)
    }

    /// Sets items one after the other, as many in a line as fit; one that fits no line is cut into several.
    static func lines(
        _ items: [String], separator: String, columns: Int, indent: Int = 2, hanging: Int = 2
    ) -> [Line] {
        let pieces = items.flatMap { $0.pieces(ofWidth: columns - max(indent, hanging)) }
        var lines: [String] = []
        var line = ""
        for piece in pieces {
            let margin = lines.isEmpty ? indent : hanging
            if line.isEmpty {
                line = String(repeating: " ", count: margin) + piece
            } else if line.columnWidth + separator.columnWidth + piece.columnWidth <= columns {
                line += separator + piece
            } else {
                lines.append(line)
                line = String(repeating: " ", count: hanging) + piece
            }
        }
        return (lines + (line.isEmpty ? [] : [line])).map { Line($0) }
    }
}
