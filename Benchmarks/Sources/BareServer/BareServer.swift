import ArgumentParser
import Deflate
import Foundation
import Hummingbird

/// The measure of the collector: one route that collects the body, inflates it where it is gzip, and answers 202.
@main
struct BareServer: AsyncParsableCommand {
    @Option(help: "Where to listen on the loopback address.")
    var port: Int

    func run() async throws {
        let router = Router()
        router.post("/v1/calls/{callId}/stats") { request, _ in
            let sent = try await request.body.collect(upTo: 1 << 20)
            guard request.headers[.contentEncoding] == "gzip" else { return Self.answer(sent.readableBytes) }
            let inflated = try Gzip.inflate(Array(sent.readableBytesView), maximumBytes: 1 << 20, maximumRatio: 100)
            return Self.answer(inflated.count)
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { _ in FileHandle.standardOutput.write(Data("listening\n".utf8)) })
        try await application.runService()
    }

    private static func answer(_ count: Int) -> Response {
        Response(
            status: .accepted, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "{\"bytes\":\(count)}")))
    }
}
