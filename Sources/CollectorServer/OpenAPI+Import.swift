extension OpenAPI {
    static let importPath = #"""
        "/v1/import": {"post": {
            "operationId": "postImport", \#(needs(.ingest))
            "summary": "Take a file of statistics.",
            "description": "What it is, its content tells: getStats reports and events, one a line, in an array or alone; CallStatistics.log; a dump of webrtc-internals or rtcstats; a client file of rtcstats-server. Any Content-Type; gzip with or without Content-Encoding. At most 256 MiB, compressed and decompressed. Each part that is stored is stored for good, also when the request breaks off; the same file again is repeated.",
            "parameters": [
              {"name": "call", "in": "query", "description": "The call of a file that names none; else it is named by its first report.", "schema": {"type": "string", "maxLength": 256}},
              {"$ref": "#/components/parameters/sender"}
            ],
            "requestBody": {"content": {"application/octet-stream": {}, "application/json": {}, "application/x-ndjson": {}, "text/plain": {}}},
            "responses": {
              "202": {"description": "Stored, and safe from a crash; what was refused is named.", "content": {"application/json": {
                "schema": {"$ref": "#/components/schemas/ImportReceipt"},
                "example": {"accepted": 2, "repeated": 0, "contradicted": 0, "refused": [], "unknownTypes": [], "unknownProperties": [], "format": "a webrtc-internals dump", "calls": ["my-call"], "notes": [], "refusals": {}}
              }}},
              "400": {"$ref": "#/components/responses/BadRequest"},
              \#(accessResponses),
              "410": {"$ref": "#/components/responses/Gone"},
              "413": {"$ref": "#/components/responses/TooLarge"},
              "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
              "422": {"$ref": "#/components/responses/Unprocessable"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }}
        """#

    static let importSchemas = #"""
        "ImportReceipt": {
            "type": "object", "additionalProperties": false,
            "required": ["accepted", "repeated", "contradicted", "refused", "unknownTypes", "unknownProperties", "format", "calls", "notes", "refusals"],
            "properties": {
              "format": {"type": "string", "description": "What the file was recognised as, in words."},
              "calls": {"type": "array", "items": {"type": "string"}, "description": "The identifiers of its calls, sorted."},
              "notes": {"type": "array", "items": {"type": "string"}, "description": "What is odd about the file."},
              "refusals": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}, "description": "Parts that were not read, by reason; refused names the first 1,000."},
              \#(receiptProperties.dropFirst())
          }
        """#
}
