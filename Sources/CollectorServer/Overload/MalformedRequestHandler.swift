import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// How large the head of a request may be.
enum HeadLimits {
    static let bytes = 32 << 10
    static let fieldBytes = 16 << 10
    static let fields = 100

    static let words = "\(bytes >> 10) KiB, \(fieldBytes >> 10) KiB of them in a field, and \(fields) fields"
}

/// Says what was wrong with what is no HTTP, or goes beyond the limits of a head: Hummingbird's own answer to that is
/// empty. Belongs next to it.
final class MalformedRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let meter: ServerMeter
    /// Requests before the fault that are not answered to the end.
    private var unanswered = 0
    private var fault: (any Error)?

    init(meter: ServerMeter) {
        self.meter = meter
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { unanswered += 1 }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fault = fault ?? error
        // Hummingbird answers errors of the parser alone.
        context.fireErrorCaught(error is HeadFault ? HTTPParserError.unknown : error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head where unanswered == 0:
            guard let fault else { break }
            return refuse(fault, context, promise)
        case .head, .body: break
        case .end: unanswered = max(0, unanswered - 1)
        }
        context.write(data, promise: promise)
    }

    private func refuse(_ fault: any Error, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        meter.reject(ServerMeter.badRequest)
        let message =
            fault is HeadFault
            ? "\(fault)" : "this is no HTTP/1.1, or its head is beyond the limits, \(HeadLimits.words): \(fault)"
        let answer = ConnectionAnswer(.badRequest, ServerMeter.badRequest, message)
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        context.write(wrapOutboundOut(.body(answer.body)), promise: promise)
    }
}
