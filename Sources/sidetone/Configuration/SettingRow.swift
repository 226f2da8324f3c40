/// One line of the table of settings, whatever the type of its value; see ``Settings``.
protocol SettingRow: Sendable {
    /// Its name in a file, parts joined by dots: `keep.calls`. In the environment it is `SIDETONE_KEEP_CALLS`.
    var key: String { get }
    /// The flag of `sidetone serve` that sets it: `--keep-calls`.
    var flag: String { get }
    /// What it does, in a few words.
    var meaning: String { get }
    /// The unit of its value; nil when it has none.
    var unit: String? { get }
    /// What a value has to be, for messages: `a whole number of at least 1`.
    var expected: String { get }
    /// Whether its value is shown to nobody.
    var isSecret: Bool { get }
    /// Whether it takes several values.
    var isList: Bool { get }
    /// The value it has when nothing sets it, as one would write it; nil when it then has none.
    var defaultTexts: [String]? { get }

    /// Reads a value and forgets it.
    /// - Throws: ``SettingFault`` when it is none.
    func check(_ texts: [String]) throws(SettingFault)
}

extension SettingRow {
    /// The parts of the key.
    var components: [String] { key.split(separator: ".").map(String.init) }
}

/// Why a text is no value of a setting: what was found and what was expected, without the name of either.
struct SettingFault: Error, Hashable, Sendable {
    /// What the setting is instead: `0`, or `300 bytes long`.
    var found: String
    var expected: String
}

extension SettingFault: CustomStringConvertible {
    var description: String { "is \(found); expected \(expected)" }
}
