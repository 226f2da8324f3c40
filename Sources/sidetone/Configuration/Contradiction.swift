import ArgumentParser

/// Settings that cannot be together, though each of them could be.
struct Contradiction: Hashable, Sendable {
    /// Where those at fault came from. What nobody set is not at fault.
    let sources: [SettingSource]
    /// What is wrong, and what to do.
    let message: String

    /// Whether flags alone are at fault: that is misuse, and nothing is wrong with the configuration.
    var isMisuse: Bool { sources.allSatisfy(\.isFlag) }

    /// - Parameters:
    ///   - rows: the settings.
    ///   - settings: what they are.
    ///   - flagWords: what is wrong where all that is set is set by flags.
    ///   - words: what is wrong otherwise, with where each setting came from.
    fileprivate init(_ rows: [any SettingRow], in settings: ResolvedSettings, flagWords: String, words: String) {
        let sources = rows.map { settings.entry(of: $0).source }.filter { $0 != .fallback }
        self.sources = sources
        message = sources.allSatisfy(\.isFlag) ? flagWords : words
    }
}

extension [Contradiction] {
    /// - Throws: `ValidationError` for the first of those that are misuse of flags.
    func checkFlags() throws {
        guard let misuse = first(where: \.isMisuse) else { return }
        throw ValidationError(misuse.message)
    }

    /// - Throws: ``ConfigurationError`` with all of them.
    func check() throws(ConfigurationError) {
        guard !isEmpty else { return }
        throw ConfigurationError(faults: map(ConfigurationFault.contradiction))
    }
}

extension ResolvedSettings {
    /// What of the settings of `sidetone serve` does not go together.
    var contradictions: [Contradiction] {
        [tokensOfNoUse, halfOfTLS, keyOfAddresses, bodiesOfNoRoom].compactMap(\.self) + storeContradictions
    }

    /// What is wrong with the address of the database that is shipped to.
    var storeContradictions: [Contradiction] {
        let (flag, row) = (Settings.store.flag, Settings.store)
        guard let flagWords = storeFault(as: flag), let words = storeFault(as: named(row)) else { return [] }
        return [Contradiction([row], in: self, flagWords: flagWords, words: words)]
    }

    private var tokensOfNoUse: Contradiction? {
        guard self[Settings.tokens] != nil, !self[Settings.authentication] else { return nil }
        return Contradiction(
            [Settings.tokens, Settings.authentication], in: self,
            flagWords: "--tokens and --no-authentication contradict each other; give one of them",
            words: """
                \(named(Settings.tokens)) and \(named(Settings.authentication, is: "false")) contradict each other; \
                set one of them
                """)
    }

    private var halfOfTLS: Contradiction? {
        let (certificate, key) = (Settings.tlsCertificate, Settings.tlsKey)
        guard (self[certificate] == nil) != (self[key] == nil) else { return nil }
        let (given, missing) = self[key] == nil ? (certificate, key) : (key, certificate)
        return Contradiction(
            [certificate, key], in: self,
            flagWords: "--tls-certificate and --tls-key go together; give both of them",
            words: "\(named(given)) goes with \(missing.key); set both of them")
    }

    private var keyOfAddresses: Contradiction? {
        let privacy = PrivacySettings(addresses: self[Settings.addresses], key: self[Settings.addressKey])
        guard let flagWords = privacy.contradiction else { return nil }
        let addresses = named(Settings.addresses, is: privacy.addresses.rawValue)
        let words =
            privacy.key == nil
            ? "\(addresses) takes a key; name its file with \(Settings.addressKey.key)"
            : "\(named(Settings.addressKey)) goes with addresses: hash, and not with \(addresses)"
        return Contradiction(
            [Settings.addresses, Settings.addressKey], in: self, flagWords: flagWords, words: words)
    }

    /// By default there is room for the largest body, whatever that is.
    private var bodiesOfNoRoom: Contradiction? {
        let (body, waiting) = (Settings.maxBodyBytes, Settings.maxWaitingBytes)
        let least = LimitSettings.leastWaitingBytes(body: self[body])
        guard entry(of: waiting).source != .fallback, self[waiting] < least else { return nil }
        return Contradiction(
            [waiting, body], in: self,
            flagWords: "\(waiting.flag) must be at least \(least), four thirds of \(body.flag)",
            words: "\(named(waiting)) must be at least \(least), four thirds of \(body.key)")
    }

    private func storeFault(as name: String) -> String? {
        guard let store = self[Settings.store] else { return nil }
        do {
            _ = try StoreAddress(store, as: name, password: self[Settings.storePassword])
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// A setting with where it came from: `tls.key (sidetone.yaml, line 3)`.
    private func named(_ row: any SettingRow, is value: String? = nil) -> String {
        "\(row.key)\(value.map { ": " + $0 } ?? "") (\(entry(of: row).source))"
    }
}

extension SettingSource {
    fileprivate var isFlag: Bool {
        if case .flag = self { true } else { false }
    }
}
