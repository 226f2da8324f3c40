import CallModel
import JSONText

/// The dump of `chrome://webrtc-internals`: for each connection what happened to it, and a series of values for each
/// member of each object of its reports.
///
/// Connections of one page are connections of one call; pages are told apart by their process and address.
struct InternalsDump: ImportSource {
    private let bytes: [UInt8]
    private let connections: [JSONSlices.Member]
    private let isCutShort: Bool
    private var next = 0
    private var index = 0
    private var events = DumpEvents()
    private var waiting: ArraySlice<ImportAssembly.Report> = []

    init(_ bytes: [UInt8], connections: Range<Int>) {
        self.bytes = bytes
        let found = JSONSlices.members(of: bytes, in: connections)
        self.connections = found.parts
        isCutShort = found.isCutShort
    }

    var bytesRead: Int { next == 0 ? 0 : connections[next - 1].value.upperBound }

    mutating func read(into assembly: inout ImportAssembly) -> Bool {
        if let report = waiting.popFirst() {
            assembly.add(
                report, at: BodyPlace(index: index, name: "connection \(report.connection.rawValue.prefix(64))"))
            index += 1
            return true
        }
        guard next < connections.count else {
            if isCutShort { assembly.note("the dump is cut short; what is missing at its end is not known") }
            return false
        }
        readConnection(connections[next], into: &assembly)
        next += 1
        return true
    }

    private mutating func readConnection(_ member: JSONSlices.Member, into assembly: inout ImportAssembly) {
        let name = String(decoding: bytes[member.name], as: UTF8.self)
        guard name.utf8.count <= assembly.context.limits.identifierBytes else {
            let problem = Problem.tooLong(
                "the name of a connection", bytes: name.utf8.count, limit: assembly.context.limits.identifierBytes)
            return assembly.refuse(problem, at: BodyPlace(index: next, name: "PeerConnections"))
        }
        let parts = JSONSlices.members(of: bytes, in: member.value).parts
        func part(_ wanted: String) -> Range<Int>? {
            parts.first { bytes[$0.name].elementsEqual(wanted.utf8) }?.value
        }
        let url = part("url").flatMap { try? JSONValue(parsing: bytes, in: $0).text } ?? ""
        let process = name.split(separator: "-").first.map(String.init) ?? name
        let page = "\(process) \(url)"
        let connection = ConnectionID(rawValue: name)
        if let log = part("updateLog") { readLog(log, of: connection, page: page, into: &assembly) }
        guard let stats = part("stats") else { return }
        waiting = reports(stats, of: connection, page: page, into: &assembly)[...]
    }

    // MARK: What happened

    private mutating func readLog(
        _ range: Range<Int>, of connection: ConnectionID, page: String, into assembly: inout ImportAssembly
    ) {
        for element in JSONSlices.elements(of: bytes, in: range).parts {
            let limits = JSONLimits(maximumStringBytes: bytes.count)
            guard let members = (try? JSONValue(parsing: bytes, in: element, limits: limits))?.members,
                let type = members["type"]?.text
            else { continue }
            // Before 2021 the time was text in the language of the user and the zone of his machine.
            let time = members.firstMember(of: ["timestamp", "time"]).flatMap { EpochTime($0.value)?.timestamp }
            let entry = DumpEvents.Entry(
                name: type, value: members["value"] ?? .null, page: page, connection: connection, time: time,
                index: index)
            events.take(entry, into: &assembly)
        }
    }

    // MARK: Reports

    private func reports(
        _ range: Range<Int>, of connection: ConnectionID, page: String, into assembly: inout ImportAssembly
    ) -> [ImportAssembly.Report] {
        var series: [InternalsSeries] = []
        var values = 0
        for member in JSONSlices.members(of: bytes, in: range).parts {
            let name = Self.text(bytes, member.name)
            guard let (object, property) = InternalsSeries.split(name) else { continue }
            do throws(Problem) {
                let read = try InternalsSeries(bytes, member.value, object: object, property: property)
                values += read.values.count
                guard values <= InternalsSeries.mostOfConnection else {
                    throw Problem.tooMany("values of a connection", limit: InternalsSeries.mostOfConnection)
                }
                series.append(read)
            } catch {
                let place = BodyPlace(index: next, name: "connection \(connection.rawValue), series \(name.prefix(80))")
                assembly.refuse(error, at: place)
            }
        }
        let longest = series.map(\.values.count).max() ?? 0
        if longest >= InternalsSeries.mostValues {
            assembly.note(
                "connection \(connection.rawValue): the dump keeps \(InternalsSeries.mostValues) values of each series; "
                    + "what was before is missing")
        }
        let timeline = InternalsTimeline(series)
        if timeline.isSpreadEvenly, longest > 0 {
            assembly.note("connection \(connection.rawValue): the dump has no times of reports; they are spread evenly")
        }
        var notes = timeline.isSpreadEvenly ? ["times of reports spread evenly between first and last"] : []
        if longest >= InternalsSeries.mostValues { notes.append("the beginning is missing from the dump") }
        return timeline.reports.map { time, objects in
            var report = ImportAssembly.Report(page: page, statistics: .object(objects), time: .double(time))
            report.connection = connection
            report.notes = notes
            return report
        }
    }

    /// A member's name, with its escapes undone.
    private static func text(_ bytes: [UInt8], _ name: Range<Int>) -> String {
        let quoted = name.lowerBound - 1..<name.upperBound + 1
        return (try? JSONValue(parsing: bytes, in: quoted).text) ?? String(decoding: bytes[name], as: UTF8.self)
    }
}
