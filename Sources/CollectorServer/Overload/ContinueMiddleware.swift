import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Tells clients that wait for it to send the body, once it is wanted
/// ([RFC 9110 §10.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1)).
///
/// A request that is refused by its head gets its answer instead, and its body is not sent.
struct ContinueMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: CollectorContext,
        next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        guard request.method != .get, request.method != .head, Self.isExpected(by: request) else {
            return try await next(request, context)
        }
        var request = request
        request.body = RequestBody(asyncSequence: AwaitedBody(body: request.body, channel: context.channel))
        return try await next(request, context)
    }

    private static func isExpected(by request: Request) -> Bool {
        request.headers[.expect]?.lowercased() == "100-continue"
    }
}

/// A body that the client is asked for when its first bytes are.
private struct AwaitedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: body.makeAsyncIterator(), channel: channel)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var body: RequestBody.AsyncIterator
        /// `nil` once the client was asked.
        var channel: (any Channel)?

        mutating func next() async throws -> ByteBuffer? {
            channel?.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
            channel = nil
            return try await body.next()
        }
    }
}
