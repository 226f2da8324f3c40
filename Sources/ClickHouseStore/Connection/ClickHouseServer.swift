/// The HTTP interface of one server.
struct ClickHouseServer: Hashable, Sendable {
    /// A name, or an address (of IPv6 with its brackets).
    let host: String
    /// By default 8123, with TLS 8443.
    let port: Int
}

extension ClickHouseServer: CustomStringConvertible {
    /// As it stands in an address.
    var description: String { "\(host):\(port)" }
}
