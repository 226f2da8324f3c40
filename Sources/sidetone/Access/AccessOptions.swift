import ArgumentParser

/// The flags of who may use the server, and how it shows itself.
struct AccessOptions: SettingOptions {
    @Option(
        help: ArgumentHelp(
            "Serve only those who send one of the tokens in this file; read again on SIGHUP.", valueName: "file"))
    var tokens: String?

    @Flag(
        name: .customLong("no-authentication"),
        help: "Serve everybody who reaches it, on other addresses than 127.0.0.1 and through a proxy, too.")
    var isOpen = false

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
            "Believe X-Forwarded-For of proxies with these addresses, such as 10.0.0.0/8; takes --tokens; may be repeated.",
            valueName: "cidr"))
    var trustedProxies: [String] = []

    var given: [GivenFlag] {
        [
            GivenFlag(Settings.tokens, tokens), GivenFlag(Settings.authentication, isOpen ? false : nil),
            GivenFlag(Settings.tlsCertificate, tlsCertificate), GivenFlag(Settings.tlsKey, tlsKey),
            GivenFlag(Settings.corsOrigins, list: corsOrigins),
            GivenFlag(Settings.trustedProxies, list: trustedProxies),
        ].compactMap(\.self)
    }
}
