import Foundation

/// Where a ClickHouse database is, and as whom it is used: `clickhouse://user@host:8123/database?cluster=name`; over TLS
/// `clickhouse://user@host:8443/database?secure=1&ca=/etc/ssl/own.pem`.
///
/// Several servers of a cluster stand one after another, `clickhouse://host1,host2:8124/database?cluster=name`: when one
/// does not answer, the next one is asked.
///
/// The address never holds the password: addresses stand in configuration files, logs and the list of processes.
public struct ClickHouseLocation: Hashable, Sendable {
    /// The servers that may be asked, at least one, in the order in which they are tried.
    let servers: [ClickHouseServer]
    /// By default `sidetone`.
    public let database: String
    /// By default `default`, as ClickHouse's own clients have it.
    public let user: String
    /// The cluster, as the server's `remote_servers` names it, whose nodes share the tables; nil for one node.
    public let cluster: String?
    /// Whether it is spoken to over TLS.
    public let isSecure: Bool
    /// The path of a file with certificates (PEM) of authorities that are trusted beside those of the system; nil for none.
    public let authorities: String?
    let password: String?

    /// - Parameters:
    ///   - text: The address.
    ///   - password: Of the user; nil when it has none.
    /// - Throws: ``ClickHouseLocationError``.
    public init(_ text: String, password: String?) throws(ClickHouseLocationError) {
        let (first, further) = Self.split(text)
        guard let parts = URLComponents(string: first), parts.scheme?.lowercased() == Self.scheme
        else { throw .notAnAddress(text) }
        guard parts.password == nil else { throw .passwordInAddress }
        // The protocol ends a user's name at a colon.
        guard parts.fragment == nil, parts.user?.contains(":") != true else { throw .notAnAddress(text) }
        let options = try ClickHouseLocationOptions(parts.queryItems ?? [])
        let path = parts.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.count <= 1 else { throw .notADatabase(parts.path) }
        guard !further.contains(where: { $0.contains("@") }) else { throw .userOfOneServer }
        var servers: [ClickHouseServer] = []
        for parts in [parts] + further.map({ URLComponents(string: "\(Self.scheme)://\($0)") }) {
            guard let parts, let host = parts.host, !host.isEmpty else { throw .notAnAddress(text) }
            let port = parts.port ?? (options.isSecure ? 8443 : 8123)
            guard (1...65_535).contains(port) else { throw .notAPort(port) }
            servers.append(ClickHouseServer(host: host, port: port))
        }
        guard servers.count == 1 || options.cluster != nil else { throw .serversOfNoCluster }
        guard options.isSecure || options.authorities == nil else { throw .authoritiesOfNothing }
        self.servers = servers
        database = path.first.flatMap { $0.isEmpty ? nil : String($0) } ?? "sidetone"
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 } ?? "default"
        cluster = options.cluster
        isSecure = options.isSecure
        authorities = options.authorities
        self.password = password
    }

    /// What its addresses begin with.
    public static let scheme = "clickhouse"

    /// The address with its first server only, and the others.
    private static func split(_ text: String) -> (String, further: [Substring]) {
        guard let start = text.firstRange(of: "://")?.upperBound else { return (text, []) }
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        let servers = text[start..<end].split(separator: ",", omittingEmptySubsequences: false)
        return ("\(text[..<start])\(servers[0])\(text[end...])", Array(servers.dropFirst()))
    }
}

extension ClickHouseLocation: CustomStringConvertible, CustomDebugStringConvertible {
    /// The address, without the password.
    public var description: String {
        let options = [
            cluster.map { "cluster=\($0)" }, isSecure ? "secure=1" : nil, authorities.map { "ca=\($0)" },
        ].compactMap(\.self)
        let servers = servers.map(\.description).joined(separator: ",")
        return "\(Self.scheme)://\(user)@\(servers)/\(database)"
            + (options.isEmpty ? "" : "?" + options.joined(separator: "&"))
    }

    /// The same: a password is not for logs.
    public var debugDescription: String { description }
}

/// What may follow the question mark of an address.
private struct ClickHouseLocationOptions {
    var cluster: String?
    var isSecure = false
    var authorities: String?

    init(_ items: [URLQueryItem]) throws(ClickHouseLocationError) {
        for item in items {
            let value = item.value ?? ""
            switch (item.name, value) {
            case ("cluster", _) where !value.isEmpty: cluster = value
            case ("secure", "1"): isSecure = true
            case ("secure", "0"): isSecure = false
            case ("ca", _) where !value.isEmpty: authorities = value
            default: throw .unknownOption("\(item.name)=\(value)")
            }
        }
    }
}
