import CallModel
import ClientStats

/// Holds an imported file against what the oracle says of it.
struct OracleComparison {
    /// What differs, each in words.
    private(set) var differences: Set<String> = []
    /// Connections compared.
    private(set) var connections = 0

    init(_ expected: JSONObject, _ imported: ImportedFile) {
        let connections = expected["peerConnections"]?.members ?? [:]
        compare("reports", Double(imported.reports.count), expected["reports"])
        let reports = Self.reports(of: imported)
        if Set(reports.keys) != Set(connections.keys) {
            differences.insert("connections \(reports.keys.sorted()), expected \(connections.keys.sorted())")
        }
        for (name, reports) in reports {
            guard let connection = connections[name]?.members else { continue }
            self.connections += 1
            compare(OracleFacts(reports.sorted { $0.time < $1.time }), connection, name)
        }
    }

    /// The reports by the oracle's name of their connection.
    private static func reports(of imported: ImportedFile) -> [String: [StatsReport]] {
        var reports: [String: [StatsReport]] = [:]
        for (key, facts) in imported.facts {
            for fact in facts {
                guard case .report(let report) = fact else { continue }
                let isLog = imported.format == .callStatisticsLog
                let connection = report.connection == .only ? "pc" : report.connection.rawValue
                reports[isLog ? key.identity.call.rawValue : connection, default: []].append(report)
            }
        }
        return reports
    }

    // MARK: Values

    /// The figures are compared to the oracle's four digits; `digits` says with how many a difference is shown.
    private mutating func compare(
        _ what: String, _ found: Double?, _ expected: JSONValue?, tolerance: Double = 0.0001
    ) {
        let expected = expected?.number
        guard found != nil || expected != nil else { return }
        if let found, let expected, abs(found - expected) <= max(tolerance, 1e-6 * abs(expected)) { return }
        differences.insert("\(what) \(Self.words(found)), expected \(Self.words(expected))")
    }

    private static func words(_ value: Double?) -> String {
        guard let value else { return "nil" }
        return value < 1e9 ? "\((value * 10).rounded() / 10)" : "\(value)"
    }

    private mutating func compare(_ what: String, _ found: String?, _ expected: String?) {
        guard found != expected else { return }
        differences.insert("\(what) \(found ?? "nil"), expected \(expected ?? "nil")")
    }

    // MARK: A connection

    private mutating func compare(_ found: OracleFacts, _ expected: JSONObject, _ name: String) {
        compare("\(name) reports", Double(found.reports), expected["reports"])
        compare("\(name) first", found.firstMilliseconds, expected["firstMs"], tolerance: 1)
        compare("\(name) last", found.lastMilliseconds, expected["lastMs"], tolerance: 1)
        compare("\(name) pair round trip", found.pairRoundTrip, expected["pairRttMeanMs"])
        compare("\(name) pair changes", Double(found.pairChanges), expected["pairChanges"])
        let pair = expected["selectedPair"]?.members ?? [:]
        for part in ["id", "local", "remote", "protocol", "relayProtocol"] {
            compare("\(name) \(part)", found.path[part], pair[part]?.text)
        }
        compare("\(name) network", found.path["networkType"], Self.network(pair["networkType"]?.text))
        let streams = expected["streams"]?.members ?? [:]
        for key in Set(found.streams.keys).symmetricDifference(streams.keys) {
            differences.insert("\(name) \(key) is in one of them only")
        }
        for (key, stream) in found.streams {
            if let expected = streams[key]?.members { compare(stream, expected, "\(name) \(key)") }
        }
    }

    /// W3C's name of a network; the oracle leaves those of old Chrome as they are.
    private static func network(_ name: String?) -> String? {
        name.map { ["lan": "ethernet", "wlan": "wifi", "wwan": "cellular"][$0] ?? $0 }
    }

    private static let figures = [
        "samples", "segments", "packets", "lost", "jitterMeanMs", "jitterMaxMs", "rttMeanMs", "rttMaxMs",
        "concealedPct", "jbAvgMs",
    ]

    private mutating func compare(_ stream: OracleFacts.Stream, _ expected: JSONObject, _ name: String) {
        for figure in Self.figures { compare("\(name) \(figure)", stream.figures[figure], expected[figure]) }
        // Times have whole milliseconds here.
        compare("\(name) kbps", stream.figures["kbps"], expected["kbps"], tolerance: 0.1)
        let codec = expected["codec"]?.text
        // Old names of codecs have no kind.
        let isBare = codec.map { !$0.contains("/") } ?? false
        let own = isBare ? stream.codec?.split(separator: "/").last.map(String.init) : stream.codec
        compare("\(name) codec", own, codec)
    }
}
