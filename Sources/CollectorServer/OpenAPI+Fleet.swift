import CallModel

/// What filters lists of calls, and what counts them.
extension OpenAPI {
    /// The parameters that lists and counts have in common.
    static var filterParameters: String {
        [
            parameter(
                "from",
                "Started at or after: ISO 8601 with a zone, a date, or milliseconds since 1970, from 2000 on.", text),
            parameter("to", "Started before; as from.", text),
            parameter(
                "q", "In the callId or another name of the call, SSRCs left out; ASCII letters large or small.", text),
            parameter("minScore", nil, score), parameter("maxScore", nil, score),
            parameter(
                "band", "The band of the score; none for calls without one.", choice(QualityBand.self, or: "none")),
            parameter("maxWorst", "The worst 5 % of the time scored at most this.", score),
            parameter("state", nil, choice(CallFilter.State.self)),
            parameter("outcome", "One, or several with commas between: \(names(CallOutcome.self)).", text),
            parameter("issue", "Only calls with an issue of this kind.", choice(IssueKind.self)),
            parameter(
                "cause", "What took the most points; none where nothing took more than half a point.",
                choice(QualityCause.self, or: "none")),
            parameter("setupFrom", "Media took at least so many ms from the answer on.", milliseconds),
            parameter("setupTo", "Media took less than so many ms from the answer on.", milliseconds),
            parameter("relay", "Which way media went.", choice(CallFilter.Relay.self)),
            parameter("codec", "A stream had this codec: audio/opus, or opus.", text),
            parameter("client", "The program was this one: Chrome, or Chrome 148.", text),
            parameter("observer", "Only the records of this observer.", text),
        ].joined(separator: ",\n")
    }

    static var sorts: String { names(of: CallQuery.Sort.self) }

    static var fleetPath: String {
        #"""
        "/v1/fleet": {"get": {
          "operationId": "getFleet", \#(needs(.read))
          "summary": "Many calls at a glance.",
          "description": "Counts of records, each that of /v1/calls with the same filters and: callsWithBadStretch maxWorst=69; failedOrUnanswered outcome=notConnected,notAnswered; outcomes outcome=; bands band=, unscored band=none; causes cause=, withoutCause cause=none; issues issue=; relay relay=; setup.buckets setupFrom= and setupTo=, setup.calls setupFrom=0.",
          "parameters": [\#(filterParameters)],
          "responses": {
            "200": {"description": "The figures.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Fleet"}}}},
            "400": {"$ref": "#/components/responses/BadRequest"},
            "503": {"$ref": "#/components/responses/Unavailable"},
            \#(accessResponses)
          }
        }},
        """#
    }

    /// What a record in a list has beyond the head.
    static let listed = #"""
        "setupMilliseconds": {"description": "How long media took from the answer on; 0 where the path stood before.", "$ref": "#/components/schemas/Count"},
        "durationMilliseconds": {"type": "integer", "minimum": 0, "description": "From the start to the end, or to the last that was heard."},
        "isRelayed": {"type": ["boolean", "null"], "description": "Whether either end of the path is a relay."},
        "codecs": {"description": "MIME types of the streams.", "$ref": "#/components/schemas/Names"},
        "ribbon": {"description": "The score from beginning to end, at most 60 numbers: the least of each part's 10 s windows.", "type": "array", "items": {"$ref": "#/components/schemas/Score"}}
        """#

    static var fleet: String {
        let counts = { (names: [String]) in object(members: members(names, #"{"type": "integer", "minimum": 0}"#)) }
        return [
            #""from": \#(reference("Moment")), "to": \#(reference("Moment"))"#,
            members(["calls", "callsWithBadStretch", "failedOrUnanswered", "unscored", "withoutCause"], whole),
            #""medianScore": \#(reference("Score"))"#,
            #""outcomes": \#(counts(CallOutcome.allCases.map(\.rawValue)))"#,
            #""relay": \#(counts(CallFilter.Relay.allCases.map(\.rawValue)))"#,
            #""bands": \#(list(members(["band"], choice(QualityBand.self)) + "," + members(["from", "to", "calls"], whole)))"#,
            #""causes": \#(list(members(["cause"], choice(QualityCause.self)) + "," + members(["calls"], whole)))"#,
            #""issues": \#(list(members(["issue"], choice(IssueKind.self)) + "," + members(["calls"], whole)))"#,
            #""setup": \#(object(members: setup))"#,
            #""damaged": {"description": "Records whose issues are not counted, for that is damaged; at most \#(FleetSummary.mostDamaged).", "type": "array", "items": \#(object(members: damaged))}"#,
            #""worst": {"type": "array", "items": \#(reference("CallHead")), "description": "At most five, the lowest worstScore first."}"#,
        ].joined(separator: ",")
    }

    private static var damaged: String {
        #""callId": {"type": "string"}, "observer": {"type": "string"}, "attempt": {"type": "integer", "minimum": 1}, "damage": \#(reference("Damage"))"#
    }

    private static var setup: String {
        let bucket =
            members(["fromMilliseconds", "calls"], whole) + "," + members(["toMilliseconds"], reference("Count"))
        return members(["calls"], whole) + "," + members(["medianMilliseconds", "p95Milliseconds"], reference("Count"))
            + #","buckets": \#(list(bucket))"#
    }

    private static func list(_ members: String) -> String {
        #"{"type": "array", "items": \#(object(members: members))}"#
    }

    private static let whole = #"{"type": "integer", "minimum": 0}"#
    private static let text = #"{"type": "string"}"#
    private static let score = #"{"type": "integer", "minimum": 0, "maximum": 100}"#
    private static let milliseconds = #"{"type": "integer", "minimum": 0}"#

    private static func parameter(_ name: String, _ description: String?, _ schema: String) -> String {
        let words = description.map { #""description": "\#($0)", "# } ?? ""
        return #"{"name": "\#(name)", "in": "query", \#(words)"schema": \#(schema)}"#
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ type: Choice.Type, or other: String? = nil
    ) -> String {
        #"{"enum": \#(names(of: type, or: other))}"#
    }

    private static func names<Choice: RawRepresentable<String> & CaseIterable>(
        of: Choice.Type, or other: String? = nil
    ) -> String {
        let names = Choice.allCases.map(\.rawValue) + [other].compactMap(\.self)
        return "[" + names.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }

    private static func names<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) -> String {
        Choice.allCases.map(\.rawValue).joined(separator: ", ")
    }
}
