import CallModel

/// What was reported at a moment.
extension OpenAPI {
    static var factsPath: String {
        #"""
        "/v1/calls/{callId}/facts": {"get": {
          "operationId": "getFacts", \#(needs(.read))
          "summary": "What was reported last at a moment: of each connection the latest report that is not later.",
          "parameters": [
            {"$ref": "#/components/parameters/callId"}, {"$ref": "#/components/parameters/observer"},
            {"$ref": "#/components/parameters/attempt"},
            {"name": "at", "in": "query", "description": "ISO 8601 with a zone, a date, or milliseconds since 1970, from 2000 on; without it the last reports.", "schema": {"type": "string"}}
          ],
          "responses": \#(responses(schema: "FactRecords"))
        }},
        """#
    }

    static let factsRecord = #"""
        "reports": {"type": "array", "items": {"$ref": "#/components/schemas/StatsReport"}},
        "wire": {"type": ["object", "null"], "description": "What a probe had seen, as POST /v1/wire takes it."},
        "damage": {"$ref": "#/components/schemas/Damage"}
        """#

    static let statsReport = #"""
        "time": {"$ref": "#/components/schemas/Moment"},
        "receivedAt": {"$ref": "#/components/schemas/Moment"},
        "connection": {"type": "string"},
        "objects": {"type": "array", "items": {"type": "object"}}
        """#
}
