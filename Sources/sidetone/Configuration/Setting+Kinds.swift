import ArgumentParser

extension Setting where Value == Int {
    /// A whole number in `range`.
    static func whole(
        _ names: SettingNames, _ meaning: String, unit: String? = nil, in range: ClosedRange<Int>, default value: Int
    ) -> Setting {
        let expected = range.words
        return Setting(
            names, meaning, unit: unit, expected: expected, default: value, shown: ["\(value)"],
            read: { texts throws(SettingFault) in try range.read(texts, expected: expected) })
    }
}

extension Setting where Value == Int? {
    /// A whole number in `range`, or nothing.
    static func whole(
        _ names: SettingNames, _ meaning: String, unit: String? = nil, in range: ClosedRange<Int>
    ) -> Setting {
        let expected = range.words
        return Setting(
            names, meaning, unit: unit, expected: expected, default: nil, shown: nil,
            read: { texts throws(SettingFault) in try range.read(texts, expected: expected) })
    }
}

extension Setting where Value == Double? {
    /// A number above 0 and at most `limit`, or nothing.
    static func number(
        _ names: SettingNames, _ meaning: String, unit: String? = nil, upTo limit: Int
    ) -> Setting {
        let expected = "a number above 0 and at most \(limit)"
        return Setting(names, meaning, unit: unit, expected: expected, default: nil, shown: nil) {
            texts throws(SettingFault) in
            let text = texts.first ?? ""
            guard let value = Double(text), value > 0, value <= Double(limit) else {
                throw SettingFault(found: text.asFound, expected: expected)
            }
            return value
        }
    }
}

extension Setting where Value == Bool {
    /// Yes or no.
    static func yesOrNo(_ names: SettingNames, _ meaning: String, default value: Bool) -> Setting {
        Setting(names, meaning, expected: "true or false", default: value, shown: ["\(value)"]) {
            texts throws(SettingFault) in
            switch texts.first?.lowercased() {
            case "true", "yes", "on", "1": return true
            case "false", "no", "off", "0": return false
            default: throw SettingFault(found: (texts.first ?? "").asFound, expected: "true or false")
            }
        }
    }
}

extension Setting where Value == String {
    /// A text that is not empty.
    static func text(_ names: SettingNames, _ meaning: String, expected: String, default value: String) -> Setting {
        Setting(names, meaning, expected: expected, default: value, shown: [value]) { texts throws(SettingFault) in
            try texts.text(expected)
        }
    }
}

extension Setting where Value == String? {
    /// A text that is not empty, or nothing.
    static func text(_ names: SettingNames, _ meaning: String, expected: String, isSecret: Bool = false) -> Setting {
        Setting(names, meaning, expected: expected, isSecret: isSecret, default: nil, shown: nil) {
            texts throws(SettingFault) in try texts.text(expected)
        }
    }
}

extension Setting where Value: ExpressibleByArgument {
    /// Whatever a flag of this type takes.
    static func argument(
        _ names: SettingNames, _ meaning: String, expected: String, default value: Value
    ) -> Setting {
        Setting(names, meaning, expected: expected, default: value, shown: [value.defaultValueDescription]) {
            texts throws(SettingFault) in
            let text = texts.first ?? ""
            guard let value = Value(argument: text) else {
                throw SettingFault(found: text.asFound, expected: expected)
            }
            return value
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var words: String {
        upperBound == .max
            ? "a whole number of at least \(lowerBound)" : "a whole number from \(lowerBound) to \(upperBound)"
    }

    fileprivate func read(_ texts: [String], expected: String) throws(SettingFault) -> Int {
        let text = texts.first ?? ""
        guard let value = Int(text), contains(value) else {
            throw SettingFault(found: text.asFound, expected: expected)
        }
        return value
    }
}

extension [String] {
    fileprivate func text(_ expected: String) throws(SettingFault) -> String {
        guard let text = first, !text.isEmpty else { throw SettingFault(found: "empty", expected: expected) }
        return text
    }
}

extension String {
    /// How the text stands in a message: a number bare, other texts in quotes, a long one cut.
    fileprivate var asFound: String {
        if isEmpty { return "empty" }
        if Double(self) != nil { return self }
        return count <= 80 ? "\"\(self)\"" : "\"\(prefix(80))…\""
    }
}
