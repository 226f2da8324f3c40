import Foundation
import NIOCore

/// The bodies to send: of each recorded call its reports in their order.
struct BodySequences: Sendable {
    let calls: [[ByteBuffer]]
    let isCompressed: Bool
    /// So many reports of every call are sent: as many as the shortest has.
    let length: Int

    /// - Parameters:
    ///   - folder: has a folder for each call, in which files in the order of their names are the bodies.
    ///   - isCompressed: whether the bodies are gzip.
    init(folder: String, isCompressed: Bool) throws {
        let files = FileManager.default
        calls = try files.contentsOfDirectory(atPath: folder).sorted().map { call in
            try files.contentsOfDirectory(atPath: "\(folder)/\(call)").sorted().map { name in
                ByteBuffer(bytes: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(call)/\(name)")))
            }
        }
        self.isCompressed = isCompressed
        length = max(1, calls.map(\.count).min() ?? 1)
    }
}

/// The reports that one connection sends: of each of its calls the first, then of each the second, and so on; then new
/// calls.
struct CallWork: Sendable {
    let sequences: BodySequences
    let name: String
    let calls: Int
    private var call = 0
    private var report: Int
    private var generation: Int

    init(sequences: BodySequences, name: String, calls: Int, skip: Int) {
        self.sequences = sequences
        (generation, report) = skip.quotientAndRemainder(dividingBy: sequences.length)
        self.name = name
        self.calls = calls
    }

    /// Head and body of the next request; `nil` when the connection has no calls.
    mutating func next() -> (head: String, body: ByteBuffer)? {
        guard calls > 0 else { return nil }
        let bodies = sequences.calls[call % sequences.calls.count]
        let body = bodies[report]
        let coding = sequences.isCompressed ? "Content-Encoding: gzip\r\n" : ""
        let head =
            "POST /v1/calls/\(name)-\(generation)-\(call)/stats HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\n\(coding)Content-Length: \(body.readableBytes)\r\n\r\n"
        call += 1
        if call == calls { (call, report) = (0, report + 1) }
        if report == sequences.length { (report, generation) = (0, generation + 1) }
        return (head, body)
    }
}
