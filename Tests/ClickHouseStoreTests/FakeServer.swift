import NIOCore
import NIOPosix

/// Answers every connection with the same bytes as soon as it hears something, and says no more: what no server that
/// works would say.
struct FakeServer: Sendable {
    let port: Int
    private let channel: any Channel

    /// Runs as long as `body` does.
    /// - Parameters:
    ///   - answer: Nil: it never answers, and keeps the connection.
    ///   - body: What to do with it.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    static func with<Result>(answer: String?, _ body: (FakeServer) async throws -> Result) async throws -> Result {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Answerer(answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = FakeServer(port: channel.localAddress?.port ?? 0, channel: channel)
        do {
            let result = try await body(server)
            try await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var answer: String?

        init(answer: String?) {
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard let answer else { return }
            self.answer = nil
            // Closed before all is written, or while something comes, it would lose what the other end has not read yet.
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).assumeIsolated().whenComplete { _ in
                context.close(mode: .output, promise: nil)
            }
        }
    }
}
