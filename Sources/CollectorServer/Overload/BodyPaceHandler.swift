import NIOCore
import NIOHTTPTypes

/// Closes connections whose body comes too slowly: each holds memory and a place that others wait for.
///
/// Only time in which the server waits for bytes counts, not time in which it is busy itself.
final class BodyPaceHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let pace: BodyPace
    private var check: Scheduled<Void>?
    private var bytes = 0
    private var isReading = false

    init(_ pace: BodyPace) {
        self.pace = pace
    }

    func read(context: ChannelHandlerContext) {
        isReading = true
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.fireChannelReadComplete()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: schedule(context)
        case .body(let part): bytes += part.readableBytes
        case .end: stop()
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    private func stop() {
        check?.cancel()
        check = nil
    }

    private func schedule(_ context: ChannelHandlerContext) {
        stop()
        bytes = 0
        check = context.eventLoop.assumeIsolated().scheduleTask(in: pace.span) { [self] in
            let isTooSlow = isReading && bytes < pace.bytes
            if isTooSlow { context.close(promise: nil) } else { schedule(context) }
        }
    }
}

/// How fast a body must come.
struct BodyPace: Hashable, Sendable {
    /// In each span of this length …
    var span: TimeAmount
    /// … so many bytes at least, or the rest of the body.
    var bytes: Int
}
