import Configuration

/// Puts flags, environment and file together: for every setting the first that has it. Values are checked wherever they
/// stand, so that one that is covered today does no harm tomorrow.
struct SettingsReader {
    /// What variables of the environment begin with.
    static let prefix = "SIDETONE_"
    /// The variable that names the file, when no flag does.
    static let fileVariable = "SIDETONE_CONFIG"

    let rows: [any SettingRow]
    let flags: [GivenFlag]
    let environment: [String: String]
    let file: ConfigurationFile?

    /// - Parameters:
    ///   - rows: what can be set.
    ///   - flags: those that were given.
    ///   - environment: all variables; an empty one counts as not set.
    ///   - file: the file, if there is one.
    init(
        rows: [any SettingRow] = Settings.all, flags: [GivenFlag], environment: [String: String],
        file: ConfigurationFile?
    ) {
        self.rows = rows
        self.flags = flags
        self.environment = environment.filter { $0.key.hasPrefix(Self.prefix) && !$0.value.isEmpty }
        self.file = file
    }

    /// Reads the file at `path`, or if that is nil the one that the environment names, if it does.
    /// - Throws: ``ConfigurationError`` when the file cannot be read.
    init(flags: [GivenFlag], environment: [String: String], path: String?) throws {
        let named = environment[Self.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
        let file = try (path ?? named).map(ConfigurationFile.init(reading:))
        self.init(flags: flags, environment: environment, file: file)
    }

    /// - Throws: ``ConfigurationError`` with everything that is wrong.
    func read() throws -> ResolvedSettings {
        let variables = EnvironmentVariablesProvider(environmentVariables: environment).snapshot()
        var settings = ResolvedSettings(file: file?.path)
        var faults: [ConfigurationFault] = []
        var names: Set = [Self.fileVariable, ClientToken.variable]
        var ofFlags: [String: String] = [:]
        for row in rows {
            let type: ConfigType = row.isList ? .stringArray : .string
            let found = try variables.value(forKey: AbsoluteConfigKey(["sidetone"] + row.components), type: type)
            names.insert(found.encodedKey)
            ofFlags[Self.name(of: row.flag)] = found.encodedKey
            let entries = [
                flags.last { $0.row.key == row.key }.map { ($0.texts, SettingSource.flag($0.name)) },
                (found.value?.texts).map { ($0, .variable(found.encodedKey)) },
                try value(of: row, type, &faults),
            ].compactMap { $0 }
            for (texts, source) in entries {
                do throws(SettingFault) {
                    try row.check(texts)
                } catch {
                    faults.append(.wrongValue(key: row.key, source, error))
                }
            }
            if let (texts, source) = entries.first { settings.set(row, .init(texts: texts, source: source)) }
        }
        faults += unknownKeys + unknownVariables(besides: names, ofFlags)
        guard faults.isEmpty else { throw ConfigurationError(faults: faults) }
        return settings
    }

    /// What the file says of a setting; nil when it says nothing, or what cannot be read.
    private func value(
        of row: any SettingRow, _ type: ConfigType, _ faults: inout [ConfigurationFault]
    ) throws -> ([String], SettingSource)? {
        guard let file, let place = file.places[row.key] else { return nil }
        let source = SettingSource.file(file.path, line: place.line)
        let found: String
        switch (place.shape, row.isList) {
        case (.scalar, false), (.list, true):
            let value = try file.values.value(forKey: AbsoluteConfigKey(row.components), type: type).value
            return (value?.texts).map { ($0, source) }
        case (.empty, _): found = "empty"
        case (.nested, _): found = "a list of lists or keys"
        case (.list, false): found = "a list"
        case (.scalar, true): found = "a single value"
        }
        let expected = row.isList ? "a list of \(row.expected)" : row.expected
        faults.append(.wrongValue(key: row.key, source, SettingFault(found: found, expected: expected)))
        return nil
    }

    private var unknownKeys: [ConfigurationFault] {
        guard let file else { return [] }
        let known = rows.map(\.key)
        let unknown = file.places.filter { key, place in
            let isSection = place.shape == .empty && known.contains { $0.hasPrefix(key + ".") }
            return !known.contains(key) && !isSection
        }
        let repeated = file.repeated.map {
            ConfigurationFault.setTwice(key: $0.key, .file(file.path, line: $0.line))
        }
        return repeated
            + unknown.sorted { ($0.value.line, $0.key) < ($1.value.line, $1.key) }.map { key, place in
                .unknownKey(
                    key, .file(file.path, line: place.line), nearest: NearestName.of(key, among: known))
            }
    }

    /// Who knows only a flag looks for a variable of its name; `ofFlags` has, by that, what it is called instead.
    private func unknownVariables(
        besides names: Set<String>, _ ofFlags: [String: String]
    ) -> [ConfigurationFault] {
        environment.keys.filter { !names.contains($0) }.sorted().map {
            .unknownVariable($0, nearest: ofFlags[$0] ?? NearestName.of($0, among: names.sorted()))
        }
    }

    /// What a variable would be called after a flag.
    private static func name(of flag: String) -> String {
        Self.prefix + flag.drop { $0 == "-" }.uppercased().replacing("-", with: "_")
    }
}

extension ConfigValue {
    /// A text, or a list of texts.
    fileprivate var texts: [String]? {
        switch content {
        case .string(let text): [text]
        case .stringArray(let texts): texts
        default: nil
        }
    }
}
