/// Rows of cells in columns as wide as their contents, up to a limit; cells wider than it continue below.
struct TextTable {
    struct Column {
        var isRightAligned = false
        var limit: Int
    }

    var columns: [Column]
    var rows: [[String]]
    var indent = 2
    var gap = 2

    var lines: [Line] {
        let widths = self.widths
        return rows.flatMap { lines(of: $0, widths: widths) }
    }

    private var widths: [Int] {
        columns.enumerated().map { index, column in
            min(column.limit, rows.map { index < $0.count ? $0[index].columnWidth : 0 }.max() ?? 0)
        }
    }

    private func lines(of row: [String], widths: [Int]) -> [Line] {
        let cells = zip(row, widths).map { $0.pieces(ofWidth: max($1, 1)) }
        let height = cells.map(\.count).max() ?? 0
        return (0..<height).map { level in
            let texts = zip(cells.indices, cells).map { index, pieces in
                (level < pieces.count ? pieces[level] : "")
                    .padded(to: widths[index], atStart: columns[index].isRightAligned)
            }
            let margin = String(repeating: " ", count: indent)
            return Line(margin + texts.joined(separator: String(repeating: " ", count: gap)))
        }
    }
}
