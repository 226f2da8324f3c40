/// Why a text is not the address of a ClickHouse database.
public enum ClickHouseLocationError: Error, Hashable, Sendable {
    /// It does not read as one; the text.
    case notAnAddress(String)
    /// It holds a password, which everybody could read who sees the list of processes.
    case passwordInAddress
    /// Its path is more than the name of a database; the path.
    case notADatabase(String)
    /// The port is not one of 1 ... 65535.
    case notAPort(Int)
    /// A user stands before another server than the first; all have the same.
    case userOfOneServer
    /// Several servers that are not of one cluster have not the same rows.
    case serversOfNoCluster
    /// Authorities are named, and TLS is not asked for.
    case authoritiesOfNothing
    /// An option that is not known, or has a value that it cannot have, as `name=value`.
    case unknownOption(String)
}

extension ClickHouseLocationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAnAddress(let text):
            "\"\(Self.withoutPassword(text))\" is not the address of a ClickHouse database; expected clickhouse://user@host:8123/database"
        case .passwordInAddress:
            "the address of a ClickHouse database must not hold a password: others could read it"
        case .notADatabase(let path):
            "\"\(path)\" is not the name of a ClickHouse database; expected one name, as in clickhouse://host/database"
        case .notAPort(let port):
            "\(port) is not a port; expected 1 to 65535"
        case .userOfOneServer:
            "in a ClickHouse address with several servers the user stands once: clickhouse://user@host1,host2/database"
        case .serversOfNoCluster:
            "a ClickHouse address with several servers must say which cluster they are of: expected ?cluster=NAME"
        case .authoritiesOfNothing:
            "a ClickHouse address with ca=FILE must ask for TLS: expected secure=1 beside it"
        case .unknownOption(let option):
            "\"\(Self.withoutValue(option))\" is not an option of a ClickHouse address; expected cluster=NAME, secure=1, secure=0 or ca=FILE"
        }
    }

    /// What is no address may hold a password all the same: before the last `@`, after a colon.
    private static func withoutPassword(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@") else { return text }
        let user = text.firstRange(of: "://").map(\.upperBound) ?? text.startIndex
        guard user <= at, let colon = text[user..<at].firstIndex(of: ":") else { return text }
        return text[...colon] + "***" + text[at...]
    }

    /// Of an option that is not known nobody knows whether its value is a secret.
    private static func withoutValue(_ option: String) -> String {
        guard let equals = option.firstIndex(of: "="), !["cluster", "secure", "ca"].contains(option[..<equals]) else {
            return option
        }
        return option[...equals] + "***"
    }
}
