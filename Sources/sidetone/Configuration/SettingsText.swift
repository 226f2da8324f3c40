import CallModel

/// Settings as a file that could set them, with where each came from behind it.
struct SettingsText {
    /// Columns before the comment, where the value leaves as many.
    private static let column = 44

    private let settings: ResolvedSettings
    private let rows: [any SettingRow]
    private let explains: Bool

    init(_ settings: ResolvedSettings, rows: [any SettingRow] = Settings.all, explains: Bool) {
        self.settings = settings
        self.rows = rows
        self.explains = explains
    }

    var text: String {
        var lines: [String] = []
        var section: [String] = []
        for row in rows {
            let path = Array(row.components.dropLast())
            if path != section {
                section = path
                for (depth, name) in path.enumerated() { lines.append(Self.indent(depth) + name + ":") }
            }
            if explains { lines += explanation(of: row, indent: Self.indent(path.count)) }
            lines.append(line(of: row, indent: Self.indent(path.count)))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func explanation(of row: any SettingRow, indent: String) -> [String] {
        let unit = row.unit.map { ", in \($0)" } ?? ""
        return [indent + "# " + row.meaning, indent + "# Expected: \(row.expected)\(unit)."]
    }

    private func line(of row: any SettingRow, indent: String) -> String {
        let entry = settings.entry(of: row)
        let name = row.components.last ?? row.key
        guard let texts = entry.texts else { return Self.commented(indent + "# \(name):", "not set") }
        guard !row.isSecret else { return Self.commented(indent + "# \(name): ***", entry.source.description) }
        let scalars = texts.map(Self.scalar).joined(separator: ", ")
        let value = row.isList ? "[\(scalars)]" : scalars
        return Self.commented(indent + name + ": " + value, entry.source.description)
    }

    private static func commented(_ text: String, _ comment: String) -> String {
        text + String(repeating: " ", count: max(1, column - text.count)) + "# " + comment
    }

    private static func indent(_ depth: Int) -> String {
        String(repeating: "  ", count: depth)
    }

    /// A value as YAML takes it back: bare where it cannot be anything else.
    private static func scalar(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "./_-".contains($0)) }
        let isWord = text.first.map { $0.isLetter || $0.isNumber || $0 == "/" } ?? false
        // JSON's strings are strings of YAML, too.
        return isPlain && isWord && text.lowercased() != "null" ? text : JSONValue.string(text).canonicalText
    }
}
