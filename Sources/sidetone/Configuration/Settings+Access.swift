import ClientStats
import Collector
import CollectorServer
import Foundation

/// Who may use the server, and how it shows itself; what is kept of addresses.
extension Settings {
    static let tokens = Setting<String?>.text(
        "tokens", "The file of the tokens that are taken; read again on SIGHUP.", expected: "the path of a file")
    static let authentication = Setting.yesOrNo(
        SettingNames("authentication", flag: "--no-authentication"),
        "Whether others than this machine need a token.", default: true)
    static let tlsCertificate = Setting<String?>.text(
        "tls.certificate", "The certificate for TLS with its chain; read again on SIGHUP.",
        expected: "the path of a file")
    static let tlsKey = Setting<String?>.text(
        "tls.key", "The private key of the certificate.", expected: "the path of a file")
    static let corsOrigins = list(
        SettingNames("cors.origins", flag: "--cors-origin"), "Origins whose web pages may use the server.",
        expected: "scheme, host and port if any, such as https://app.example", isOrigin)
    static let trustedProxies = list(
        SettingNames("trusted-proxies", flag: "--trusted-proxy"),
        "Addresses of proxies whose X-Forwarded-For is believed.",
        expected: "an address or a range of them, such as 10.0.0.0/8", { AddressRange($0) != nil })
    static let addresses = Setting.argument(
        "addresses", "What is kept of IP addresses.", expected: "cut, hash or full",
        default: PrivacyOptions.Addresses.cut)
    static let addressKey = Setting<String?>.text(
        "address-key", "The file with the key of hashed addresses.", expected: "the path of a file")

    static let access: [any SettingRow] = [
        tokens, authentication, tlsCertificate, tlsKey, corsOrigins, trustedProxies, addresses, addressKey,
    ]

    private static func list(
        _ names: SettingNames, _ meaning: String, expected: String, _ isGood: @escaping @Sendable (String) -> Bool
    ) -> Setting<[String]> {
        Setting(names, meaning, expected: expected, isList: true, default: [], shown: nil) {
            texts throws(SettingFault) in
            guard let wrong = texts.first(where: { !isGood($0) }) else { return texts }
            throw SettingFault(found: "\"\(wrong.prefix(80))\"", expected: expected)
        }
    }

    /// Whether it is spelled as browsers spell an origin: in small letters, without a path, and without a port that goes
    /// without saying.
    @Sendable private static func isOrigin(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty,
            !host.contains("*")
        else { return false }
        let isUsualPort = parts.port == ["http": 80, "https": 443][scheme]
        let port = parts.port.map { ":\($0)" } ?? ""
        return ["http", "https"].contains(scheme) && (parts.port == nil || !isUsualPort)
            && text == "\(scheme)://\(host)\(port)".lowercased()
    }
}

/// How much clients may send.
extension Settings {
    private static let ingest = IngestLimits()

    // Readers of nested values call themselves; identifiers are keys of the database.
    static let maxBodyBytes = Setting<Int>.whole(
        SettingNames("limits.body-bytes", flag: "--max-body-bytes"), "Largest body, as sent and decompressed.",
        unit: "bytes", in: 1_024...1 << 30, default: ingest.bodyBytes)
    static let maxImportBytes = Setting<Int>.whole(
        SettingNames("limits.import-bytes", flag: "--max-import-bytes"),
        "Largest file of an import, as sent and decompressed.", unit: "bytes", in: 1_024...1 << 32,
        default: ingest.importBytes)
    static let maxRatio = Setting<Int>.whole(
        SettingNames("limits.ratio", flag: "--max-ratio"), "How many times its size a body may decompress to.",
        in: 1...100_000, default: ingest.decompressionRatio)
    static let maxDepth = Setting<Int>.whole(
        SettingNames("limits.depth", flag: "--max-depth"), "Most levels of arrays and objects in each other.",
        in: 8...256, default: ingest.contents.depth)
    static let maxObjects = Setting<Int>.whole(
        SettingNames("limits.objects", flag: "--max-objects"), "Most statistics objects or events of a body.",
        in: 1...1_000_000, default: ingest.contents.objects)
    static let maxStringBytes = Setting<Int>.whole(
        SettingNames("limits.string-bytes", flag: "--max-string-bytes"), "Longest text.", unit: "bytes",
        in: 256...1 << 30, default: ingest.contents.stringBytes)
    static let maxIdBytes = Setting<Int>.whole(
        SettingNames("limits.id-bytes", flag: "--max-id-bytes"), "Longest callId or other identifier.", unit: "bytes",
        in: 16...4_096, default: ingest.contents.identifierBytes)
    static let maxConnections = Setting<Int>.whole(
        SettingNames("limits.connections", flag: "--max-connections"), "Most connections at a time; further ones wait.",
        in: 1...1_000_000, default: ingest.connections)
    static let maxConnectionsPerAddress = Setting<Int>.whole(
        SettingNames("limits.connections-per-address", flag: "--max-connections-per-address"),
        "Most connections of one address, but of trusted proxies; 0 for any.", in: 0...1_000_000,
        default: ingest.connectionsPerAddress)
    static let idleSeconds = Setting<Int>.whole(
        SettingNames("limits.idle-seconds", flag: "--idle-seconds"),
        "Connections that bring no request for so long are closed.", unit: "seconds", in: 1...3_600,
        default: ingest.idleSeconds)
    static let maxRequests = Setting<Int>.whole(
        SettingNames("limits.requests", flag: "--max-requests"),
        "Requests a second of one token, or of one address; 0 for any number.", in: 0...1_000_000,
        default: ingest.requestsPerSecond)
    static let maxWaitingBytes = Setting<Int>.whole(
        SettingNames("limits.waiting-bytes", flag: "--max-waiting-bytes"),
        "Most that is held of bodies that are not stored yet.", unit: "bytes", in: 1_024...1 << 36,
        default: ingest.bytesInFlight)
    static let maxWaiting = Setting<Int>.whole(
        SettingNames("limits.waiting", flag: "--max-waiting"), "Most requests that wait to be stored.",
        in: 1...1_000_000, default: CollectorLimits().waitingSubmissions)

    static let maxLiveSubscribers = Setting<Int>.whole(
        SettingNames("limits.live-subscribers", flag: "--max-live-subscribers"),
        "Most who watch calls as they happen, at a time.", in: 0...100_000, default: LiveLimits().subscribers)

    static let maxLiveCalls = Setting<Int>.whole(
        SettingNames("limits.live-calls", flag: "--max-live-calls"),
        "Most calls of each tenant that go on at a time; 0 for any number.", in: 0...100_000,
        default: CollectorLimits().liveCalls)

    static let limits: [any SettingRow] = [
        maxBodyBytes, maxImportBytes, maxRatio, maxDepth, maxObjects, maxStringBytes, maxIdBytes, maxConnections,
        maxConnectionsPerAddress, idleSeconds, maxRequests, maxLiveCalls, maxWaitingBytes, maxWaiting,
        maxLiveSubscribers,
    ]
}
