import NIOCore

/// One connection: sends a request, waits for its answer, sends the next.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var work: CallWork
    private let record: LatencyRecord
    private var pace: Pace?
    private var received = ByteBuffer()
    /// When the request that is being answered was due.
    private var due = NIODeadline.now()
    private var isWaiting = false

    init(work: CallWork, record: LatencyRecord, pace: Pace?) {
        self.work = work
        self.record = record
        self.pace = pace
    }

    func channelActive(context: ChannelHandlerContext) {
        sendNext(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
        guard let status = takeAnswer() else { return }
        isWaiting = false
        record.note(status: status, due: due, answered: .now())
        sendNext(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isWaiting { record.noteBrokenOff() }
    }

    private func sendNext(_ context: ChannelHandlerContext) {
        guard !record.isOver, let (head, body) = work.next() else { return context.close(promise: nil) }
        guard let pace else {
            due = .now()
            return send(head, body, context)
        }
        due = pace.next
        self.pace?.next = pace.next + pace.interval
        guard due > .now() else { return send(head, body, context) }
        context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.send(head, body, context) }
    }

    private func send(_ head: String, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        isWaiting = true
        context.write(wrapOutboundOut(ByteBuffer(string: head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(body), promise: nil)
    }

    /// The status of an answer that has come completely; `nil` while it has not.
    private func takeAnswer() -> Int? {
        let view = received.readableBytesView
        guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: view[..<end.lowerBound], as: UTF8.self)
        let length =
            head.split(separator: "\r\n").lazy
            .compactMap {
                $0.lowercased().hasPrefix("content-length:") ? Int($0.dropFirst(15).drop { $0 == " " }) : nil
            }
            .first ?? 0
        let count = end.upperBound - view.startIndex + length
        guard received.readableBytes >= count else { return nil }
        received.moveReaderIndex(forwardBy: count)
        if received.readableBytes == 0 { received.clear() }
        return Int(head.dropFirst(9).prefix(3))
    }
}
