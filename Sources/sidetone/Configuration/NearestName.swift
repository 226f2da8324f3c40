/// Finds what somebody may have meant.
enum NearestName {
    /// The name that takes the fewest changes to get to, if those are few for its length.
    static func of(_ text: String, among names: [String]) -> String? {
        guard text.utf8.count <= 100 else { return nil }
        let limit = max(2, text.count / 4)
        return names.map { (distance($0, text), $0) }.filter { $0.0 <= limit }.min { $0 < $1 }?.1
    }

    /// Letters to put in, to take out or to replace, and neighbours to swap (optimal string alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                let replaced = rows[row][column] + (letter == other ? 0 : 1)
                var least = min(replaced, rows[row][column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
