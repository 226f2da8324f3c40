import CallModel
import Foundation
import JSONText

/// A summary that earlier rules stored, which may lack members that summaries have today.
///
/// What is missing is what an empty summary has: not known, none. So a record is shown as it was derived, until it is
/// derived anew. A part that lacks a member for which there is no such value is left out whole.
enum EarlierSummary {
    /// More parts than this do not have to be left out.
    private static let mostRepairs = 16

    /// Decodes a summary although something is missing.
    static func summary(of text: String, decodedBy decoder: JSONDecoder) throws -> CallSummary {
        let empty = try template(of: text)
        var value = try completed(StoredJSON.value(of: text), as: empty)
        for _ in 1..<mostRepairs {
            do {
                return try decode(value, decoder)
            } catch DecodingError.keyNotFound(_, let context) {
                // Up to the first index: a list is left out whole.
                let place = context.codingPath.prefix { $0.intValue == nil }.map(\.stringValue)
                guard !place.isEmpty else { throw DecodingError.dataCorrupted(context) }
                value = try completed(value.removing(place[...]), as: empty)
            }
        }
        return try decode(value, decoder)
    }

    private static func decode(_ value: JSONValue, _ decoder: JSONDecoder) throws -> CallSummary {
        try decoder.decode(CallSummary.self, from: Data(value.canonicalText.utf8))
    }

    // MARK: What is missing

    /// The members that every summary has, with the key and times of this one.
    private struct Head: Decodable {
        var key: CallKey
        var rulesVersion: Int
        var start: Timestamp
        var lastActivity: Timestamp
        var lastReceivedAt: Timestamp
    }

    private static func template(of text: String) throws -> JSONValue {
        let head = try JSONDecoder().decode(Head.self, from: Data(text.utf8))
        let empty = CallSummary(
            key: head.key, rulesVersion: head.rulesVersion, start: head.start, lastActivity: head.lastActivity,
            lastReceivedAt: head.lastReceivedAt)
        return try StoredJSON.value(of: StoredJSON.text(of: empty))
    }

    private static func streamTemplate() throws -> JSONValue {
        let stream = StreamKey(connection: .only, direction: .inbound, kind: .audio, source: "")
        let time = Timestamp(milliseconds: 0)
        let empty = StreamSummary(stream: stream, firstSeen: time, lastSeen: time)
        return try StoredJSON.value(ofJSON: JSONEncoder().encode(empty))
    }

    private static func completed(_ value: JSONValue, as template: JSONValue) throws -> JSONValue {
        var value = value.completed(as: template)
        if case .object(var members) = value, case .array(let streams)? = members["streams"] {
            let empty = try streamTemplate()
            members["streams"] = .array(streams.map { $0.completed(as: empty) })
            value = .object(members)
        }
        return value
    }
}

extension JSONValue {
    /// Objects get the members that they lack; everything else stays.
    fileprivate func completed(as template: JSONValue) -> JSONValue {
        guard case .object(let own) = self, case .object(let wanted) = template else { return self }
        return .object(own.merging(wanted) { $0.completed(as: $1) })
    }

    /// Without the member at a path of names.
    fileprivate func removing(_ path: ArraySlice<String>) -> JSONValue {
        guard case .object(var members) = self, let name = path.first else { return self }
        members[name] = path.count > 1 ? members[name]?.removing(path.dropFirst()) : nil
        return .object(members)
    }
}
