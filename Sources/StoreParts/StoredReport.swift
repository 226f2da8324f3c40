package import CallModel
package import JSONText

/// The parts of a client's report as stores keep them.
package enum StoredReport {
    /// An array of `{id, type, timestamp, members}`.
    ///
    /// `beginning` is JSON text that comes before it.
    package static func text(of objects: [StatsObject], behind beginning: StaticString = "") -> JSONWriter {
        var text = JSONWriter(expectedBytes: 16_384)
        text.write(mark: beginning)
        text.write(mark: "[")
        for (index, object) in objects.enumerated() {
            text.write(mark: index == 0 ? "{\"id\":" : ",{\"id\":")
            text.write(text: object.id)
            text.write(mark: ",\"type\":")
            text.write(text: object.type.rawValue)
            if let timestamp = object.timestamp {
                text.write(mark: ",\"timestamp\":")
                text.write(integer: timestamp.milliseconds)
            }
            text.write(mark: ",\"members\":")
            text.write(object: object.members)
            text.write(mark: "}")
        }
        text.write(mark: "]")
        return text
    }

    /// An array of `[type, id]`.
    package static func value(of conflicts: [StatsObject.Key]) -> JSONValue {
        .array(conflicts.map { .array([.string($0.type.rawValue), .string($0.id)]) })
    }

    package static func objects(of value: JSONValue) throws -> [StatsObject] {
        try elements(of: value).map(StatsObject.init(stored:))
    }

    package static func conflicts(of value: JSONValue) throws -> [StatsObject.Key] {
        try elements(of: value).map(StatsObject.Key.init(stored:))
    }

    private static func elements(of value: JSONValue) throws -> [JSONValue] {
        guard case .array(let values) = value else { throw StoredValueError.notExpected("a single value") }
        return values
    }
}

extension StatsObject {
    fileprivate init(stored value: JSONValue) throws {
        guard let value = value.members, let id = value["id"]?.text, let type = value["type"]?.text,
            let members = value["members"]?.members
        else { throw StoredValueError.notExpected(value.canonicalText) }
        self.init(
            id: id, type: StatsType(rawValue: type),
            timestamp: value["timestamp"]?.wholeNumber.map(Timestamp.init(milliseconds:)), members: members)
    }
}

extension StatsObject.Key {
    fileprivate init(stored value: JSONValue) throws {
        guard case .array(let pair) = value, pair.count == 2, let type = pair[0].text, let id = pair[1].text else {
            throw StoredValueError.notExpected(value.canonicalText)
        }
        self.init(type: StatsType(rawValue: type), id: id)
    }
}

extension WireReport {
    /// From the members that are stored.
    package init(
        stored members: JSONObject, time: Timestamp, receivedAt: Timestamp, isContradicted: Bool
    ) throws {
        let report = try WireReport(members: members, time: time, receivedAt: receivedAt)
        self.init(
            time: time, receivedAt: receivedAt, streams: report.streams, sensor: report.sensor,
            audioPacketsSent: report.audioPacketsSent, isAudioDue: report.isAudioDue,
            audioPacketsUndeliverable: report.audioPacketsUndeliverable, isContradicted: isContradicted)
    }
}
