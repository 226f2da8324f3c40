import Foundation
import TestSupport
import Testing

/// A capture of `SampleData/captures`, what `statsreport` says of it and what the router says.
struct SampleCapture: Hashable, Sendable, CustomTestStringConvertible {
    var name: String

    /// Every folder there is, so that none can be forgotten.
    static let all: [SampleCapture] = {
        let root = SharedData.packageRoot.appending(path: "SampleData/captures")
        let names = try? FileManager.default.contentsOfDirectory(atPath: root.path)
        return (names ?? []).sorted().map(SampleCapture.init)
    }()

    var testDescription: String { name }
    var folder: URL { SharedData.packageRoot.appending(path: "SampleData/captures/\(name)") }
    var file: URL { folder.appending(path: "capture.pcap.gz") }

    /// What the router says of every stream (`wire.json`).
    func wire() throws -> [RouterCounts] {
        struct Wire: Decodable { var streams: [RouterCounts] }
        return try JSONDecoder().decode(Wire.self, from: Data(contentsOf: folder.appending(path: "wire.json"))).streams
    }

    /// The report as JSON.
    func report() async throws -> Report {
        let run = try await statsreport("--format", "json")
        #expect(run.status == 0, "\(run.errors)")
        return try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    }

    /// `statsreport capture.pcap.gz …`, as typed in the folder of the capture.
    func statsreport(_ arguments: String...) async throws -> SidetoneProcess.Run {
        try await Self.statsreport(["capture.pcap.gz"] + arguments, in: folder)
    }
}

/// One stream on the wire, as the router counted it.
struct RouterCounts: Decodable {
    var source: String
    var destination: String
    var ssrc: UInt32
    /// All that passed the capturing host, second copies included.
    var packets: Int
    /// Numbers never seen between the lowest and the highest seen.
    var lost: Int
    var duplicated: Int
    var reordered: Int
    /// What the router dropped, wherever in the stream.
    var droppedByRouter: Int
    /// RFC 3550's estimate by the router's own clock; only where the clock rate is beyond doubt.
    var jitterMeanMilliseconds: Double?

    func isSame(_ stream: SampleCapture.Report.Wire) -> Bool {
        ssrc == stream.ssrc && source.port == stream.source.port && destination.port == stream.destination.port
    }
}

/// Where the loss that a capture shows is not what the router dropped: no one else dropped it, and no one can tell.
struct UnequalLoss: Sendable {
    var capture: String
    var ssrc: UInt32
    /// Lost packets less dropped ones.
    var lost: Int

    static let all = [
        // What is lost after the last packet that arrived leaves no gap: RFC 3550 6.4.1 expects packets up to the
        // highest number received. The report calls this silence an outage instead.
        UnequalLoss(capture: "s9-baresip-oneway-audio.caller", ssrc: 921_667_449, lost: -1_079),
        // Two numbers that each sender used up and the router never saw.
        UnequalLoss(capture: "10-outage5s", ssrc: 2_723_111_543, lost: 2),
        UnequalLoss(capture: "10-outage5s", ssrc: 1_578_345_266, lost: 2),
    ]
}

/// The counts of one stream, from either side.
struct StreamCounts: Hashable, Comparable, CustomStringConvertible {
    var ports: [Int]
    var ssrc: UInt32
    var packets: Int
    var lost: Int
    var duplicated: Int
    var reordered: Int

    init(_ stream: RouterCounts) {
        ports = [stream.source.port, stream.destination.port]
        ssrc = stream.ssrc
        packets = stream.packets
        lost = stream.lost
        duplicated = stream.duplicated
        reordered = stream.reordered
    }

    /// The report counts second copies apart.
    init(_ stream: SampleCapture.Report.Wire) {
        ports = [stream.source.port, stream.destination.port]
        ssrc = stream.ssrc
        func count(_ name: String) -> Int { Int(stream.figures[name] ?? -1_000_000) }
        packets = count("packetsReceived") + count("packetsDuplicated")
        lost = count("packetsLost")
        duplicated = count("packetsDuplicated")
        reordered = count("packetsReordered")
    }

    var description: String {
        "\(ports) \(ssrc): \(packets), \(lost) lost, \(duplicated) duplicated, \(reordered) reordered"
    }

    static func < (left: StreamCounts, right: StreamCounts) -> Bool {
        (left.ports[0], left.ports[1], left.ssrc) < (right.ports[0], right.ports[1], right.ssrc)
    }
}

extension String {
    /// The number after the last colon, as in `10.78.0.2:5004`; -1 without one.
    fileprivate var port: Int { Int(split(separator: ":").last ?? "") ?? -1 }
}

extension SampleCapture {
    /// The members of the JSON report that these tests look at.
    struct Report: Decodable {
        struct Call: Decodable {
            var streams: [Stream]
            var secondaryStreams: [Wire]
        }

        struct Stream: Decodable {
            var wire: Wire?
        }

        struct Wire: Decodable {
            var ssrc: UInt32
            var source: String
            var destination: String
            var figures: [String: Double]
        }

        struct Capture: Decodable {
            var rtpPackets: Int
            var streams: Int
            var notes: [String]
        }

        var calls: [Call]
        var capture: Capture
    }

    /// Runs the program to its end in `folder`, as someone does who works there.
    static func statsreport(
        _ arguments: [String], in folder: URL, input: FileHandle = .nullDevice
    ) async throws -> SidetoneProcess.Run {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "statsreport-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let files = ["output", "errors"].map { scratch.appending(path: $0) }
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = try SidetoneProcess.program("statsreport")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        let (exit, continuation) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = {
            continuation.yield($0.terminationReason == .exit ? $0.terminationStatus : -$0.terminationStatus)
            continuation.finish()
        }
        try process.run()
        let status = await exit.first { _ in true } ?? process.terminationStatus
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return SidetoneProcess.Run(status: status, output: texts[0], errors: texts[1])
    }
}
