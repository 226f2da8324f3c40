/// Why bytes are no SIP message that can be used.
enum SIPMessageError: Error, Hashable, Sendable {
    /// The first line is neither a request line nor a status line; its first bytes as text.
    case notSIP(firstLine: String)
    /// A header field is missing that says which call and which transaction the message is of.
    case missing(header: String)
    /// A header field cannot be read; its value, cut to 64 bytes.
    case malformed(header: String, value: String)
    /// The method of the first line and that of CSeq are not the same.
    case contradiction(startLine: String, sequence: String)
}

extension SIPMessageError {
    /// What it is counted under.
    var label: String {
        switch self {
        case .notSIP: "not SIP"
        case .missing(let header): "\(header) is missing"
        case .malformed(let header, _): "\(header) cannot be read"
        case .contradiction: "CSeq contradicts the request line"
        }
    }
}

extension SIPMessageError: CustomStringConvertible {
    var description: String {
        switch self {
        case .notSIP(let line):
            "no SIP message: expected a request or status line of SIP/2.0, found \"\(line)\""
        case .missing(let header):
            "the SIP message has no \(header) header field, so its call cannot be told"
        case .malformed(let header, let value):
            "the SIP header field \(header) cannot be read: \"\(value)\""
        case .contradiction(let startLine, let sequence):
            "the SIP request line says \(startLine), its CSeq says \(sequence)"
        }
    }
}
