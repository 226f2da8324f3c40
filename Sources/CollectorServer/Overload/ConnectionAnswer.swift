import CallModel
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// An answer that no route gives but the connection itself, which is closed with it: in the form of all others.
struct ConnectionAnswer: Sendable {
    let head: HTTPResponse
    let body: ByteBuffer

    init(_ status: HTTPResponse.Status, _ reason: String, _ message: String, retryAfterSeconds: Int? = nil) {
        let error = ["reason": .string(reason), "message": .string(message)] as JSONValue
        body = ByteBuffer(string: JSONValue.object(["error": error]).canonicalText)
        var fields: HTTPFields = [
            .contentType: "application/json", .contentLength: "\(body.readableBytes)", .connection: "close",
        ]
        if let retryAfterSeconds { fields[.retryAfter] = "\(retryAfterSeconds)" }
        for field in SafetyHeadersMiddleware.always { fields.append(field) }
        if let name = RequestIdentifier.header { fields[name] = RequestIdentifier().text }
        head = HTTPResponse(status: status, headerFields: fields)
    }
}
