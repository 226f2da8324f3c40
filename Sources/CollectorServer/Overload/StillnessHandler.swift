import NIOCore
import NIOHTTPTypes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Closes connections on which nothing moves: no request comes, or nothing of the answer is read. Each holds memory and
/// a place that others wait for.
///
/// One that reads, however slowly, is left alone, and so is one whose request is in work. Hummingbird's own idle
/// timeout takes an answer for sent when it is written.
final class StillnessHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Most bytes that the system takes before they go out. It takes up to some megabytes else, and a slow reader seems
    /// to stand still while it sends them.
    private static let unsentInSystem = 128 << 10

    private let patience: Patience
    private let meter: ServerMeter
    private var check: Scheduled<Void>?
    private var farewell: Scheduled<Void>?
    /// When something was last seen to move.
    private var movedAt = NIODeadline.now()
    /// Requests that are not answered to the end.
    private var unanswered = 0
    private var isReadingRequest = false
    /// Bytes that the system had not taken when it was last looked.
    private var left = 0
    /// Bytes of bodies written since then. Heads and frames are not counted, so that the system seems to have taken a
    /// little less than it did.
    private var written = 0

    init(_ patience: Patience, meter: ServerMeter) {
        self.patience = patience
        self.meter = meter
    }

    func handlerAdded(context: ChannelHandlerContext) {
        try? context.channel.syncOptions?.setOption(
            .tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)), value: Self.unsentInSystem)
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        movedAt = .now()
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            isReadingRequest = true
        case .body: break
        case .end: isReadingRequest = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: break
        case .body(let part): written += part.readableBytes
        case .end:
            unanswered -= 1
            movedAt = .now()
        }
        context.write(data, promise: promise)
    }

    /// The server stops: what comes, or is read, too slowly is not waited for.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, farewell == nil {
            farewell = context.eventLoop.assumeIsolated().scheduleTask(in: patience.whenStopping) {
                context.close(promise: nil)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard check == nil else { return }
        movedAt = .now()
        schedule(context)
    }

    private func stop() {
        check?.cancel()
        farewell?.cancel()
    }

    private func schedule(_ context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolated().scheduleTask(deadline: movedAt + patience.span) { [self] in
            look(context)
        }
    }

    private func look(_ context: ChannelHandlerContext) {
        let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        if isMoving(unsent) { movedAt = .now() }
        left = unsent
        written = 0
        guard movedAt + patience.span <= .now() else { return schedule(context) }
        if unsent > 0 { meter.reject(ServerMeter.answerNotRead) }
        context.close(promise: nil)
    }

    private func isMoving(_ unsent: Int) -> Bool {
        guard unsent == 0, left == 0 else { return unsent < left + written }
        return unanswered > 0 && !isReadingRequest
    }
}

/// How long a connection may stand still.
struct Patience: Hashable, Sendable {
    /// At other times.
    var span: TimeAmount
    /// How long requests that are begun may take when the server is told to stop; less than it has for all of stopping.
    var whenStopping = TimeAmount.seconds(20)
}
