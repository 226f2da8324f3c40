import ArgumentParser
import CollectorServer
import Foundation

/// How the server shows itself to others.
struct ExposureOptions: ParsableArguments {
    @OptionGroup var access: AccessOptions

    @Option(
        help: ArgumentHelp(
            "Serve over TLS with this certificate (PEM, with those that lead to its root); read again on SIGHUP.",
            valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The private key of the certificate (PEM).", valueName: "file"))
    var tlsKey: String?

    @Option(
        name: .customLong("cors-origin"),
        help: ArgumentHelp(
            "Let web pages of this origin use the server, such as https://app.example; may be given several times.",
            valueName: "origin"))
    var corsOrigins: [String] = []

    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            "Believe X-Forwarded-For of proxies with these addresses, such as 10.0.0.0/8; may be given several times.",
            valueName: "cidr"))
    var trustedProxies: [String] = []

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key go together; give both of them")
        }
        for origin in corsOrigins where !Self.isOrigin(origin) {
            throw ValidationError(
                "--cors-origin is \"\(origin)\"; expected scheme, host and port if any, such as https://app.example")
        }
        for range in trustedProxies where AddressRange(range) == nil {
            throw ValidationError(
                "--trusted-proxy is \"\(range)\"; expected an address or a range of them, such as 10.0.0.0/8")
        }
    }

    /// What the options say.
    /// - Throws: ``ServeError``, ``TokenFileFailure`` or `TLSFailure`, which say what is wrong.
    func exposure(listening address: ListenAddress) throws -> ServerExposure {
        let identity =
            if let tlsCertificate, let tlsKey {
                try TLSIdentity(certificatePath: tlsCertificate, keyPath: tlsKey) as TLSIdentity?
            } else { TLSIdentity?.none }
        return ServerExposure(
            access: try access.control(listening: address), identity: identity,
            origins: Set(corsOrigins.map { $0.lowercased() }), proxies: trustedProxies.compactMap(AddressRange.init))
    }

    /// The files to read again on SIGHUP.
    func files(of exposure: ServerExposure) -> [Reloadable] {
        let certificate = exposure.identity.map { identity in
            Reloadable(what: "certificate and key", path: tlsCertificate ?? "") { try identity.reload() }
        }
        return access.reload(of: exposure.access) + (certificate.map { [$0] } ?? [])
    }

    /// Whether it is spelled as browsers spell an origin: without a path, and without a port that goes without saying.
    private static func isOrigin(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty
        else { return false }
        let isUsualPort = parts.port == ["http": 80, "https": 443][scheme]
        let port = parts.port.map { ":\($0)" } ?? ""
        return ["http", "https"].contains(scheme) && (parts.port == nil || !isUsualPort)
            && text == "\(scheme)://\(host)\(port)"
    }
}
