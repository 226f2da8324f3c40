import CallModel
import Foundation
import Logging
import StandardStreams

/// Writes one JSON object a line to standard error.
struct JSONLogHandler: LogHandler {
    let label: String
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    init(label: String) {
        self.label = label
    }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line: JSONObject = [
            "time": .string(Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "level": .string(event.level.rawValue),
            "label": .string(label),
            "message": .string(event.message.description),
        ]
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        if !all.isEmpty { line["metadata"] = .object(JSONObject(all.mapValues(\.json))) }
        Terminal.tell(JSONValue.object(line).canonicalText + "\n")
    }
}

extension Logger.MetadataValue {
    fileprivate var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let members): .object(JSONObject(members.mapValues(\.json)))
        }
    }
}
