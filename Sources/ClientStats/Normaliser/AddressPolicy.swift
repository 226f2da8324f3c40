import Crypto
import Foundation

/// What becomes of IP addresses on arrival, before anything is stored.
public enum AddressPolicy: Hashable, Sendable {
    /// Cut to the network: /24, /48.
    case cut
    /// Replaced by a hash with a key: the same address is the same text, and without the key nobody can tell which.
    case hash(AddressKey)
    /// Kept.
    case full
}

/// The key of ``AddressPolicy/hash(_:)``.
public struct AddressKey: Hashable, Sendable {
    /// Shorter ones could be found by trying.
    public static let fewestBytes = 16

    private let bytes: [UInt8]

    /// - Returns: `nil` when there are fewer than ``fewestBytes``.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count >= Self.fewestBytes else { return nil }
        self.bytes = bytes
    }

    /// `hash:` and 64 bits of the HMAC-SHA-256 ([RFC 2104](https://www.rfc-editor.org/rfc/rfc2104)).
    func hash(_ address: [UInt8]) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(address), using: SymmetricKey(data: bytes))
        return Self.mark + code.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static let mark = "hash:"

    /// Whether `text` was made by ``hash(_:)``.
    static func isHash(_ text: some StringProtocol) -> Bool {
        text.hasPrefix(mark) && text.utf8.count == mark.utf8.count + 16
            && text.dropFirst(mark.count).allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }
}

extension AddressPolicy {
    /// What is kept of an address: the bytes of one, or the text it was read from.
    func kept(of address: [UInt8], text: String) -> String {
        switch self {
        case .cut: NetworkAddress.network(of: address)
        case .hash(let key): key.hash(address)
        case .full: text
        }
    }
}
