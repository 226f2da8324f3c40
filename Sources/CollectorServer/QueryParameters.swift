import CallModel
import Foundation
import Hummingbird

/// The query of a request, read strictly: what is misspelt or out of range is named, not ignored.
struct QueryParameters: Sendable {
    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - request: the request whose query is read.
    ///   - names: the parameters that the route knows.
    /// - Throws: ``APIError`` for a parameter that it does not know, or that is given twice.
    init(_ request: Request, names: [String]) throws {
        for pair in (request.uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            let value = parts.count > 1 ? String(parts[1]) : ""
            guard names.contains(name) else { throw Self.unknown(name, names: names) }
            guard values[name] == nil else {
                throw APIError(.badRequest, "bad_parameter", "\(name) is given twice; expected it at most once")
            }
            // As forms have it, and what most clients make of a query.
            guard let decoded = value.replacing("+", with: " ").removingPercentEncoding else {
                throw APIError.badParameter(name, value, expected: "percent-encoded UTF-8")
            }
            values[name] = decoded
        }
    }

    private static func unknown(_ name: String, names: [String]) -> APIError {
        let known = names.isEmpty ? "none" : names.joined(separator: ", ")
        return APIError(
            .badRequest, "bad_parameter", "there is no parameter \"\(name.shortened)\" here; known are: \(known)")
    }

    /// The value as it stands; `nil` when it is not given.
    func text(_ name: String) -> String? {
        values[name]
    }

    /// A whole number within `range`.
    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = values[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            let bounds =
                range.upperBound == .max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw APIError.badParameter(name, text, expected: "a whole number \(bounds)")
        }
        return value
    }

    /// A text that is not empty, of at most so many bytes of UTF-8.
    func text(_ name: String, bytes limit: Int) throws -> String? {
        guard let text = values[name] else { return nil }
        guard (1...limit).contains(text.utf8.count) else {
            throw APIError.badParameter(name, text, expected: "a text of 1 to \(limit) bytes")
        }
        return text
    }

    /// One of the named values of an enumeration. The caller has dealt with an `other` value: it is only named among those
    /// that are expected.
    func choice<Choice>(_ name: String, of: Choice.Type = Choice.self, or other: String? = nil) throws -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        try values[name].map { try Self.choice(name, $0, or: other) }
    }

    /// Several of the named values of an enumeration, with commas between; none when it is not given.
    func choices<Choice>(_ name: String, of: Choice.Type = Choice.self) throws -> [Choice]
    where Choice: RawRepresentable<String> & CaseIterable {
        try values[name].map { text in
            try text.split(separator: ",", omittingEmptySubsequences: false).map { try Self.choice(name, String($0)) }
        } ?? []
    }

    private static func choice<Choice>(_ name: String, _ text: String, or other: String? = nil) throws -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let value = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue) + [other].compactMap(\.self)
            throw APIError.badParameter(name, text, expected: "one of \(names.joined(separator: ", "))")
        }
        return value
    }

    /// A moment: ISO 8601 with a time zone, a date (midnight UTC), or milliseconds since 1970, from 2000 on. The `+` before
    /// an offset may stand as it is.
    func moment(_ name: String) throws -> Timestamp? {
        guard let text = values[name] else { return nil }
        guard let moment = Timestamp(parsing: text) ?? Timestamp(parsing: Self.withPlus(text)) else {
            throw APIError.badParameter(
                name, text,
                expected: "ISO 8601 with a zone such as 2026-11-21T03:37:00Z, a date such as 2026-11-21, or "
                    + "milliseconds since 1970 such as 1795232220000")
        }
        return moment
    }

    /// A moment of which the `+` was read as a space: the last one, for there may be one before the time of day.
    private static func withPlus(_ text: String) -> String {
        guard let space = text.lastIndex(of: " ") else { return text }
        return text.replacingCharacters(in: space...space, with: "+")
    }
}
