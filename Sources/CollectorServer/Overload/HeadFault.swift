import NIOHTTP1

/// What is wrong with the head of a request that can be read all the same.
enum HeadFault: Error, Hashable, Sendable {
    /// A POST of HTTP/1.0 does not say how long it is, as it has to
    /// ([RFC 1945 §8.3](https://www.rfc-editor.org/rfc/rfc1945#section-8.3)).
    case lengthMissing
    /// One of HTTP/1.1 does not say whom it is for, or one of either version says so twice: a proxy before the server may
    /// have taken another one for it ([RFC 9112 §3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)).
    case hosts(Int)
    /// What it says of that is no host with a port or without.
    case hostUnreadable

    /// - Returns: `nil` when nothing is.
    init?(of head: HTTPRequestHead) {
        let hosts = head.headers["Host"]
        if head.lacksLength {
            self = .lengthMissing
        } else if hosts.count > 1 || hosts.isEmpty && head.version == .http1_1 {
            self = .hosts(hosts.count)
        } else if !hosts.allSatisfy(Self.isHost) {
            self = .hostUnreadable
        } else {
            return nil
        }
    }

    /// Whether it has nothing in it of which no host and port consist
    /// ([RFC 3986 §3.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2)). It may be empty.
    private static func isHost(_ value: String) -> Bool {
        value.utf8.drop { isSpace($0) }.reversed().drop { isSpace($0) }.allSatisfy(isOfHost)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~!$&'()*+,;=%:[]".utf8.contains(byte)
        }
    }
}

extension HeadFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .lengthMissing: "a POST of HTTP/1.0 needs Content-Length; nothing of it was stored"
        case .hosts(let count): "there are \(count) headers Host; expected one"
        case .hostUnreadable: "the header Host cannot be read; expected a host, and a port if any"
        }
    }
}

extension HTTPRequestHead {
    fileprivate var lacksLength: Bool {
        version != .http1_1 && method == .POST && !headers.contains(name: "Content-Length")
            && !headers.contains(name: "Transfer-Encoding")
    }
}
