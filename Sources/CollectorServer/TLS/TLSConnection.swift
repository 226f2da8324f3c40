import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A connection with TLS below HTTP. Hummingbird's own (`HummingbirdTLS`) takes one certificate for good.
struct TLSConnection: ServerChildChannel, HTTPChannelHandler {
    let base: HTTP1Channel
    let identity: TLSIdentity

    var responder: HTTPChannelHandler.Responder { base.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: identity.context))
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
