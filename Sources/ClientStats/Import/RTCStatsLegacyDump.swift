import CallModel
import JSONText

/// The dump of rtcstats before its file format 3: rows `[name, connection, value, time]`, in some with a running number
/// behind. Rows `getStats` hold what changed since the report before; the others say what the page did.
struct RTCStatsLegacyDump: ImportSource {
    private let bytes: [UInt8]
    private var rows: ListedParts
    private var next = 0
    private(set) var bytesRead = 0
    private var reports: [ConnectionID: RTCStatsDelta] = [:]
    private var events = DumpEvents()
    private let keepsAbsent: Bool
    private var lastNumber: Int64?
    private var missingRows: Int64 = 0

    init(_ bytes: [UInt8], rows: ListedParts) {
        self.bytes = bytes
        self.rows = rows
        keepsAbsent = RTCStatsDialect.keepsAbsent(rows.lazy.compactMap { Row.report(in: bytes, $0.range) })
    }

    mutating func read(into assembly: inout ImportAssembly) -> Bool {
        guard let line = rows.next() else {
            if missingRows > 0 { assembly.note("by their numbers \(missingRows) rows of the dump are missing") }
            return false
        }
        let place = BodyPlace.line(next, number: line.number)
        next += 1
        bytesRead = line.range.upperBound
        do {
            take(try Row(bytes, line), at: place, into: &assembly)
        } catch {
            let problem = error as? Problem ?? Problem(.malformed, "\(error)")
            assembly.refuse(problem, at: place)
        }
        return true
    }

    private mutating func take(_ row: Row, at place: BodyPlace, into assembly: inout ImportAssembly) {
        count(row.number)
        let connection = row.connection ?? .only
        guard let value = row.statistics else {
            // Rows without a connection are about the page, or about the connection to the server.
            guard row.connection != nil else { return }
            let time = row.time.flatMap { EpochTime($0)?.timestamp }
            let entry = DumpEvents.Entry(
                name: row.name, value: row.value, page: "", connection: connection, time: time, index: place.index)
            return events.take(entry, into: &assembly)
        }
        let report = reports[connection, default: RTCStatsDelta()].take(value, keepsAbsent: keepsAbsent)
        var message = ImportAssembly.Report(statistics: report.statistics)
        message.connection = connection
        message.time = report.time ?? row.time
        assembly.add(message, at: place)
    }

    private mutating func count(_ number: Int64?) {
        guard let number else { return }
        if let lastNumber { missingRows += Self.rows(between: lastNumber, and: number) }
        lastNumber = number
    }

    /// No more rows are missing between two, whatever their numbers.
    private static let mostMissing: Int64 = 1_000_000

    /// How many rows are missing between two that were numbered so; the numbers are the file's, and may be any.
    private static func rows(between last: Int64, and number: Int64) -> Int64 {
        guard number > last else { return 0 }
        let (distance, overflow) = number.subtractingReportingOverflow(last)
        return overflow ? mostMissing : min(distance - 1, mostMissing)
    }
}

/// One row of a dump.
private struct Row {
    var name: String
    var connection: ConnectionID?
    var value: JSONValue
    var time: JSONValue?
    var number: Int64?

    init(_ bytes: [UInt8], _ line: JSONLines.Line) throws {
        let row: JSONValue
        do {
            let limits = JSONLimits(maximumStringBytes: bytes.count)
            row = try JSONValue(parsing: bytes, in: line.range, firstLine: line.number, limits: limits)
        } catch {
            throw Problem(error)
        }
        guard case .array(let parts) = row, parts.count >= 3, let name = parts[0].text else {
            throw Problem(.wrongType, "found \(row.kindName), expected [name, connection, value, time]")
        }
        self.name = name
        connection = try Self.connection(parts[1])
        value = parts[2]
        time = parts.dropFirst(3).first
        number = parts.dropFirst(4).first?.wholeNumber
    }

    private static func connection(_ value: JSONValue) throws -> ConnectionID? {
        guard let text = value.text ?? value.wholeNumber.map(String.init), !text.isEmpty else { return nil }
        guard text.utf8.count <= BodyLimits().identifierBytes else {
            throw Problem.tooLong(
                "the name of the connection", bytes: text.utf8.count, limit: BodyLimits().identifierBytes)
        }
        return ConnectionID(rawValue: text)
    }

    /// The report in it, if it brings one.
    var statistics: JSONObject? {
        name.lowercased() == "getstats" ? value.members : nil
    }

    /// The connection and report of a row, read only if it brings one.
    static func report(in bytes: [UInt8], _ range: Range<Int>) -> (ConnectionID?, JSONObject)? {
        guard String(decoding: bytes[range].prefix(16), as: UTF8.self).lowercased().contains("getstats"),
            let row = try? Row(bytes, JSONLines.Line(number: 1, range: range)), let value = row.statistics
        else { return nil }
        return (row.connection, value)
    }
}
