import NIOCore
import NIOHTTP1

/// Closes a connection behind the answer to a request after which its client sends none: of HTTP/1.0, or with
/// `Connection: close` ([RFC 9112 §9.3](https://www.rfc-editor.org/rfc/rfc9112#section-9.3)).
///
/// Health checks of proxies speak HTTP/1.0, and wait for the end. Such a client may keep a connection if both sides say
/// so; this side never does. It knows no chunks either (§6.1), so an answer without a length goes on until the end. A POST
/// without one is refused: where it ends nobody could tell.
final class LastRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Requests that are not answered to the end, the last one included.
    private var unanswered = 0
    /// The version of the last request, once it is there.
    private var last: HTTPVersion?
    private var isLastRead = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isLastRead else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            unanswered += 1
            let head = taken(head)
            if let fault = HeadFault(of: head) {
                isLastRead = true
                return context.fireErrorCaught(fault)
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: context.fireChannelRead(data)
        case .end:
            isLastRead = last != nil
            context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status != .continue:
            guard unanswered == 1, let last else { break }
            if last != .http1_1 { head.version = .http1_0 }
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body: break
        case .end: unanswered = max(0, unanswered - 1)
        }
        context.write(data, promise: promise)
    }

    /// The head as it is passed on. That of a last request says so in the one way that Hummingbird understands.
    private func taken(_ head: HTTPRequestHead) -> HTTPRequestHead {
        guard head.version != .http1_1 || !head.isKeepAlive else { return head }
        last = head.version
        var head = head
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        // Clients of HTTP/1.0 do not wait for `100 Continue`.
        if head.version != .http1_1 { head.headers.remove(name: "Expect") }
        return head
    }
}
