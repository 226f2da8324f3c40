package import CallModel
package import Foundation
import JSONText

/// JSON as stores keep it.
package enum StoredJSON {
    /// What is stored has passed the limits of what is received, and is wrapped a few levels deep.
    private static let limits = JSONLimits(maximumDepth: 256, maximumStringBytes: .max, maximumValues: .max)

    package static func value(of text: String) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8), limits: limits)
    }

    package static func value(ofJSON data: Data) throws -> JSONValue {
        try JSONValue(parsing: Array(data), limits: limits)
    }

    package static func value(ofBytes bytes: [UInt8]) throws -> JSONValue {
        try JSONValue(parsing: bytes, limits: limits)
    }

    package static func text(of texts: [String]) -> String {
        texts.isEmpty ? "[]" : JSONValue.array(texts.map(JSONValue.string)).canonicalText
    }

    package static func texts(of text: String) throws -> [String] {
        guard text != "[]" else { return [] }
        guard case .array(let values) = try value(of: text) else { throw StoredValueError.notExpected(text) }
        return values.compactMap(\.text)
    }

    /// Figures under the names of their keys.
    package static func text<Key: RawRepresentable>(of figures: [Key: Double]) -> String where Key.RawValue == String {
        guard !figures.isEmpty else { return "{}" }
        var text = JSONWriter(expectedBytes: 512)
        var mark: StaticString = "{"
        for (name, value) in figures.map({ ($0.key.rawValue, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
            text.write(mark: mark)
            text.write(text: name)
            text.write(mark: ":")
            text.write(double: value)
            mark = ","
        }
        text.write(mark: "}")
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// A name this version does not know is left out.
    package static func figures<Key: RawRepresentable>(of text: String) throws -> [Key: Double]
    where Key.RawValue == String {
        guard text != "{}" else { return [:] }
        guard let members = try value(of: text).members else { throw StoredValueError.notExpected(text) }
        var figures: [Key: Double] = [:]
        for (name, value) in members {
            if let key = Key(rawValue: name) { figures[key] = value.number }
        }
        return figures
    }

    package static func text(of summary: CallSummary) -> String { MemberWriter.text(of: summary) }

    package static func summary(of text: String) throws -> CallSummary {
        do {
            return try decoded(text)
        } catch DecodingError.keyNotFound {
            return try EarlierSummary.summary(of: text, decodedBy: decoder)
        }
    }

    /// ``CallSummary/openWindow``, from that part of a summary's text; empty without one.
    package static func openWindow(of text: String?) throws -> [ScoreInterval] {
        guard let text, !text.isEmpty else { return [] }
        return [try decoded(text)]
    }

    package static func text(of rating: TransmissionRating) -> String { MemberWriter.text(of: rating) }

    package static func rating(of text: String) throws -> TransmissionRating { try decoded(text) }

    /// Infinities and NaN, which JSON lacks, are spelled out.
    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }

    private static func decoded<Value: Decodable>(_ text: String) throws -> Value {
        try decoder.decode(Value.self, from: Data(text.utf8))
    }
}

/// A stored value is not what its column should hold.
package enum StoredValueError: Error, CustomStringConvertible {
    case notExpected(String)

    package var description: String {
        switch self {
        case .notExpected(let found): "found \"\(found.prefix(80))\", which does not belong there"
        }
    }
}

/// Names the place of what cannot be understood.
/// - Throws: ``CallStoreError/damaged(_:reason:)`` for any error of `body`.
package func understanding<Value>(_ place: @autoclosure () -> String, _ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch {
        throw CallStoreError.damaged(place(), reason: "\(error)")
    }
}
