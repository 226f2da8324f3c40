/// Why compressed bytes could not be inflated.
public enum DeflateError: Error, Hashable, Sendable {
    /// The bytes do not begin as gzip or zlib data does.
    case wrongFormat(expected: String)
    /// The data stops before its end.
    case truncated
    /// The data contradicts itself or its checksum; the reason in zlib's words.
    case damaged(String)
    /// The content is longer than this many bytes.
    case tooLarge(limit: Int)
    /// The content is more than this many times as long as the compressed data.
    case ratioTooHigh(limit: Int)
    /// Whoever wants the content has no room for so many bytes of it.
    case noRoom(bytes: Int)
}

extension DeflateError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .wrongFormat(let expected): "the data is not \(expected)"
        case .truncated: "the compressed data stops before its end"
        case .damaged(let reason): "the compressed data is damaged: \(reason)"
        case .tooLarge(let limit): "inflates to more than \(limit) bytes"
        case .ratioTooHigh(let limit): "inflates to more than \(limit) times its size"
        case .noRoom(let bytes): "there is no room for \(bytes) bytes of what it inflates to"
        }
    }
}
