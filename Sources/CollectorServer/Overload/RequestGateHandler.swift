import NIOCore
import NIOHTTPTypes

/// Lets a request through when the one before it is answered and its answer is on the way, so that a client that
/// sends many at once and reads nothing has one answer in memory, not all.
///
/// What waits is bounded, for nothing is read from the socket meanwhile. Belongs behind ``BodyPaceHandler``, which has
/// to know what is read.
final class RequestGateHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// What came from the client, in the order in which it came.
    private enum Arrival {
        case part(HTTPRequestPart)
        /// The client sends nothing more.
        case inputClosed
        /// What it sent is no HTTP.
        case failure(any Error)
    }

    /// Most bytes read at once: what was read is there as requests, which are larger, before they can be held back.
    private static let bytesAtOnce = 16 << 10
    /// Who sends more than this, which is more than can be read at once, has closed its side: then all is read.
    private static let mostWaiting = 4_096

    private var waiting = CircularBuffer<Arrival>()
    /// Whether a request was let through whose answer is not written.
    private var isAnswering = false
    private var isReadHeldBack = false

    func handlerAdded(context: ChannelHandlerContext) {
        let options = context.channel.syncOptions
        try? options?.setOption(.maxMessagesPerRead, value: 1)
        try? options?.setOption(
            .recvAllocator,
            value: AdaptiveRecvByteBufferAllocator(minimum: 1 << 10, initial: 2 << 10, maximum: Self.bytesAtOnce))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        take(.part(unwrapInboundIn(data)), context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        take(.inputClosed, context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        take(.failure(error), context)
    }

    func read(context: ChannelHandlerContext) {
        isReadHeldBack = !waiting.isEmpty
        if !isReadHeldBack { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard case .end = unwrapOutboundIn(data) else { return }
        isAnswering = false
        openLater(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        openLater(context)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting.removeAll()
        context.fireChannelInactive()
    }

    private func take(_ arrival: Arrival, _ context: ChannelHandlerContext) {
        if waiting.isEmpty, isOpen(for: arrival, context) { return pass(arrival, context) }
        waiting.append(arrival)
        if waiting.count > Self.mostWaiting { context.close(promise: nil) }
    }

    private func isOpen(for arrival: Arrival, _ context: ChannelHandlerContext) -> Bool {
        guard case .part(.head) = arrival else { return true }
        return !isAnswering && context.channel.isWritable
    }

    private func pass(_ arrival: Arrival, _ context: ChannelHandlerContext) {
        switch arrival {
        case .part(let part):
            if case .head = part { isAnswering = true }
            context.fireChannelRead(wrapInboundOut(part))
        case .inputClosed: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case .failure(let error): context.fireErrorCaught(error)
        }
    }

    /// Later, for whoever writes the end of an answer may close the connection at once.
    private func openLater(_ context: ChannelHandlerContext) {
        guard !waiting.isEmpty else { return }
        context.eventLoop.assumeIsolated().execute { [self] in open(context) }
    }

    private func open(_ context: ChannelHandlerContext) {
        guard let first = waiting.first, isOpen(for: first, context) else { return }
        while let arrival = waiting.first, isOpen(for: arrival, context) {
            waiting.removeFirst()
            pass(arrival, context)
        }
        context.fireChannelReadComplete()
        guard waiting.isEmpty, isReadHeldBack else { return }
        isReadHeldBack = false
        context.read()
    }
}
