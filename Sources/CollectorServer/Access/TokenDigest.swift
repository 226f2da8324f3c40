import Crypto
import Foundation

/// The SHA-256 of a token, which is all that is kept of it.
///
/// A plain hash will do: a token has 256 random bits, so there is nothing to guess, and no salt or slow function could
/// add to that.
public struct TokenDigest: Hashable, Sendable {
    /// 32 bytes.
    private let bytes: [UInt8]

    init(of token: some Sequence<UInt8>) {
        bytes = Array(SHA256.hash(data: Data(token)))
    }

    /// Reads 64 hexadecimal digits.
    init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 64, text.utf8.count == 64 else { return nil }
        bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    var hexadecimal: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Compares in a time that does not depend on where they differ.
    func isSame(as other: TokenDigest) -> Bool {
        var difference: UInt8 = 0
        for index in 0..<32 { difference |= bytes[index] ^ other.bytes[index] }
        return difference == 0
    }
}
