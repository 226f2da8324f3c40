import CallModel

/// The filters that `GET /v1/calls` and `GET /v1/fleet` have in common.
enum CallFilterParameters {
    static let names = [
        "from", "to", "q", "minScore", "maxScore", "band", "maxWorst", "state", "outcome", "issue", "cause",
        "setupFrom", "setupTo", "relay", "codec", "client", "observer",
    ]

    /// The value of `band` for calls without a score, and of `cause` for those without one.
    static let none = "none"

    /// - Throws: ``APIError`` naming the first parameter that cannot be read, its value and what is expected.
    static func filter(_ parameters: QueryParameters, tenant: TenantID, now: Timestamp) throws -> CallFilter {
        var filter = CallFilter(tenant: tenant, now: now)
        filter.startedFrom = try parameters.moment("from")
        filter.startedBefore = try parameters.moment("to")
        filter.text = try parameters.text("q", bytes: CallName.maximumBytes)
        filter.minimumScore = try parameters.integer("minScore", in: 0...100)
        filter.maximumScore = try parameters.integer("maxScore", in: 0...100)
        try setBand(of: &filter, parameters)
        filter.maximumWorstScore = try parameters.integer("maxWorst", in: 0...100)
        filter.state = try parameters.choice("state")
        filter.outcomes = Set(try parameters.choices("outcome"))
        filter.issue = try parameters.choice("issue")
        filter.leading = try leading(parameters)
        filter.setupFromMilliseconds = try parameters.integer("setupFrom", in: 0...Int.max).map(Int64.init)
        filter.setupBeforeMilliseconds = try parameters.integer("setupTo", in: 0...Int.max).map(Int64.init)
        filter.relay = try parameters.choice("relay")
        filter.codec = try parameters.text("codec", bytes: CallName.maximumBytes)
        filter.client = try parameters.text("client", bytes: CallName.maximumBytes)
        filter.observer = try parameters.text("observer", bytes: CallName.maximumBytes).map(ObserverID.init(rawValue:))
        return filter
    }

    private static func setBand(of filter: inout CallFilter, _ parameters: QueryParameters) throws {
        if parameters.text("band") == none {
            filter.isScored = false
        } else if let band = try parameters.choice("band", of: QualityBand.self, or: none) {
            filter.narrow(to: band)
        }
    }

    private static func leading(_ parameters: QueryParameters) throws -> CallFilter.Leading? {
        guard parameters.text("cause") != none else { return .nothing }
        return try parameters.choice("cause", of: QualityCause.self, or: none).map { .cause($0) }
    }
}
