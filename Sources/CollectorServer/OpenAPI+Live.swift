import CallModel
import Collector

/// What is told as it happens. OpenAPI 3.1 has no words for Server-Sent Events: they are described in sentences.
extension OpenAPI {
    static var livePaths: String {
        #"""
        "/v1/live": {"get": {
          "operationId": "watchCalls", \#(needs(.read))
          "summary": "Calls as they happen, as Server-Sent Events.",
          "description": "\#(liveDescription) The snapshot has the calls that go on, at most 500, those heard of last first.",
          "parameters": [\#(lastEventID)],
          "responses": {
            \#(stream),
            "400": {"$ref": "#/components/responses/BadRequest"},
            "503": {"$ref": "#/components/responses/Unavailable"},
            \#(accessResponses)
          }
        }},
        "/v1/calls/{callId}/live": {"get": {
          "operationId": "watchCall", \#(needs(.read))
          "summary": "A call as it happens, as Server-Sent Events.",
          "description": "\#(liveDescription) The snapshot has the selected records of the call.",
          "parameters": [
            {"$ref": "#/components/parameters/callId"}, {"$ref": "#/components/parameters/observer"},
            {"$ref": "#/components/parameters/attempt"}, \#(lastEventID)
          ],
          "responses": {
            \#(stream),
            "400": {"$ref": "#/components/responses/BadRequest"},
            "404": {"$ref": "#/components/responses/NotFound"},
            "410": {"$ref": "#/components/responses/Gone"},
            "503": {"$ref": "#/components/responses/Unavailable"},
            \#(accessResponses)
          }
        }},
        """#
    }

    private static let liveDescription =
        "Each event has a running number as its id. Data are JSON: snapshot {calls: CallHead and inboundQuality}; and, with "
        + "callId, observer, attempt and time, callStarted; inboundQualityChanged {score}, told when the whole number is another; "
        + "issueRaised and issueCleared {issue, severity}; callEnded {outcome, score, worstScore, reason}. A comment comes every "
        + "15 s. The header Last-Event-ID goes on behind the event named; when that is too old, reset and a snapshot come first."

    private static let lastEventID = #"""
        {"name": "Last-Event-ID", "in": "header", "description": "The id of the last event that the client has.", "schema": {"type": "string"}}
        """#

    private static let stream = #"""
        "200": {"description": "Events, for as long as the client listens.", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
        """#
}
