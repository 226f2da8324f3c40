import CallModel
import JSONText
import StoreParts

/// A row of `facts`.
struct FactRow: StoredRow {
    static let table = ClickHouseTable.facts

    var record: CallKey
    /// The node that took the fact.
    var node: String
    var version: UInt64
    var fact: Fact

    init(_ fact: Fact, of record: CallKey, node: String, version: UInt64) {
        self.record = record
        self.node = node
        self.version = version
        self.fact = fact
    }

    func write(to rows: inout RowBinaryWriter) {
        rows.write(record)
        let key = fact.key
        rows.write(key.time.milliseconds)
        rows.write(Int64(key.rank))
        rows.write(StoredName.encode(key.name))
        rows.write(node)
        rows.write(version)
        rows.write(fact.receivedAt.milliseconds)
        switch fact {
        case .report(let report):
            rows.write("", "", nil, isContradicted: !report.conflicts.isEmpty)
            rows.write(bytes: Self.text(of: report))
        case .event(let event):
            rows.write(event.action, event.type, event.sequence, isContradicted: event.isContradicted)
            rows.write(JSONValue.object(event.members).canonicalText)
        case .wire(let report):
            rows.write("", "", nil, isContradicted: report.isContradicted)
            rows.write(JSONValue.object(report.members).canonicalText)
        }
    }

    /// An object {objects, conflicts, notes}.
    private static func text(of report: StatsReport) -> [UInt8] {
        var text = StoredReport.text(of: report.objects, behind: "{\"objects\":")
        text.write(mark: ",\"conflicts\":")
        text.write(StoredReport.value(of: report.conflicts))
        text.write(mark: ",\"notes\":")
        text.write(.array(report.notes.map(JSONValue.string)))
        text.write(mark: "}")
        return text.bytes
    }

    init(_ row: inout RowBinaryReader) throws {
        record = try row.callKey()
        let time = Timestamp(milliseconds: try row.int64())
        let key = FactKey(time: time, rank: Int(try row.int64()), name: try row.string())
        node = try row.string()
        version = try row.uint64()
        let received = Timestamp(milliseconds: try row.int64())
        let (action, type) = (try row.string(), try row.string())
        let sequence = try row.nullable { try $0.int64() }
        let isContradicted = try row.bool()
        let content = try row.byteString()
        fact = try understanding("the fact \(key.rank)/\(key.name) of \(time.milliseconds) ms") {
            let value = try StoredJSON.value(ofBytes: content)
            guard let members = value.members else { throw StoredValueError.notExpected(value.canonicalText) }
            return switch key.rank {
            case FactKey.reportRank:
                .report(try StatsReport(members, of: key, receivedAt: received))
            case FactKey.wireRank:
                .wire(try WireReport(stored: members, time: time, receivedAt: received, isContradicted: isContradicted))
            default:
                .event(
                    CallEvent(
                        time: time, receivedAt: received, action: action, type: type, sequence: sequence,
                        members: members, isContradicted: isContradicted))
            }
        }
    }
}

extension RowBinaryWriter {
    fileprivate mutating func write(_ action: String, _ type: String, _ sequence: Int64?, isContradicted: Bool) {
        write(action)
        write(type)
        write(nullable: sequence)
        write(isContradicted)
    }
}

extension StatsReport {
    /// From the members that are stored.
    fileprivate init(_ members: JSONObject, of key: FactKey, receivedAt: Timestamp) throws {
        guard let objects = members["objects"], let conflicts = members["conflicts"],
            case .array(let notes)? = members["notes"]
        else { throw StoredValueError.notExpected(JSONValue.object(members).canonicalText) }
        self.init(
            stored: try StoredReport.objects(of: objects), conflicts: try StoredReport.conflicts(of: conflicts),
            notes: notes.compactMap(\.text), connection: ConnectionID(rawValue: key.name), time: key.time,
            receivedAt: receivedAt)
    }
}
