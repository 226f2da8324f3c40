import Foundation
import Logging
import NIOCore

/// Stops taking connections for a second when the system has no room for one, such as no file descriptor.
///
/// The socket stays readable then, and whoever goes on asking does nothing else: NIO's own pause (`AcceptBackoffHandler`)
/// delays the next request to read, while the one that failed stays in force.
final class AcceptPauseHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let pause = TimeAmount.seconds(1)
    /// At most one line of the log in so long.
    private static let silence = TimeAmount.seconds(60)

    private let logger: Logger
    private var toldAt: NIODeadline?

    init(logger: Logger) {
        self.logger = logger
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, Self.isShortage(error) {
            rest(context.channel)
            tell(error)
        }
        context.fireErrorCaught(error)
    }

    private static func isShortage(_ error: IOError) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode)
    }

    private func rest(_ channel: any Channel) {
        // Both fail when the server has stopped, and there is nothing to rest from.
        channel.setOption(.autoRead, value: false).whenSuccess {
            channel.eventLoop.scheduleTask(in: Self.pause) {
                channel.setOption(.autoRead, value: true).whenFailure { _ in }
            }
        }
    }

    private func tell(_ error: IOError) {
        let now = NIODeadline.now()
        if let toldAt, now < toldAt + Self.silence { return }
        toldAt = now
        logger.warning("connections wait, for the system has no room for more", metadata: ["reason": "\(error)"])
    }
}
