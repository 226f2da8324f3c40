import CallModel
import Deflate
import Dispatch
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import CollectorServer

/// Where files that are posted are decompressed.
@Suite struct ImportBodyTests {
    /// Ends what goes before the file.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let opened = Mutex(false)

        var isOpen: Bool { opened.withLock(\.self) }

        func open() {
            opened.withLock { $0 = true }
            semaphore.signal()
        }

        /// - Returns: whether it was opened, and what waits did not have to end by itself.
        func wait() -> Bool { semaphore.wait(timeout: .now() + 30) == .success }
    }

    /// What hardly compresses: as gzip, too, it is a long file.
    private static let content: [UInt8] = {
        var random = SystemRandomNumberGenerator()
        return (0..<2 * ImportLane.mostShort).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }()

    private static func body(_ lane: ImportLane?) -> IngestBody {
        var limits = IngestLimits()
        limits.bodyBytes = 8 << 20
        let meter = ServerMeter()
        return IngestBody(
            limits: limits, budget: BodyBudget(limit: 64 << 20, meter: meter), meter: meter, lane: lane)
    }

    /// The threads of all requests are as few as processors.
    @Test func `a file is decompressed when the turn of long files comes, and other bodies meanwhile`() async throws {
        let (lane, gate) = (ImportLane(), Gate())
        let bytes = Gzip.deflate(Self.content, level: 1)
        let (begun, begins) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                await lane.run(bytes: bytes.count) {
                    begins.yield()
                    return gate.wait()
                }
            }
            for await _ in begun { break }
            group.addTask {
                try await Self.body(lane).read(Self.request(bytes), of: .default) { content in
                    content == Self.content && gate.isOpen
                }
            }
            // As much work as the file, begun later.
            for _ in 0..<4 {
                let read = try await Self.body(nil).read(Self.request(bytes), of: .default) { $0 == Self.content }
                #expect(read)
            }
            gate.open()
            for try await wasOpen in group { #expect(wasOpen) }
        }
    }

    private static func request(_ bytes: [UInt8]) -> Request {
        Request(
            head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/v1/import"),
            body: RequestBody(buffer: ByteBuffer(bytes: bytes)))
    }
}
