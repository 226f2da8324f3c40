import CallModel
import Hummingbird

/// The filters, order and page of `GET /v1/calls`.
enum CallListParameters {
    private static let names = [
        "from", "to", "minScore", "maxScore", "state", "outcome", "issue", "sort", "limit", "cursor",
    ]

    /// - Throws: ``APIError`` naming the first parameter that cannot be read, its value and what is expected.
    static func query(of request: Request, tenant: TenantID, now: Timestamp) throws -> CallQuery {
        let parameters = try QueryParameters(request, names: names)
        var query = CallQuery(tenant: tenant, now: now)
        query.startedFrom = try parameters.moment("from")
        query.startedBefore = try parameters.moment("to")
        query.minimumScore = try parameters.integer("minScore", in: 0...100)
        query.maximumScore = try parameters.integer("maxScore", in: 0...100)
        query.state = try parameters.choice("state")
        query.outcome = try parameters.choice("outcome")
        query.issue = try parameters.choice("issue")
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
