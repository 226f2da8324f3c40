import CallModel
import JSONText

/// The dump of rtcstats from its file format 3 on, and what Chrome exports under the same name.
///
/// The first line is `RTCStatsDump`, the second tells of the dump, then come rows `[method, connection, value, …, time]`
/// whose times count from the row before. rtcstats writes numbers for names and what changed since the report before
/// (an object left out is unchanged, `null` is gone); Chrome writes whole reports, with rates of its own between them.
struct RTCStatsDump: ImportSource {
    static let magic = Array("RTCStatsDump".utf8)

    private let bytes: [UInt8]
    private var rows: JSONLines.Lines
    private var next = 0
    private(set) var bytesRead = 0
    private var milliseconds = 0.0
    private var reports: [ConnectionID: [String: JSONObject]] = [:]
    private var events = DumpEvents()

    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        rows = JSONLines.split(bytes)
        var rest = rows
        while let line = rest.next(), line.range.lowerBound <= start { rows = rest }
    }

    mutating func read(into assembly: inout ImportAssembly) -> Bool {
        guard let line = rows.next() else { return false }
        let place = BodyPlace.line(next, number: line.number)
        next += 1
        bytesRead = line.range.upperBound
        do {
            let limits = JSONLimits(maximumStringBytes: bytes.count)
            let value = try JSONValue(parsing: bytes, in: line.range, firstLine: line.number, limits: limits)
            if case .array(let row) = value { take(row, at: place, into: &assembly) }
        } catch {
            assembly.refuse(Problem(error), at: BodyPlace(index: place.index, name: ""))
        }
        return true
    }

    private mutating func take(_ row: [JSONValue], at place: BodyPlace, into assembly: inout ImportAssembly) {
        guard row.count >= 3, let method = RTCStatsNames.method(row[0]), let delta = row.last?.number else {
            return assembly.refuse(
                Problem(.wrongType, "found \(JSONValue.array(row).kindName), expected [method, connection, …, time]"),
                at: place)
        }
        milliseconds += delta
        let name = row[1].text ?? row[1].wholeNumber.map(String.init)
        guard let name, !name.isEmpty, name.utf8.count <= assembly.context.limits.identifierBytes else { return }
        let connection = ConnectionID(rawValue: name)
        let value = row.count > 3 ? row[2] : .null
        guard method == "getStats" else {
            let time = EpochTime(.double(milliseconds))?.timestamp
            let entry = DumpEvents.Entry(
                name: method, value: value, page: Self.page(of: name), connection: connection, time: time,
                index: place.index)
            return events.take(entry, into: &assembly)
        }
        guard let objects = value.members else {
            return assembly.refuse(.wrongType("getStats", value, expected: "an object"), at: place)
        }
        var report = ImportAssembly.Report(page: Self.page(of: name), statistics: statistics(objects, of: connection))
        report.connection = connection
        report.time = .double(milliseconds)
        assembly.add(report, at: place)
    }

    /// Chrome names a connection by the process of its page and a number.
    static func page(of connection: String) -> String {
        let parts = connection.split(separator: "-", omittingEmptySubsequences: false)
        let areNumbers = parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isWholeNumber } }
        return parts.count == 2 && areNumbers ? String(parts[0]) : ""
    }

    // MARK: Reports

    private mutating func statistics(_ value: JSONObject, of connection: ConnectionID) -> JSONValue {
        let change = RTCStatsChange(value)
        let base = change.isWhole ? [:] : reports[connection] ?? [:]
        let objects = change.applied(to: base)
        reports[connection] = objects
        return .object(JSONObject(objects.mapValues { .object($0) }))
    }
}

/// What one report of an RTCStatsDump says: everything, or what changed.
private struct RTCStatsChange {
    /// By id; `nil` stands for an object that is gone.
    private var objects: [String: JSONObject?] = [:]
    /// The time of the objects that name none.
    private var time: JSONValue?
    /// Whether it stands for itself.
    let isWhole: Bool

    init(_ value: JSONObject) {
        var isCompressed = false
        for (id, object) in value {
            switch object {
            case .null: objects[id] = .some(nil)
            case .object(let members):
                let named = RTCStatsNames.members(members)
                isCompressed = isCompressed || members["type"]?.text == nil
                objects[id] = named.filter { !$0.key.hasPrefix("[") }
            default:
                if RTCStatsNames.member(id) == "timestamp" { time = object }
            }
        }
        isWhole = !isCompressed && time == nil && !objects.values.contains { $0 == nil }
    }

    /// The whole report, given the one before.
    func applied(to base: [String: JSONObject]) -> [String: JSONObject] {
        var result = base
        for (id, change) in objects {
            result[id] = change.map { (base[id] ?? [:]).merging($0, uniquingKeysWith: Self.united) }
        }
        guard let time else { return result }
        for id in result.keys where objects[id]??["timestamp"] == nil { result[id]?["timestamp"] = time }
        return result
    }

    /// Of a member that is an object only what changed is written.
    private static func united(_ old: JSONValue, _ new: JSONValue) -> JSONValue {
        guard let old = old.members, let new = new.members else { return new }
        return .object(old.merging(new) { $1 })
    }
}
