import CallModel
import CallReport

/// Reports as they are kept: as the client sent them, in W3C names and units, secrets dropped.
struct JSONFacts: Sendable {
    private let facts: [Fact]
    private let damage: [RecordDamage]

    init(_ facts: PartlyRead<[Fact]>) {
        self.facts = facts.value
        damage = facts.damage
    }

    var members: JSONObject {
        var reports: [JSONValue] = []
        var wire = JSONValue.null
        for fact in facts {
            switch fact {
            case .report(let report): reports.append(Self.json(report))
            case .wire(let report): wire = Self.json(report)
            case .event: break
            }
        }
        return ["reports": .array(reports), "wire": wire, "damage": JSONDamage(damage).value]
    }

    private static func json(_ report: StatsReport) -> JSONValue {
        [
            "time": JSONValue(report.time), "receivedAt": JSONValue(report.receivedAt),
            "connection": .string(report.connection.rawValue), "objects": .array(report.objects.map(json)),
        ]
    }

    /// As `getStats()` gives it: the time in ms since 1970.
    private static func json(_ object: StatsObject) -> JSONValue {
        var members = object.members
        members["id"] = .string(object.id)
        members["type"] = .string(object.type.rawValue)
        members["timestamp"] = object.timestamp.map { .integer($0.milliseconds) } ?? .null
        return .object(members)
    }

    private static func json(_ report: WireReport) -> JSONValue {
        var members = report.members
        members["time"] = JSONValue(report.time)
        members["receivedAt"] = JSONValue(report.receivedAt)
        return .object(members)
    }
}
