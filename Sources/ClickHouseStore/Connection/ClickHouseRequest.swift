import Foundation

/// One request to the HTTP interface.
struct ClickHouseRequest: Sendable {
    /// The database that names without one belong to; nil for the server's own.
    var database: String?
    var settings: [ClickHouseSetting] = []
    /// The statement, when the body holds rows; nil when the body is the statement.
    var query: String?
    var body: [UInt8] = []
    /// Whether the body is gzip.
    var isCompressed = false
    var timeoutSeconds: Int

    /// What stands behind the question mark.
    ///
    /// The server answers when all is done (`wait_end_of_query`): else an error in the middle of an answer would come
    /// with status 200, its text behind the rows.
    var parameters: String {
        var pairs = [("wait_end_of_query", "1")]
        if let database { pairs.append(("database", database)) }
        if let query { pairs.append(("query", query)) }
        pairs += settings.map { ($0.name, $0.value) }
        return pairs.map { "\(Self.encoded($0))=\(Self.encoded($1))" }.joined(separator: "&")
    }

    /// Everything but the unreserved characters of [RFC 3986 §2.3](https://www.rfc-editor.org/rfc/rfc3986#section-2.3).
    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
