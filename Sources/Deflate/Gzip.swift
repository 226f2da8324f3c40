/// Data in the gzip format ([RFC 1952](https://www.rfc-editor.org/rfc/rfc1952)), as in `Content-Encoding: gzip`.
public enum Gzip {
    /// Content up to this length may be compressed as well as it likes: small texts of one repeated byte are no attack.
    public static let unratedBytes = 65_536

    /// Whether the bytes begin as gzip data does.
    public static func isLikely(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x1F, 0x8B])
    }

    /// Inflates gzip data, also when it is several members one after the other.
    ///
    /// Stops at the first byte beyond a limit: memory stays below `maximumBytes` plus one buffer.
    /// - Parameters:
    ///   - bytes: The compressed data.
    ///   - maximumBytes: The longest content that is accepted.
    ///   - maximumRatio: How many times its compressed size the content may have, above ``unratedBytes``.
    ///   - hasRoom: Whether there is room for so many bytes of content in all; asked before they are taken, with
    ///     numbers that rise and stay within the limits.
    /// - Returns: The content of all members.
    /// - Throws: ``DeflateError``.
    public static func inflate(
        _ bytes: [UInt8], maximumBytes: Int, maximumRatio: Int, hasRoom: (Int) -> Bool = { _ in true }
    ) throws(DeflateError) -> [UInt8] {
        guard isLikely(bytes) else { throw .wrongFormat(expected: "gzip") }
        let ratioLimit = bytes.count.multipliedReportingOverflow(by: maximumRatio)
        let limits = InflationLimits(
            bytes: maximumBytes, ratio: maximumRatio,
            ratedBytes: ratioLimit.overflow ? .max : max(ratioLimit.partialValue, unratedBytes))
        return try ZlibStream.inflate(bytes, format: .gzip, limits: limits, hasRoom: hasRoom)
    }

    /// What a file holds that may be compressed or not.
    /// - Parameters:
    ///   - bytes: The file.
    ///   - maximumBytes: The longest content that is accepted.
    /// - Returns: its content inflated if it is gzip, else the bytes themselves.
    /// - Throws: ``DeflateError``.
    public static func content(of bytes: [UInt8], maximumBytes: Int) throws(DeflateError) -> [UInt8] {
        guard isLikely(bytes) else {
            guard bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
            return bytes
        }
        // Whoever reads a file chose it; only its length matters.
        return try inflate(bytes, maximumBytes: maximumBytes, maximumRatio: .max)
    }

    /// The same, up to where compressed data stops before its end.
    /// - Parameters:
    ///   - bytes: The file.
    ///   - maximumBytes: The longest content that is accepted.
    /// - Returns: the content, and whether it is all there was.
    /// - Throws: ``DeflateError``; `truncated` when nothing comes before the cut.
    public static func contentToCut(
        of bytes: [UInt8], maximumBytes: Int
    ) throws(DeflateError) -> (bytes: [UInt8], isWhole: Bool) {
        guard isLikely(bytes) else { return (try content(of: bytes, maximumBytes: maximumBytes), true) }
        let limits = InflationLimits(bytes: maximumBytes, ratio: .max, ratedBytes: .max)
        let content = try ZlibStream.inflateToCut(bytes, format: .gzip, limits: limits)
        guard content.isWhole || !content.bytes.isEmpty else { throw .truncated }
        return content
    }

    /// Compresses bytes into one gzip member.
    /// - Parameters:
    ///   - bytes: The content.
    ///   - level: 1 (fast) ... 9 (small).
    /// - Returns: The compressed data.
    public static func deflate(_ bytes: [UInt8], level: Int = 6) -> [UInt8] {
        ZlibStream.deflate(bytes, format: .gzip, level: level)
    }
}

/// Data in the zlib format ([RFC 1950](https://www.rfc-editor.org/rfc/rfc1950)), for what is stored.
public enum Zlib {
    /// Compresses bytes.
    /// - Parameters:
    ///   - bytes: The content.
    ///   - level: 1 (fast) ... 9 (small).
    /// - Returns: The compressed data.
    public static func compress(_ bytes: [UInt8], level: Int = 6) -> [UInt8] {
        ZlibStream.deflate(bytes, format: .zlib, level: level)
    }

    /// Restores what ``compress(_:level:)`` made.
    /// - Throws: ``DeflateError``; `tooLarge` when the content is longer than `maximumBytes`.
    public static func decompress(_ bytes: [UInt8], maximumBytes: Int) throws(DeflateError) -> [UInt8] {
        let limits = InflationLimits(bytes: maximumBytes, ratio: .max, ratedBytes: .max)
        return try ZlibStream.inflate(bytes, format: .zlib, limits: limits)
    }
}

extension Gzip {
    /// How long the content of one member says it is, by its last four bytes: modulo 2³², and not to be trusted of data
    /// from elsewhere; 0 where there are none.
    public static func contentLength(of bytes: [UInt8]) -> Int {
        guard isLikely(bytes), bytes.count >= 18 else { return 0 }
        return bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
