import ArgumentParser
import ClientStats
import Foundation

/// What is kept of IP addresses.
struct PrivacyOptions: ParsableArguments {
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
            "What is kept of IP addresses: cut to /24 and /48, hash with --address-key, or full.", valueName: "how"))
    var addresses = Addresses.cut

    @Option(help: ArgumentHelp("The key of the hashes, at least 16 bytes that nobody can guess.", valueName: "file"))
    var addressKey: String?

    func validate() throws {
        switch (addresses, addressKey) {
        case (.hash, nil): throw ValidationError("--addresses hash takes a key; name its file with --address-key")
        case (.cut, _?), (.full, _?): throw ValidationError("--address-key goes with --addresses hash")
        case (.hash, _?), (.cut, nil), (.full, nil): break
        }
    }

    /// What the options say.
    /// - Throws: ``AddressKeyFailure``.
    var policy: AddressPolicy {
        get throws {
            switch addresses {
            case .cut: .cut
            case .full: .full
            case .hash: .hash(try key(in: addressKey ?? ""))
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
