/// Why bytes are no session description.
enum SessionDescriptionError: Error, Hashable, Sendable {
    /// The first line is not `v=0`; its first bytes as text.
    case noVersion(found: String)
}

extension SessionDescriptionError: CustomStringConvertible {
    var description: String {
        switch self {
        case .noVersion(let found):
            "no session description: expected v=0 (RFC 8866) in the first line, found \"\(found)\""
        }
    }
}
