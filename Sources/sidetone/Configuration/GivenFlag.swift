import ArgumentParser

/// A flag that was given, and the setting it is for.
struct GivenFlag: Sendable {
    let row: any SettingRow
    /// The flag as it was given: commands may call the same setting by other flags.
    let name: String
    let texts: [String]

    /// Nil when it was not given.
    /// - Parameters:
    ///   - row: the setting.
    ///   - value: what the flag says; nil when it was not given.
    ///   - name: the flag, where it is not the setting's own.
    init?(_ row: any SettingRow, _ value: (some CustomStringConvertible)?, name: String? = nil) {
        guard let value else { return nil }
        self.init(row, texts: [value.description], name: name)
    }

    /// Nil when the flag of a list was never given.
    init?(_ row: any SettingRow, list values: [String], name: String? = nil) {
        guard !values.isEmpty else { return nil }
        self.init(row, texts: values, name: name)
    }

    private init(_ row: any SettingRow, texts: [String], name: String?) {
        self.row = row
        self.name = name ?? row.flag
        self.texts = texts
    }

    /// - Throws: `ValidationError` that names the flag, what it is, and what was expected.
    func check() throws {
        do throws(SettingFault) {
            try row.check(texts)
        } catch {
            throw ValidationError("\(name) \(error)")
        }
    }
}

/// A group of options that set something.
protocol SettingOptions: ParsableArguments {
    /// Those that were given.
    var given: [GivenFlag] { get }
}

extension SettingOptions {
    /// Checks every flag that was given.
    func validate() throws {
        for flag in given { try flag.check() }
    }
}
