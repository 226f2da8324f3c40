import HTTPTypes
import Hummingbird
import NIOCore

/// The proxies that say truly whom they speak for.
struct TrustedProxies: Hashable, Sendable {
    let ranges: [AddressRange]

    /// Who sent a request: the other end of the connection, or, where that is a trusted proxy, the last one in
    /// `X-Forwarded-For` that is not. What stands before that one anybody may have written.
    func sender(of headers: HTTPFields, peer: HostAddress?) -> HostAddress? {
        guard let peer, isTrusted(peer), let name = HTTPField.Name("X-Forwarded-For") else { return peer }
        var sender = peer
        for hop in headers[values: name].joined(separator: ",").split(separator: ",").reversed() {
            guard let address = HostAddress(hop) else { break }
            sender = address
            guard isTrusted(address) else { break }
        }
        return sender
    }

    /// Whether it is a proxy that is believed.
    func isTrusted(_ address: HostAddress) -> Bool {
        ranges.contains { $0.contains(address) }
    }
}

extension SocketAddress {
    /// Its address without the port; `nil` where there is none, as on a socket of this machine.
    var host: HostAddress? { ipAddress.flatMap { HostAddress(literal: $0) } }
}
