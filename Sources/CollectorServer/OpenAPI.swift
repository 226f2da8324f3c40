/// The description of this interface for programs and their makers: [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.1).
///
/// Kept by hand, in three parts; the end-to-end tests hold it against the routes and against real answers.
enum OpenAPI {
    /// The whole document.
    static let document = #"{"openapi":"3.1.0","info":\#(info),"paths":\#(paths),"components":\#(components)}"#

    private static let info = #"""
        {
          "title": "Sidetone",
          "version": "\#(ProductVersion.current)",
          "description": "Collects WebRTC statistics and call events, and says how calls went. An answer of 202 is given after the commit: what it calls accepted survives a crash. Retry on 429 and 503 (see Retry-After) and on broken connections: what was stored already comes back as repeated. Never retry 400, 410, 413, 415 or 422; on 401 and 403 the token is wrong, and what was sent may be sent again with another. Moments are ISO 8601 in UTC; what is not known is null."
        }
        """#

    private static let components =
        #"{"securitySchemes":\#(securitySchemes),"schemas":\#(schemas),"parameters":\#(parameters),"responses":\#(responses)}"#

    private static let parameters = #"""
        {
          "callId": {
            "name": "callId", "in": "path", "required": true,
            "description": "The identifier the client gave its call, percent-encoded; 1 to 256 bytes of UTF-8. For reading, that of a session stands for its calls.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 256}
          },
          "sender": {
            "name": "observer", "in": "query",
            "description": "Who watched the call, when the body does not say it (observer, side or role). Else the header Sidetone-Observer, else client.",
            "schema": {"type": "string", "maxLength": 256, "examples": ["caller"]}
          },
          "probe": {
            "name": "observer", "in": "query",
            "description": "Which end is watched, when the body does not say it. Else the header Sidetone-Observer, else wire.",
            "schema": {"type": "string", "maxLength": 256, "examples": ["wire:caller"]}
          },
          "observer": {
            "name": "observer", "in": "query",
            "description": "Only the record of this observer.", "schema": {"type": "string"}
          },
          "attempt": {
            "name": "attempt", "in": "query",
            "description": "Only this attempt; an identifier used again after the end of its call opens the next.",
            "schema": {"type": "integer", "minimum": 1}
          }
        }
        """#

    private static let responses = #"""
        {
          "Accepted": {
            "description": "Stored, and safe from a crash; what was refused is named.",
            "content": {"application/json": {
              "schema": {"$ref": "#/components/schemas/Receipt"},
              "example": {"accepted": 1, "repeated": 0, "contradicted": 0, "refused": [], "unknownTypes": [], "unknownProperties": []}
            }}
          },
          "BadRequest": {
            "description": "The body is not JSON or broke off, or a parameter cannot be read.",
            "content": {"application/json": {
              "schema": {"$ref": "#/components/schemas/Error"},
              "example": {"error": {"reason": "bad_parameter", "message": "limit is \"0\"; expected a whole number from 1 to 1000"}}
            }}
          },
          \#(accessComponents),
          "NotFound": {
            "description": "There is no such call or record.",
            "content": {"application/json": {
              "schema": {"$ref": "#/components/schemas/Error"},
              "example": {"error": {"reason": "unknown_call", "message": "there is no call \"x\"; GET /v1/calls lists those there are"}}
            }}
          },
          "Gone": {
            "description": "The call was evicted or erased. For ingest: nothing was stored, and a retry will not help.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "TooLarge": {
            "description": "The body, as sent or decompressed, or something in it exceeds a limit; the message names the limit.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "UnsupportedMediaType": {
            "description": "A Content-Type other than application/json, text/json, application/x-ndjson, application/ndjson, application/jsonl, text/plain, application/octet-stream, application/x-www-form-urlencoded, application/gzip, application/x-gzip and what ends in +json, or a Content-Encoding other than gzip and identity.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "Unprocessable": {
            "description": "JSON, but nothing in it could be taken; refused says why, part by part.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "Unavailable": {
            "description": "Busy, stopping, or the store takes nothing now; nothing was stored. Retry after the seconds of Retry-After.",
            "headers": {"Retry-After": {"schema": {"type": "integer"}}},
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          }
        }
        """#
}
