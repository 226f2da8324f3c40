import CallModel
import Hummingbird

/// The filters, order and page of `GET /v1/calls`.
enum CallListParameters {
    /// - Throws: ``APIError`` naming the first parameter that cannot be read, its value and what is expected.
    static func query(of request: Request, tenant: TenantID, now: Timestamp) throws -> CallQuery {
        let parameters = try QueryParameters(
            request, names: CallFilterParameters.names + ["sort", "limit", "cursor"])
        var query = CallQuery(try CallFilterParameters.filter(parameters, tenant: tenant, now: now))
        query.sort = try parameters.choice("sort") ?? .newest
        query.limit = try parameters.integer("limit", in: 1...1000) ?? 50
        query.cursor = try cursor(in: parameters, sort: query.sort)
        return query
    }

    /// A cursor names the order it belongs to: in another one it would skip calls without a word.
    static func spelling(of cursor: CallCursor, sort: CallQuery.Sort) -> String {
        "\(sort.rawValue).\(cursor)"
    }

    private static func cursor(in parameters: QueryParameters, sort: CallQuery.Sort) throws -> CallCursor? {
        guard let text = parameters.text("cursor") else { return nil }
        let prefix = sort.rawValue + "."
        guard text.hasPrefix(prefix), let cursor = CallCursor(String(text.dropFirst(prefix.count))) else {
            throw APIError.badParameter(
                "cursor", text, expected: "the \"next\" of an answer to the same query with sort=\(sort.rawValue)")
        }
        return cursor
    }
}
