/// Something that can be set: by a flag, in the environment, in a file, or not at all.
struct Setting<Value: Sendable>: SettingRow {
    let key: String
    let flag: String
    let meaning: String
    let unit: String?
    let expected: String
    let isSecret: Bool
    let isList: Bool
    let defaultTexts: [String]?
    /// What it is when nothing sets it.
    let fallback: Value
    private let read: @Sendable ([String]) throws(SettingFault) -> Value

    /// A setting that `read` makes a value of, from one text unless `isList`.
    init(
        _ names: SettingNames, _ meaning: String, unit: String? = nil, expected: String, isSecret: Bool = false,
        isList: Bool = false, default fallback: Value, shown defaultTexts: [String]?,
        read: @escaping @Sendable ([String]) throws(SettingFault) -> Value
    ) {
        (key, flag) = (names.key, names.flag)
        self.meaning = meaning
        self.unit = unit
        self.expected = expected
        self.isSecret = isSecret
        self.isList = isList
        self.defaultTexts = defaultTexts
        self.fallback = fallback
        self.read = read
    }

    /// The value that is written so.
    func value(_ texts: [String]) throws(SettingFault) -> Value {
        do throws(SettingFault) {
            return try read(texts)
        } catch {
            throw isSecret ? SettingFault(found: "not shown, for it is a secret", expected: error.expected) : error
        }
    }

    func check(_ texts: [String]) throws(SettingFault) {
        _ = try value(texts)
    }
}

/// How a setting is called.
struct SettingNames: ExpressibleByStringLiteral, Sendable {
    let key: String
    let flag: String

    /// - Parameters:
    ///   - key: `keep.calls`.
    ///   - flag: `--capture`; nil for the key with dashes, `--keep-calls`.
    init(_ key: String, flag: String? = nil) {
        self.key = key
        self.flag = flag ?? "--" + key.split(separator: ".").joined(separator: "-")
    }

    init(stringLiteral key: String) {
        self.init(key)
    }
}
