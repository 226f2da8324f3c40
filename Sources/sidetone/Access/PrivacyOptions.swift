import ArgumentParser
import ClientStats
import Foundation

/// What is kept of IP addresses.
struct PrivacyOptions: SettingOptions {
    /// What becomes of an address on arrival.
    enum Addresses: String, CaseIterable, Sendable, ExpressibleByArgument {
        /// Cut to /24 and /48.
        case cut
        /// Replaced by a hash with a key.
        case hash
        /// Kept.
        case full
    }

    @Option(
        help: ArgumentHelp(
            "What is kept of IP addresses: cut to /24 and /48, hash with --address-key, or full. (default: cut)",
            valueName: "how"))
    var addresses: Addresses?

    @Option(help: ArgumentHelp("The key of the hashes, at least 16 bytes that nobody can guess.", valueName: "file"))
    var addressKey: String?

    var given: [GivenFlag] {
        [GivenFlag(Settings.addresses, addresses?.rawValue), GivenFlag(Settings.addressKey, addressKey)]
            .compactMap(\.self)
    }

    /// What the flags alone say.
    var settings: PrivacySettings {
        PrivacySettings(addresses: addresses ?? Settings.addresses.fallback, key: addressKey)
    }
}

/// What is kept of IP addresses.
struct PrivacySettings: Hashable, Sendable {
    var addresses: PrivacyOptions.Addresses
    /// Path of the file with the key.
    var key: String?

    /// What of the settings does not go together, in a sentence with the names of flags; nil when all does.
    var contradiction: String? {
        switch (addresses, key) {
        case (.hash, nil): "--addresses hash takes a key; name its file with --address-key"
        case (.cut, _?), (.full, _?): "--address-key goes with --addresses hash"
        case (.hash, _?), (.cut, nil), (.full, nil): nil
        }
    }

    /// What the settings say.
    /// - Throws: ``AddressKeyFailure``.
    var policy: AddressPolicy {
        get throws {
            switch addresses {
            case .cut: .cut
            case .full: .full
            case .hash: .hash(try key(in: key ?? ""))
            }
        }
    }

    private func key(in path: String) throws -> AddressKey {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw AddressKeyFailure(path: path, reason: FileWords.reason(for: error, reading: path))
        }
        guard let key = AddressKey(bytes) else {
            throw AddressKeyFailure(
                path: path, reason: "it has \(bytes.count) bytes, expected at least \(AddressKey.fewestBytes)")
        }
        return key
    }
}

/// There is no key to hash addresses with.
struct AddressKeyFailure: Error, Hashable, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "cannot use the key in \(path): \(reason)" }
}
