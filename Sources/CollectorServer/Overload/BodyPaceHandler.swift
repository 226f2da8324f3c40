import NIOCore
import NIOHTTPTypes

/// Closes connections whose body comes too slowly: each holds memory and a place that others wait for. And those whose body
/// goes on long after it was answered: clients that write first and read then get the answer of what is too large all the
/// same, but nobody sends without end.
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
    /// Requests that came and answers that went out.
    private var (requests, answers) = (0, 0)
    /// Of a body that was answered already, what came since, and for how many spans it has.
    private var surplus = (bytes: 0, spans: 0)

    /// So much of a body is read after its answer.
    private static let mostSurplusBytes = 16 << 20
    /// For so many spans.
    private static let mostSurplusSpans = 3

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
        case .head:
            requests += 1
            surplus = (0, 0)
            schedule(context)
        case .body(let part):
            bytes += part.readableBytes
            if answers >= requests { surplus.bytes += part.readableBytes }
            guard surplus.bytes <= Self.mostSurplusBytes else { return context.close(promise: nil) }
        case .end: stop()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { answers += 1 }
        context.write(data, promise: promise)
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
            if answers >= requests { surplus.spans += 1 }
            let isTooSlow = isReading && bytes < pace.bytes || surplus.spans > Self.mostSurplusSpans
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
