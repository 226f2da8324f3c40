import ArgumentParser
import CollectorServer

/// Who may use the server.
struct AccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve only those who send one of the tokens in this file; read again on SIGHUP.", valueName: "file"))
    var tokens: String?

    @Flag(
        name: .customLong("no-authentication"),
        help: "Serve everybody who reaches it, on other addresses than 127.0.0.1, too.")
    var isOpen = false

    func validate() throws {
        guard tokens != nil, isOpen else { return }
        throw ValidationError("--tokens and --no-authentication contradict each other; give one of them")
    }

    /// What the options say.
    /// - Throws: ``ServeError/openToAll(_:)`` when nothing says who may use a server that others can reach;
    ///   ``TokenFileFailure``.
    func control(listening address: ListenAddress) throws -> AccessControl {
        guard let tokens else {
            guard isOpen || address.isLoopback else { throw ServeError.openToAll(address) }
            return AccessControl(tokens: nil)
        }
        return AccessControl(tokens: try TokenFile.read(tokens))
    }

    /// Reads the tokens again.
    func reload(of control: AccessControl) -> [Reloadable] {
        guard let tokens else { return [] }
        let reload = Reloadable(what: "tokens", path: tokens) {
            let table = try TokenFile.read(tokens)
            control.replace(by: table)
            return "\(table.entries.count) tokens"
        }
        return [reload]
    }
}

extension ListenAddress {
    /// Whether only this machine can reach it. A name other than `localhost` may stand for anything.
    var isLoopback: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        return isIPv4 && parts[0] == "127" || ["::1", "localhost"].contains(host.lowercased())
    }
}
