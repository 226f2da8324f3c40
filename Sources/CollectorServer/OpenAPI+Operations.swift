extension OpenAPI {
    static let operationsPaths = #"""
        "/readyz": {"get": {
            "operationId": "ready", "summary": "Whether the server can take work now.",
            "description": "503 while it is starting or stopping, and while nothing can be stored; error.reason is then starting, stopping or store_unavailable.",
            "responses": {
              "200": {"description": "It can.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}},
              "503": {
                "description": "It cannot; why, is in the body.",
                "content": {"application/json": {
                  "schema": {"$ref": "#/components/schemas/Error"},
                  "example": {"error": {"reason": "stopping", "message": "the server is stopping; send work elsewhere"}}
                }}
              }
            }
          }},
          "/metrics": {"get": {
            "operationId": "metrics", \#(needs(.admin))
            "summary": "Metrics in the text format of Prometheus.",
            "responses": {
              "200": {"description": "One line a series.", "content": {"text/plain": {"schema": {"type": "string"}}}},
              \#(accessResponses)
            }
          }},
        """#
}
