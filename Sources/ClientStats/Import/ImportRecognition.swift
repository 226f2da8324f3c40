import CallModel
import JSONText

/// Tells by its content what a file is.
struct ImportRecognition {
    let format: ImportFormat
    let source: any ImportSource
    /// The line on which something follows the one document that the file is of; it is not read.
    let follower: Int?

    init(_ bytes: [UInt8], limits: BodyLimits) throws(ClientStatsError) {
        let start = Self.start(of: bytes)
        guard start < bytes.endIndex else {
            self.init(.empty, EmptySource())
            return
        }
        if let name = ForeignFile.name(of: bytes) { throw Self.foreign(name) }
        if bytes[start...].starts(with: RTCStatsDump.magic) {
            self.init(.rtcstats, RTCStatsDump(bytes, from: start))
            return
        }
        switch bytes[start] {
        case UInt8(ascii: "{"): self = try Self.object(bytes, from: start)
        case UInt8(ascii: "["): self = try Self.array(bytes, from: start)
        case UInt8(ascii: "\""): self.init(.reports, ReportFile(bytes, limits: limits))
        default:
            guard ReportFile.hasMessageLine(bytes) else { throw Self.unknown(bytes, from: start) }
            self.init(.reports, ReportFile(lines: bytes, limits: limits))
        }
        if format == .reports { try Self.checkFirst(bytes, from: start) }
    }

    private init(_ format: ImportFormat, _ source: any ImportSource, follower: Int? = nil) {
        self.format = format
        self.source = source
        self.follower = follower
    }

    /// The line on which something follows the document that begins at `start`; commas and white space are nothing.
    private static func follower(of start: Int, in bytes: [UInt8]) -> Int? {
        guard let document = JSONSlices.value(in: bytes, from: start),
            let next = bytes[document.upperBound...].firstIndex(where: {
                $0 != UInt8(ascii: ",") && !JSONLines.isBlank(CollectionOfOne($0))
            })
        else { return nil }
        return 1 + bytes[..<next].count { $0 == UInt8(ascii: "\n") }
    }

    /// The first byte that is neither white space nor a byte order mark; the end where there is none.
    private static func start(of bytes: [UInt8]) -> Int {
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return bytes[mark...].firstIndex { !JSONLines.isBlank(CollectionOfOne($0)) } ?? bytes.endIndex
    }

    // MARK: Objects

    private static func object(_ bytes: [UInt8], from start: Int) throws(ClientStatsError) -> ImportRecognition {
        var connections: [String: Range<Int>] = [:]
        for member in JSONSlices.Members(of: bytes, in: start..<bytes.count) {
            for name in ["peerConnections", "PeerConnections"]
            where connections[name] == nil && bytes[member.name].elementsEqual(name.utf8) {
                connections[name] = member.value
            }
        }
        if let range = connections["peerConnections"], bytes[range.lowerBound] == UInt8(ascii: "{") {
            let file = try ClientFile(bytes, connections: range)
            return ImportRecognition(.rtcstatsClientFile, file, follower: follower(of: start, in: bytes))
        }
        if let range = connections["PeerConnections"] {
            return ImportRecognition(
                .webrtcInternals, InternalsDump(bytes, connections: range), follower: follower(of: start, in: bytes))
        }
        if let rows = rows(ofLines: bytes, skippingFirst: true) {
            return ImportRecognition(.rtcstatsLegacy, RTCStatsLegacyDump(bytes, rows: rows))
        }
        return ImportRecognition(.reports, ReportFile(bytes, limits: BodyLimits()))
    }

    // MARK: Arrays

    private static func array(_ bytes: [UInt8], from start: Int) throws(ClientStatsError) -> ImportRecognition {
        if let rows = rows(ofLines: bytes, skippingFirst: false) {
            return ImportRecognition(.rtcstatsLegacy, RTCStatsLegacyDump(bytes, rows: rows))
        }
        let elements = JSONSlices.Elements(of: bytes, in: start..<bytes.count)
        guard elements.contains(where: { _ in true }) else {
            return ImportRecognition(.reports, ReportFile(bytes, limits: BodyLimits()))
        }
        if elements.allSatisfy({ isRow($0, of: bytes) }) {
            let rows = ListedParts.elements(elements, next: 1)
            return ImportRecognition(
                .rtcstatsLegacy, RTCStatsLegacyDump(bytes, rows: rows), follower: follower(of: start, in: bytes))
        }
        if elements.allSatisfy({ CallStatisticsLog.isEntry($0, of: bytes) }) {
            let log = try CallStatisticsLog(bytes, from: start, limits: BodyLimits())
            return ImportRecognition(.callStatisticsLog, log, follower: follower(of: start, in: bytes))
        }
        return ImportRecognition(.reports, ReportFile(bytes, limits: BodyLimits()))
    }

    /// The lines of a file of rows; `nil` when it is none. Some servers write a line of metadata first.
    private static func rows(ofLines bytes: [UInt8], skippingFirst: Bool) -> ListedParts? {
        var rows = JSONLines.split(bytes)
        if skippingFirst { _ = rows.next() }
        guard let first = rows.first(where: { _ in true }), isRow(first.range, of: bytes) else { return nil }
        return .lines(rows)
    }

    /// Whether this is `[name, connection, value, time]`, with or without more behind it.
    private static func isRow(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
        let parts = Array(JSONSlices.Elements(of: bytes, in: range).prefix(4))
        guard parts.count == 4, bytes[parts[0].lowerBound] == UInt8(ascii: "\"") else { return false }
        let connection = bytes[parts[1].lowerBound]
        let time = bytes[parts[3].lowerBound]
        let isNamed = [UInt8(ascii: "\""), UInt8(ascii: "n")].contains(connection) || isDigit(connection)
        return isNamed && (isDigit(time) || time == UInt8(ascii: "\""))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    // MARK: Errors

    /// Refuses by name what is nearly JSON and known.
    private static func checkFirst(_ bytes: [UInt8], from start: Int) throws(ClientStatsError) {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        guard (try? JSONValue(parsing: bytes, in: start..<end)) == nil else { return }
        if let name = ForeignFile.nearlyJSON(bytes[start..<end]) { throw foreign(name) }
    }

    private static func foreign(_ name: String) -> ClientStatsError {
        ClientStatsError(reason: .unrecognised, description: "this is \(name)")
    }

    private static func unknown(_ bytes: [UInt8], from start: Int) -> ClientStatsError {
        let line = bytes[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let head = String(decoding: line.prefix(24), as: UTF8.self)
        let isText = head.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0xFFFD }
        let shown = isText ? "\"\(head)\"" : hexadecimal(bytes[start...].prefix(4))
        return ClientStatsError(
            reason: .unrecognised,
            description: "it begins with \(shown), expected statistics reports, events, a CallStatistics.log, a "
                + "webrtc-internals dump or an rtcstats dump")
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
    }
}
