import CallModel
import ClientStats
import JSONText
import TestSupport
import Testing

/// Every file of `reports` gives the facts of `oracle.json`, which plain code of its own has computed.
@Suite(SharedData.required) struct OracleTests {
    private static let oracle: JSONObject = {
        let bytes = (try? SharedData.bytes("reports/oracle.json")) ?? []
        return (try? JSONValue(parsing: bytes))?.members ?? [:]
    }()

    static let files = oracle.filter { $0.value.members?["peerConnections"] != nil && !$0.key.hasPrefix("series/") }
        .keys.sorted()

    @Test(arguments: files) func `a file has the facts of the oracle`(file: String) throws {
        let expected = try #require(Self.oracle[file]?.members)
        let comparison = OracleComparison(expected, try ImportedFile.shared("reports/\(file)"))
        #expect(comparison.differences == Self.known(file))
        #expect(comparison.connections > 0 || expected["reports"] == 0)
    }

    private static func known(_ file: String) -> Set<String> {
        OracleDifferences.known[file].map { Set($0.keys) } ?? []
    }

    /// The fold counts what the reports say: losses and segments of every stream, less what a pause made up.
    @Test(arguments: files) func `the fold has the losses of the oracle`(file: String) throws {
        let expected = try #require(Self.oracle[file]?.members?["peerConnections"]?.members)
        let imported = try ImportedFile.shared("reports/\(file)")
        for (key, summary) in imported.summaries() {
            for stream in summary.streams {
                let connection = stream.stream.connection
                let name =
                    imported.format == .callStatisticsLog
                    ? key.identity.call.rawValue : connection == .only ? "pc" : connection.rawValue
                let direction = stream.stream.direction == .inbound ? "in" : "out"
                let figures = expected[name]?.members?["streams"]?.members?[
                    "\(direction):\(stream.stream.kind.rawValue):\(stream.stream.source)"]?.members
                guard let figures else { continue }
                let lost = stream.packetsLost.map { $0 + stream.resumeGapPackets }
                #expect(lost == figures["lost"]?.wholeNumber.map(Int.init), "\(stream.stream)")
                #expect(stream.segments == figures["segments"]?.wholeNumber.map(Int.init), "\(stream.stream)")
            }
        }
    }

    private static let formats: [String: ImportFormat] = [
        "callstatistics-log": .callStatisticsLog, "callAdditionalInfo": .reports, "empty": .empty, "ndjson": .reports,
        "observertc-replay-jsonl": .reports, "rtcstats-legacy": .rtcstatsLegacy, "rtcstats-v3": .rtcstats,
        "rtcstats-server-client-file": .rtcstatsClientFile, "webrtc-internals": .webrtcInternals,
        "getstats-array": .reports, "getstats-entries": .reports, "getstats-keyvalue": .reports,
    ]

    @Test func `every file is recognised`() throws {
        for (file, expected) in Self.oracle {
            guard let name = expected.members?["format"]?.text, let format = Self.formats[name] else { continue }
            #expect(try ImportedFile.shared("reports/\(file)").format == format, "\(file)")
        }
    }

    @Test(arguments: oracle.keys.filter { $0.hasPrefix("series/") }.sorted())
    func `several files of one report each are a series`(name: String) throws {
        let expected = try #require(Self.oracle[name]?.members)
        guard case .array(let files) = expected["files"] else {
            Issue.record("\(expected)")
            return
        }
        let imports = try files.map {
            try ImportedFile(SharedData.bytes("reports/\($0.text ?? "")"), call: "series")
        }
        var series = try #require(imports.first)
        for file in imports.dropFirst() { series.facts.merge(file.facts) { $0 + $1 } }
        let comparison = OracleComparison(expected, series)
        #expect(comparison.differences == Self.known(name))
    }
}

/// Where the oracle says something else, and why it is meant to.
enum OracleDifferences {
    private static let relative = "its times do not count from 1970; they are placed from 2000 on"
    private static let clock = "reports after the step are moved on, the oracle leaves them where they were stamped"
    private static let decay = "the first round trips of a goog* pair fall from 3,000 ms on and are left out"
    private static let messageTime = "the oracle takes the time of the message, here those of the objects count"
    private static let unknown = "-1 stands for a round trip that is not known; the oracle counts it"

    static let known: [String: [String: String]] = [
        "derived/hostile-clock-jump.ndjson": [
            "pc first 1697705722480.0, expected 1697702212167.11": clock,
            "pc in:video:3859036835 kbps 321.8, expected 315.6": clock,
            "pc in:video:3475661459 kbps 358.0, expected 350.8": clock,
            "pc out:video:2007858786 kbps 467.4, expected 480.6": clock,
        ],
        "getstats-array/observertc-stuck-decoder.jsonl": [
            "pc-1 first 946684800000.0, expected 0.0": relative,
            "pc-1 last 946684806000.0, expected 6000.0": relative,
        ],
        "native/muazkhan-web-stats-time1.json": ["pc pair round trip nil, expected 63.0": decay],
        "native/muazkhan-web-stats-time2.json": ["pc pair round trip nil, expected 68.0": decay],
        "rtcstats-jitsi/chrome96-standard-stats-p2p-add-transceiver": [
            "PC_1 pair round trip 35.0, expected 40.3": decay
        ],
        "rtcstats-jitsi/clienttest.json": [
            "PC_0 pair round trip nil, expected 675.5": decay,
            "PC_1 pair round trip nil, expected 675.6": decay,
            "PC_0 out:video:248537258 kbps 1248.6, expected 1250.1": messageTime,
            "PC_1 in:video:248537258 kbps 1245.3, expected 1247.6": messageTime,
            "PC_0 out:audio:2153724675 rttMeanMs 1.7, expected 0.8": unknown,
        ],
        "rtcstats-jitsi/google-legacy-screenshare-msessions": ["PC_1 pair round trip 48.3, expected 48.3": decay],
        "rtcstats-jitsi/google-legacy-screenshare-p2p": ["PC_0 pair round trip 178.3, expected 178.5": decay],
        "rtcstats-jitsi/google-legacy-stats-multiple-pc": [
            "PC_0 pair round trip 0.3, expected 0.3": decay,
            "PC_1 pair round trip 52.3, expected 52.6": decay,
            "PC_2 pair round trip 1.2, expected 1.3": decay,
        ],
        "rtcstats-jitsi/google-legacy-stats-sfu": ["PC_1 pair round trip 48.3, expected 48.5": decay],
        "series/muazkhan-web-time1-time2": ["pc pair round trip nil, expected 65.5": decay],
    ]
}
