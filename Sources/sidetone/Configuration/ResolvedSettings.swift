/// Every setting with its value and where it came from, all of them checked.
struct ResolvedSettings: Sendable {
    /// What a setting is.
    struct Entry: Hashable, Sendable {
        /// As it was written; nil when it is not set and has no default.
        var texts: [String]?
        var source: SettingSource
    }

    /// The file that was read; nil when there was none.
    var file: String?
    private var entries: [String: Entry] = [:]

    init(file: String?) {
        self.file = file
    }

    /// What the setting of this line is.
    func entry(of row: any SettingRow) -> Entry {
        entries[row.key] ?? Entry(texts: row.defaultTexts, source: .fallback)
    }

    mutating func set(_ row: any SettingRow, _ entry: Entry) {
        entries[row.key] = entry
    }

    /// The value of a setting.
    subscript<Value>(setting: Setting<Value>) -> Value {
        // It was read once already when it was taken in.
        entries[setting.key]?.texts.flatMap { try? setting.value($0) } ?? setting.fallback
    }
}
