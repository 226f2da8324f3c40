import ArgumentParser
import CallModel
import ClientStats
import Collector
import CollectorServer

/// The flags of how much clients may send.
struct LimitOptions: SettingOptions {
    @Option(help: ArgumentHelp("Most bytes of a body, as sent and decompressed. (default: 1048576)", valueName: "n"))
    var maxBodyBytes: Int?

    @Option(
        help: ArgumentHelp(
            "Most bytes of a file for /v1/import, as sent and decompressed. (default: 268435456)", valueName: "n"))
    var maxImportBytes: Int?

    @Option(help: ArgumentHelp("How many times its size a body may decompress to. (default: 100)", valueName: "n"))
    var maxRatio: Int?

    @Option(help: ArgumentHelp("Most levels of arrays and objects in each other. (default: 64)", valueName: "n"))
    var maxDepth: Int?

    @Option(help: ArgumentHelp("Most statistics objects or events of a body. (default: 5000)", valueName: "n"))
    var maxObjects: Int?

    @Option(help: ArgumentHelp("Most bytes of one text. (default: 65536)", valueName: "n"))
    var maxStringBytes: Int?

    @Option(help: ArgumentHelp("Most bytes of a callId or any other identifier. (default: 256)", valueName: "n"))
    var maxIdBytes: Int?

    @Option(help: ArgumentHelp("Most connections at a time; further ones wait. (default: 4096)", valueName: "n"))
    var maxConnections: Int?

    @Option(
        help: ArgumentHelp(
            "Most connections of one address, but of trusted proxies; 0 for any number. (default: 0)", valueName: "n"))
    var maxConnectionsPerAddress: Int?

    @Option(help: ArgumentHelp("Close connections that bring no request for so long. (default: 30)", valueName: "s"))
    var idleSeconds: Int?

    @Option(
        help: ArgumentHelp(
            "Requests a second of one token, or of one address; 0 for any number. (default: 0)", valueName: "n"))
    var maxRequests: Int?

    @Option(
        help: ArgumentHelp(
            "Most calls of each tenant that go on at a time; 0 for any number. (default: 0)", valueName: "n"))
    var maxLiveCalls: Int?

    @Option(
        help: ArgumentHelp("Most bytes held of bodies that are not stored yet. (default: 67108864)", valueName: "n"))
    var maxWaitingBytes: Int?

    @Option(help: ArgumentHelp("Most requests that wait to be stored. (default: 4096)", valueName: "n"))
    var maxWaiting: Int?

    @Option(
        help: ArgumentHelp("Most who watch calls as they happen, at a time. (default: 1000)", valueName: "n"))
    var maxLiveSubscribers: Int?

    var given: [GivenFlag] {
        [
            GivenFlag(Settings.maxBodyBytes, maxBodyBytes), GivenFlag(Settings.maxImportBytes, maxImportBytes),
            GivenFlag(Settings.maxRatio, maxRatio), GivenFlag(Settings.maxDepth, maxDepth),
            GivenFlag(Settings.maxObjects, maxObjects), GivenFlag(Settings.maxStringBytes, maxStringBytes),
            GivenFlag(Settings.maxIdBytes, maxIdBytes), GivenFlag(Settings.maxConnections, maxConnections),
            GivenFlag(Settings.maxConnectionsPerAddress, maxConnectionsPerAddress),
            GivenFlag(Settings.maxLiveCalls, maxLiveCalls), GivenFlag(Settings.idleSeconds, idleSeconds),
            GivenFlag(Settings.maxRequests, maxRequests),
            GivenFlag(Settings.maxWaitingBytes, maxWaitingBytes), GivenFlag(Settings.maxWaiting, maxWaiting),
            GivenFlag(Settings.maxLiveSubscribers, maxLiveSubscribers),
        ].compactMap(\.self)
    }
}

/// How much clients may send.
struct LimitSettings: Hashable, Sendable {
    /// What one request may bring.
    var limits: IngestLimits
    /// What may wait for the disk.
    var waiting: CollectorLimits
    /// How many may watch.
    var live: LiveLimits

    init(_ settings: ResolvedSettings) {
        let body = settings[Settings.maxBodyBytes]
        limits = IngestLimits(
            bodyBytes: body, decompressionRatio: settings[Settings.maxRatio],
            importBytes: settings[Settings.maxImportBytes],
            // The largest body has to fit.
            bytesInFlight: max(settings[Settings.maxWaitingBytes], Self.leastWaitingBytes(body: body)),
            contents: BodyLimits(
                depth: settings[Settings.maxDepth], objects: settings[Settings.maxObjects],
                stringBytes: settings[Settings.maxStringBytes], identifierBytes: settings[Settings.maxIdBytes]),
            connections: settings[Settings.maxConnections],
            connectionsPerAddress: settings[Settings.maxConnectionsPerAddress],
            idleSeconds: settings[Settings.idleSeconds],
            requestsPerSecond: settings[Settings.maxRequests])
        waiting = CollectorLimits(
            waitingSubmissions: settings[Settings.maxWaiting],
            // An event is one fact, and all of a body are handed over at once.
            waitingFacts: max(CollectorLimits().waitingFacts, settings[Settings.maxObjects]),
            liveCalls: settings[Settings.maxLiveCalls])
        live = LiveLimits(subscribers: settings[Settings.maxLiveSubscribers])
    }

    /// What must have room in memory where a body may be so large.
    static func leastWaitingBytes(body: Int) -> Int { FairShare<TenantID>.leastLimit(for: body) }
}
