extension OpenAPI {
    static let paths = #"""
        {
          "/": {"get": {
            "operationId": "index", "summary": "The list of addresses; for browsers the built-in page.",
            "description": "Who accepts text/html gets the built-in page, everybody else the list.",
            "responses": {"200": {"description": "One line an address, or the page.", "content": {"text/plain": {"schema": {"type": "string"}}, "text/html": {"schema": {"type": "string"}}}}}
          }},
          "/healthz": {"get": {
            "operationId": "health", "summary": "Whether the server runs.",
            "responses": {"200": {"description": "It does.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}}}
          }},
          \#(operationsPaths)
          "/openapi.json": {"get": {
            "operationId": "openapi", "summary": "This document.",
            "responses": {"200": {"description": "This document.", "content": {"application/json": {"schema": {"type": "object"}}}}}
          }},
          "/v1/calls/{callId}/stats": {"post": {
            "operationId": "postStats", \#(needs(.ingest))
            "summary": "Take one or several getStats() reports of a call.",
            "description": "Any shape clients print: objects keyed by id, an array, [id, object] or {key, value} pairs, a JSON text of any of these, bare or in an envelope {callId, role, time, statistics}, one or an array or one a line. At most 1 MiB, compressed and decompressed.",
            "parameters": [{"$ref": "#/components/parameters/callId"}, {"$ref": "#/components/parameters/sender"}],
            "requestBody": {"content": {"application/json": {
              "schema": {"$ref": "#/components/schemas/Report"},
              "example": {"role": "caller", "time": 1778000000000, "statistics": {"IT01A": {"id": "IT01A", "type": "inbound-rtp", "kind": "audio", "ssrc": 1234, "timestamp": 1778000000000, "packetsReceived": 500, "packetsLost": 2, "jitter": 0.004}}}
            }}},
            "responses": \#(ingestResponses)
          }},
          "/v1/calls/{callId}/events": {
            "post": {
              "operationId": "postCallEvents", \#(needs(.ingest))
              "summary": "Take events (callAdditionalInfo) of one call.",
              "parameters": [{"$ref": "#/components/parameters/callId"}, {"$ref": "#/components/parameters/sender"}],
              "requestBody": \#(eventsBody),
              "responses": \#(ingestResponses)
            },
            "get": {
              "operationId": "getEvents", \#(needs(.read)) "summary": "The events of a call, in order of time.",
              "parameters": \#(recordParameters),
              "responses": \#(responses(schema: "EventRecords"))
            }
          },
          "/v1/events": {"post": {
            "operationId": "postEvents", \#(needs(.ingest))
            "summary": "Take events (callAdditionalInfo) that name their calls: one, an array, or JSON Lines.",
            "parameters": [{"$ref": "#/components/parameters/sender"}],
            "requestBody": \#(eventsBody),
            "responses": \#(ingestResponses)
          }},
          \#(wirePath),
          \#(importPath),
          "/v1/calls": {"get": {
            "operationId": "listCalls", \#(needs(.read))
            "summary": "List call records, a page at a time.",
            "parameters": [
              \#(filterParameters),
              {"name": "sort", "in": "query", "description": "worst and best go by the score, worstStretch by worstScore; calls without come last.", "schema": {"enum": \#(sorts), "default": "newest"}},
              {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 50}},
              {"name": "cursor", "in": "query", "description": "The next of the page before; same filters and sort.", "schema": {"type": "string"}}
            ],
            "responses": {
              "200": {"description": "A page.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/CallPage"}}}},
              "400": {"$ref": "#/components/responses/BadRequest"},
              "503": {"$ref": "#/components/responses/Unavailable"},
              \#(accessResponses)
            }
          }},
          \#(fleetPath)
          \#(livePaths)
          "/v1/calls/{callId}": {
            "get": {
              "operationId": "getCall", \#(needs(.read)) "summary": "What is known of a call, a record an observer and attempt.",
              "parameters": \#(recordParameters),
              "responses": \#(responses(schema: "CallRecords"))
            },
            "delete": {
              "operationId": "deleteCall", \#(needs(.admin)) "summary": "Erase a call. What comes late for it is refused.",
              "parameters": [{"$ref": "#/components/parameters/callId"}],
              "responses": {
                "204": {"description": "Erased."},
                "400": {"$ref": "#/components/responses/BadRequest"},
                \#(accessResponses),
                "404": {"$ref": "#/components/responses/NotFound"},
                "410": {"$ref": "#/components/responses/Gone"},
                "503": {"$ref": "#/components/responses/Unavailable"}
              }
            }
          },
          \#(factsPath)
          "/v1/calls/{callId}/series": {"get": {
            "operationId": "getSeries", \#(needs(.read)) "summary": "The time series and scores of a call.",
            "parameters": [
              {"$ref": "#/components/parameters/callId"}, {"$ref": "#/components/parameters/observer"},
              {"$ref": "#/components/parameters/attempt"},
              {"name": "points", "in": "query", "description": "For a drawing: at most so many rows a stream and of scores. Rows that begin in the same part of the call are joined, with the least and the most of every figure; emitted is empty.", "schema": {"type": "integer", "minimum": 1, "maximum": 100000}}
            ],
            "responses": \#(responses(schema: "SeriesRecords"))
          }},
          "/v1/calls/{callId}/report": {"get": {
            "operationId": "getReport", \#(needs(.read)) "summary": "The report of a call, for people or programs.",
            "parameters": [
              {"$ref": "#/components/parameters/callId"}, {"$ref": "#/components/parameters/observer"},
              {"$ref": "#/components/parameters/attempt"},
              {"name": "format", "in": "query", "schema": {"enum": ["text", "json", "html"], "default": "text"}}
            ],
            "responses": \#(reportResponses)
          }}
        }
        """#

    private static let recordParameters = #"""
        [{"$ref": "#/components/parameters/callId"}, {"$ref": "#/components/parameters/observer"}, {"$ref": "#/components/parameters/attempt"}]
        """#

    private static let eventsBody = #"""
        {"content": {
          "application/json": {
            "schema": {"anyOf": [
              {"$ref": "#/components/schemas/EventMessage"},
              {"type": "array", "items": {"$ref": "#/components/schemas/EventMessage"}}
            ]},
            "example": {"callId": "my-call", "observer": "caller", "time": "1778000000000", "action": "callMetric", "type": "callCreate", "detail": ""}
          },
          "application/x-ndjson": {"schema": {"$ref": "#/components/schemas/EventMessage"}}
        }}
        """#

    static let ingestResponses = #"""
        {
          "202": {"$ref": "#/components/responses/Accepted"},
          "400": {"$ref": "#/components/responses/BadRequest"},
          \#(accessResponses),
          "410": {"$ref": "#/components/responses/Gone"},
          "413": {"$ref": "#/components/responses/TooLarge"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "422": {"$ref": "#/components/responses/Unprocessable"},
          "503": {"$ref": "#/components/responses/Unavailable"}
        }
        """#

    private static let reportResponses = #"""
        {
          "200": {"description": "The reports of the selected records; as text, one after another with a rule between; as html, one file that needs nothing else.", "content": {
            "text/plain": {"schema": {"type": "string"}}, "text/html": {"schema": {"type": "string"}},
            "application/json": {"schema": {"$ref": "#/components/schemas/ReportRecords"}}
          }},
          "400": {"$ref": "#/components/responses/BadRequest"},
          \#(accessResponses),
          "404": {"$ref": "#/components/responses/NotFound"},
          "410": {"$ref": "#/components/responses/Gone"},
          "503": {"$ref": "#/components/responses/Unavailable"}
        }
        """#

    static func responses(schema: String) -> String {
        #"""
        {
          "200": {"description": "The selected records, in order of attempt and observer.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/\#(schema)"}}}},
          "400": {"$ref": "#/components/responses/BadRequest"},
          \#(accessResponses),
          "404": {"$ref": "#/components/responses/NotFound"},
          "410": {"$ref": "#/components/responses/Gone"},
          "503": {"$ref": "#/components/responses/Unavailable"}
        }
        """#
    }
}
