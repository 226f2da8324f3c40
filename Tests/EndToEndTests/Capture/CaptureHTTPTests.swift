import CallModel
import Deflate
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

@testable import sidetone

/// What a capture makes of a collector's answers.
@Suite struct CaptureHTTPTests {
    private static let receipt = #"{"accepted":1,"repeated":2,"contradicted":3,"refused":[{"index":0}]}"#
    /// For one fact or more.
    private static let shortReceipt = #"{"accepted":1,"repeated":1,"contradicted":1,"refused":[{"index":0}]}"#
    private static let most = #"{"accepted":9223372036854775807,"refused":[]}"#
    private static let refusal =
        #"{"accepted":0,"refused":[{"index":0},{"index":1}],"error":{"reason":"evicted","message":"gone"}}"#
    private static let crowded = #"""
        {"accepted":2,"refused":[{"index":0,"reason":"evicted","message":"gone"},
        {"index":3,"reason":"too_many_calls","message":"one call too many"}]}
        """#
    private static let malformed = #"{"error":{"reason":"malformed","message":"cut short"}}"#
    private static let busy = #"{"error":{"reason":"overloaded","message":"more than can be stored"}}"#

    private static let facts = (1...4).map { number in
        CapturedFact(
            call: CallID(rawValue: "c"), observer: ObserverID(rawValue: "wire:caller"),
            fact: .event(
                CallEvent(
                    time: Timestamp(milliseconds: Int64(number)), receivedAt: Timestamp(milliseconds: 0),
                    action: "sip", type: "INVITE")))
    }

    private static func outcome(
        accepted: Int = 0, repeated: Int = 0, contradicted: Int = 0, refused: Int = 0, tooMany: [Int] = []
    ) -> DeliveryOutcome {
        DeliveryOutcome(
            receipt: DeliveryReceipt(
                accepted: accepted, repeated: repeated, contradicted: contradicted, refused: refused),
            tooMany: tooMany.map { facts[$0] })
    }

    private func deliver(_ answers: [ScriptedServer.Answer]) async throws -> (
        Result<DeliveryOutcome, DeliveryError>, lines: [Int]
    ) {
        let server = try await ScriptedServer(answers)
        let address = try #require(CollectorAddress(argument: "http://127.0.0.1:\(server.port)"))
        let delivery = HTTPDelivery(
            to: address, token: ClientToken(path: nil), trusting: try TrustedAuthorities(path: nil))
        let result: Result<DeliveryOutcome, DeliveryError>
        do throws(DeliveryError) {
            result = .success(try await delivery.deliver(Self.facts))
        } catch {
            result = .failure(error)
        }
        await delivery.close()
        try await server.close()
        return (result, server.lines)
    }

    @Test(
        arguments: [
            (202, [:], receipt, Result.success(outcome(accepted: 1, repeated: 2, contradicted: 3, refused: 1))),
            (410, [:], refusal, .success(outcome(refused: 2))),
            (202, [:], crowded, .success(outcome(accepted: 2, refused: 1, tooMany: [3]))),
            (429, ["Retry-After": "7"], crowded, .success(outcome(accepted: 2, refused: 1, tooMany: [3]))),
            (
                429, ["Retry-After": "7"], refusal,
                .failure(.later(reason: "it answers 429 Too Many Requests: gone", seconds: 7))
            ),
            (
                503, ["Retry-After": "7"], busy,
                .failure(.later(reason: "it answers 503 Service Unavailable: more than can be stored", seconds: 7))
            ),
            (500, [:], "", .failure(.later(reason: "it answers 500 Internal Server Error", seconds: nil))),
            (
                429, ["Retry-After": "soon"], "",
                .failure(.later(reason: "it answers 429 Too Many Requests", seconds: nil))
            ),
            (404, [:], "<html>", .failure(.later(reason: "it answers 404 Not Found", seconds: nil))),
            (405, [:], "<html>", .failure(.later(reason: "it answers 405 Method Not Allowed", seconds: nil))),
            (
                301, ["Location": "http://127.0.0.1:1/"], "",
                .failure(.later(reason: "it answers 301 Moved Permanently", seconds: nil))
            ),
            (
                308, ["Location": "http://127.0.0.1:1/"], "",
                .failure(.later(reason: "it answers 308 Permanent Redirect", seconds: nil))
            ),
            (200, [:], "{}", .failure(.later(reason: "it answers 200, but not as sidetone does", seconds: nil))),
            (202, [:], most, .failure(.later(reason: "it answers 202, but not as sidetone does", seconds: nil))),
            (
                202, [:], #"{"accepted":1,"repeated":5,"refused":[]}"#,
                .failure(.later(reason: "it answers 202, but not as sidetone does", seconds: nil))
            ),
            (
                202, [:], #"{"accepted":1,"contradicted":-1,"refused":[]}"#,
                .failure(.later(reason: "it answers 202, but not as sidetone does", seconds: nil))
            ),
            (422, [:], most, .failure(.later(reason: "it answers 422 Unprocessable Entity", seconds: nil))),
            (400, [:], "<html>", .failure(.later(reason: "it answers 400 Bad Request", seconds: nil))),
            (410, [:], "<html>", .failure(.later(reason: "it answers 410 Gone", seconds: nil))),
            (400, [:], malformed, .failure(.never(reason: "it answers 400 Bad Request: cut short"))),
            (422, [:], malformed, .failure(.never(reason: "it answers 422 Unprocessable Entity: cut short"))),
        ] as [(Int, [String: String], String, Result<DeliveryOutcome, DeliveryError>)])
    func `answers are told apart`(
        status: Int, headers: [String: String], body: String, expected: Result<DeliveryOutcome, DeliveryError>
    ) async throws {
        let (result, lines) = try await deliver([ScriptedServer.Answer(status: status, headers: headers, body: body)])
        #expect(result == expected)
        #expect(lines == [Self.facts.count])
    }

    @Test func `what is too large is sent in halves, and a line that is too large alone is refused`() async throws {
        let tooLarge = ScriptedServer.Answer(status: 413, headers: [:], body: "")
        let taken = ScriptedServer.Answer(status: 202, headers: [:], body: Self.shortReceipt)
        let (result, lines) = try await deliver([tooLarge, tooLarge, tooLarge, taken, taken])
        #expect(lines == [4, 2, 1, 1, 2])
        #expect(result == .success(Self.outcome(accepted: 2, repeated: 2, contradicted: 2, refused: 3)))
    }

    @Test func `what is one call too many in a half is known by its place in all`() async throws {
        let tooLarge = ScriptedServer.Answer(status: 413, headers: [:], body: "")
        let taken = ScriptedServer.Answer(status: 202, headers: [:], body: Self.shortReceipt)
        let body = #"{"accepted":1,"refused":[{"index":1,"reason":"too_many_calls","message":"one call too many"}]}"#
        let crowded = ScriptedServer.Answer(status: 202, headers: [:], body: body)
        let (result, lines) = try await deliver([tooLarge, taken, crowded])
        #expect(lines == [4, 2, 2])
        let expected = Self.outcome(accepted: 2, repeated: 1, contradicted: 1, refused: 1, tooMany: [3])
        #expect(result == .success(expected))
    }
}

/// An HTTP server that answers as written, whatever is asked.
private struct ScriptedServer {
    struct Answer: Sendable {
        var status: Int
        var headers: [String: String]
        var body: String
    }

    private let channel: any Channel
    private let script: AnswerScript

    init(_ answers: [Answer]) async throws {
        let script = AnswerScript(answers)
        self.script = script
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(AnswerHandler(script))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var port: Int { channel.localAddress?.port ?? 0 }

    /// Lines of each body that came, in order.
    var lines: [Int] { script.lines }

    func close() async throws {
        try await channel.close()
    }
}

/// What is still to be answered, and what was asked. A class, for all connections share it.
private final class AnswerScript: Sendable {
    private let state: Mutex<(answers: [ScriptedServer.Answer], lines: [Int])>

    init(_ answers: [ScriptedServer.Answer]) {
        state = Mutex((answers, []))
    }

    var lines: [Int] { state.withLock { $0.lines } }

    func answer(_ lines: Int) -> ScriptedServer.Answer? {
        state.withLock { state in
            state.lines.append(lines)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
    }
}

/// Answers the requests of a connection. A class, as all channel handlers are.
private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let script: AnswerScript
    private var isCompressed = false
    private var body: [UInt8] = []

    init(_ script: AnswerScript) {
        self.script = script
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            isCompressed = head.headers.first(name: "content-encoding") == "gzip"
            body = []
        case .body(let bytes):
            body += bytes.readableBytesView
        case .end:
            let inflated = try? Gzip.inflate(body, maximumBytes: 1 << 20, maximumRatio: 100)
            let text = isCompressed ? inflated ?? [] : body
            guard let answer = script.answer(text.count { $0 == UInt8(ascii: "\n") }) else {
                return context.close(promise: nil)
            }
            send(answer, context)
        }
    }

    private func send(_ answer: ScriptedServer.Answer, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders(answer.headers.map { ($0.key, $0.value) })
        headers.add(name: "Content-Length", value: "\(answer.body.utf8.count)")
        let status = HTTPResponseStatus(statusCode: answer.status)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
