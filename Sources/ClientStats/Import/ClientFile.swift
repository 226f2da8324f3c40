import CallModel
import JSONText

/// The file that rtcstats-server keeps of a client: `peerConnections: {id: [{time, type, value}, …]}` in one JSON text.
///
/// Reports hold what changed, as in the dumps of the time; an object that is left out is unchanged.
struct ClientFile: ImportSource {
    private let bytes: [UInt8]
    private let entries: [(connection: ConnectionID, range: Range<Int>)]
    private var next = 0
    private var reports: [ConnectionID: RTCStatsDelta] = [:]
    private var events = DumpEvents()

    /// - Throws: when it has more entries than are remembered at a time.
    init(_ bytes: [UInt8], connections: Range<Int>) throws(ClientStatsError) {
        self.bytes = bytes
        var entries: [(ConnectionID, Range<Int>)] = []
        for member in JSONSlices.Members(of: bytes, in: connections) {
            let name = ConnectionID(rawValue: String(decoding: bytes[member.name], as: UTF8.self))
            for element in JSONSlices.Elements(of: bytes, in: member.value) {
                guard entries.count < ImportReader.mostParts else {
                    throw ImportReader.tooMany("entries of a client's file")
                }
                entries.append((name, element))
            }
        }
        self.entries = entries
    }

    var bytesRead: Int { next == 0 ? 0 : entries[next - 1].range.upperBound }

    mutating func read(into assembly: inout ImportAssembly) -> Bool {
        guard next < entries.count else { return false }
        let (connection, range) = entries[next]
        let place = BodyPlace(index: next, name: "connection \(connection.rawValue.prefix(64)), entry \(next)")
        next += 1
        do {
            let limits = JSONLimits(maximumStringBytes: bytes.count)
            guard connection.rawValue.utf8.count <= assembly.context.limits.identifierBytes else {
                throw Problem.tooLong(
                    "the name of a connection", bytes: connection.rawValue.utf8.count,
                    limit: assembly.context.limits.identifierBytes)
            }
            let value = try JSONValue(parsing: bytes, in: range, limits: limits)
            guard let members = value.members, let type = members["type"]?.text else {
                throw Problem(.wrongType, "found \(value.kindName), expected an object with time, type and value")
            }
            take(members, type, of: connection, at: place, into: &assembly)
        } catch let error as JSONSyntaxError {
            assembly.refuse(Problem(error), at: place)
        } catch let error as Problem {
            assembly.refuse(error, at: place)
        } catch {
            return next < entries.count
        }
        return next < entries.count
    }

    private mutating func take(
        _ members: JSONObject, _ type: String, of connection: ConnectionID, at place: BodyPlace,
        into assembly: inout ImportAssembly
    ) {
        let time = members.firstMember(of: ["time", "timestamp"])?.value
        guard type.lowercased() == "getstats", let value = members["value"]?.members else {
            let entry = DumpEvents.Entry(
                name: type, value: members["value"] ?? .null, page: "", connection: connection,
                time: time.flatMap { EpochTime($0)?.timestamp }, index: place.index)
            return events.take(entry, into: &assembly)
        }
        let report = reports[connection, default: RTCStatsDelta()].take(value, keepsAbsent: true)
        var message = ImportAssembly.Report(statistics: report.statistics)
        message.connection = connection
        message.time = report.time ?? time
        assembly.add(message, at: place)
    }
}
