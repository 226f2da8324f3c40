import ArgumentParser

/// Where the server listens: `host:port`, with an IPv6 address in brackets.
struct ListenAddress: Hashable, Sendable {
    var host: String
    /// 0 stands for any free port.
    var port: Int
}

extension ListenAddress: ExpressibleByArgument {
    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = UInt16(argument[argument.index(after: colon)...])
        else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: Int(port))
    }

    var defaultValueDescription: String { description }
}

extension ListenAddress: CustomStringConvertible {
    /// As it stands in an address to open: IPv6 in brackets.
    var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
