import CZlib

/// The checksum of gzip and PNG ([RFC 1952 §8](https://www.rfc-editor.org/rfc/rfc1952#section-8)): finds damage, not
/// malice.
public enum Checksum {
    /// The CRC-32 of bytes.
    public static func crc32(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: CZlib.crc32(0, $0.baseAddress, UInt32($0.count))) }
    }
}
