/// Who may use an operation.
extension OpenAPI {
    /// The document of a server that asks nobody for a token.
    static let openDocument = AccessScope.allCases.reduce(document) { $0.replacing(needs($1), with: "") }

    /// The member of an operation that names the scope its token needs.
    static func needs(_ scope: AccessScope) -> String {
        #""security": [{"token": ["\#(scope.rawValue)"]}],"#
    }

    /// The members of `responses` that every operation with a token has.
    static let accessResponses = #"""
        "401": {"$ref": "#/components/responses/Unauthorized"}, "403": {"$ref": "#/components/responses/Forbidden"},
        "429": {"$ref": "#/components/responses/TooManyRequests"}
        """#

    static let securitySchemes = #"""
        {"token": {
          "type": "http", "scheme": "bearer",
          "description": "A token opens the data of one tenant, and has scopes: ingest to post, read to read, admin to erase and for /metrics. None includes another. Where the server asks for no token, operations have no security."
        }}
        """#

    static let accessComponents = #"""
        "Unauthorized": {
            "description": "No token, or none that is known here and still good.",
            "headers": {"WWW-Authenticate": {"schema": {"type": "string"}}},
            "content": {"application/json": {
              "schema": {"$ref": "#/components/schemas/Error"},
              "example": {"error": {"reason": "unknown_token", "message": "the token is not known here; it may have been replaced"}}
            }}
          },
          "TooManyRequests": {
            "description": "One sender made too many requests, or its tenant has too many calls going on; nothing was stored. Retry after the seconds of Retry-After.",
            "headers": {"Retry-After": {"schema": {"type": "integer"}}},
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
          },
          "Forbidden": {
            "description": "The token lacks the scope, which the message names; or the request came from a web page whose origin is not allowed; or, where no token is needed, for a name that is not one of the server.",
            "headers": {"WWW-Authenticate": {"schema": {"type": "string"}}},
            "content": {"application/json": {
              "schema": {"$ref": "#/components/schemas/Error"},
              "example": {"error": {"reason": "missing_scope", "message": "this takes a token with the scope admin; this one has ingest and read"}}
            }}
          }
        """#
}
