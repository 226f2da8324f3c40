import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Turns connections away that are more than their address may have open: they would take the places of others.
///
/// Such a connection is told so when it asks for something, and is closed either way within a second.
final class ConnectionLimitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How long it is waited for a request that can be answered.
    private static let patience = TimeAmount.seconds(1)
    private static let retrySeconds = 10

    private let limit: ConnectionLimit
    private let meter: ServerMeter
    /// Set while the connection is counted.
    private var sender: HostAddress.Network?
    private var isBeyond = false
    private var farewell: Scheduled<Void>?

    init(_ limit: ConnectionLimit, meter: ServerMeter) {
        self.limit = limit
        self.meter = meter
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { enter(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        enter(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isBeyond else { return context.fireChannelRead(data) }
        guard case .head = unwrapInboundIn(data) else { return }
        answer(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
    }

    private func enter(_ context: ChannelHandlerContext) {
        guard sender == nil, let host = context.remoteAddress?.host, !limit.proxies.isTrusted(host) else { return }
        sender = host.network
        guard limit.ledger.enter(host.network) > limit.perAddress else { return }
        isBeyond = true
        meter.reject(ServerMeter.tooManyConnections)
        farewell = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
            context.close(promise: nil)
        }
    }

    private func leave() {
        farewell?.cancel()
        farewell = nil
        if let sender { limit.ledger.leave(sender) }
        sender = nil
    }

    private func answer(_ context: ChannelHandlerContext) {
        let message =
            "more than \(limit.perAddress) connections from one address; nothing was stored, "
            + "close some, or retry in \(Self.retrySeconds) s"
        let answer = ConnectionAnswer(
            .tooManyRequests, ServerMeter.tooManyConnections, message, retryAfterSeconds: Self.retrySeconds)
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        context.write(wrapOutboundOut(.body(answer.body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}
