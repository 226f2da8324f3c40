import Deflate
import Foundation
import TestSupport
import Testing

/// The captures in `SampleData/captures`: `statsreport` says of them what it said, and the figures are the router's.
///
/// The second half keeps the first one honest: a golden that was recorded anew with a wrong figure still fails.
@Suite struct CaptureReportTests {
    @Test(arguments: SampleCapture.all) func `the report reads as it did`(capture: SampleCapture) async throws {
        let run = try await capture.statsreport()
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let tooLong = run.output.split(separator: "\n").filter { $0.count > 80 }
        #expect(tooLong.isEmpty)
        try Golden.expect(run.output, matchesSample: "captures/\(capture.name)/report.txt")
    }

    /// Streams, packets, duplicates, reordering and loss: all equal, to the packet.
    @Test(arguments: SampleCapture.all) func `every stream is counted as the router counted it`(
        capture: SampleCapture
    ) async throws {
        let (report, wire) = (try await capture.report(), try capture.wire())
        let measured = report.calls.flatMap { $0.streams.compactMap(\.wire) + $0.secondaryStreams }.map(
            StreamCounts.init)
        #expect(measured.sorted() == wire.map(StreamCounts.init).sorted())
        #expect(report.capture.rtpPackets == wire.map(\.packets).reduce(0, +))
        #expect(report.capture.streams == wire.count)
    }

    @Test(arguments: SampleCapture.all) func `what is missing is what the router dropped`(
        capture: SampleCapture
    ) throws {
        for stream in try capture.wire() {
            let more = UnequalLoss.all.first { $0.capture == capture.name && $0.ssrc == stream.ssrc }?.lost ?? 0
            #expect(stream.lost - stream.droppedByRouter == more, "\(stream.source) \(stream.ssrc)")
        }
    }

    /// The router's clock is not the capture's, and what the sender does before it pauses counts in one of them only.
    @Test(arguments: SampleCapture.all) func `audio jitter is that of the router's log`(
        capture: SampleCapture
    ) async throws {
        let measured = try await capture.report().calls.flatMap(\.streams).compactMap(\.wire)
        for stream in try capture.wire() {
            guard let expected = stream.jitterMeanMilliseconds else { continue }
            let jitter = try #require(measured.first { stream.isSame($0) }?.figures["meanJitter"]) * 1000
            let tolerance = capture.name == "29-mute-hold" ? 0.4 : max(0.2, 0.01 * expected)
            #expect(abs(jitter - expected) <= tolerance, "\(stream.ssrc): \(jitter), expected \(expected)")
        }
    }

    /// What else the lists above pass over silently.
    @Test func `the comparisons have something to compare`() throws {
        let streams = try SampleCapture.all.flatMap { try $0.wire() }
        #expect(SampleCapture.all.count == 15)
        #expect(streams.count == 75)
        #expect(streams.count { $0.lost > 0 } == 17)
        #expect(streams.count { $0.duplicated > 0 } == 14)
        #expect(streams.count { $0.reordered > 0 } == 3)
        #expect(streams.count { $0.jitterMeanMilliseconds != nil } == 39)
    }
}

/// How `statsreport` is asked for a part of a capture, and what it says when it cannot.
@Suite struct CaptureReportTestsOptions {
    private static let tenCalls = SampleCapture(name: "s3-sipp-10calls-loss2")
    private static let oneCall = SampleCapture(name: "s6-baresip-pcma-loss5-jitter30")

    /// The Call-ID of every report in full, in order.
    private func calls(_ run: SidetoneProcess.Run) -> [Substring] {
        run.output.split(separator: "\n").filter { $0.hasPrefix("Call ") }
            .compactMap { $0.split(separator: " ").dropFirst().first }
    }

    @Test func `one call is shown in full, and no other`() async throws {
        let run = try await Self.tenCalls.statsreport("--call", "3-21554@10.78.0.1")
        #expect(run.status == 0)
        #expect(calls(run) == ["3-21554@10.78.0.1", "3-21554@10.78.0.1"])
        #expect(!run.output.contains("One in full"))
    }

    @Test func `many calls are listed, and shown in full on demand`() async throws {
        let list = try await Self.tenCalls.statsreport()
        #expect(calls(list).isEmpty)
        #expect(list.output.contains("\nOne in full: statsreport capture.pcap.gz --call ID\n"))

        let all = try await Self.tenCalls.statsreport("--all")
        #expect(all.status == 0)
        #expect(
            calls(all).sorted()
                == (1...10).flatMap { ["\($0)-21554@10.78.0.1", "\($0)-21554@10.78.0.1"] }
                .map { Substring($0) }.sorted())
    }

    @Test func `a filter leaves packets out`() async throws {
        let signalling = try await Self.oneCall.statsreport("--filter", "udp port 5060")
        #expect(signalling.status == 0)
        #expect(signalling.output.contains("0 RTP packets in 0 streams, 0 RTCP packets, 6 SIP messages, 1 call\n"))

        let nothing = try await Self.oneCall.statsreport("--filter", "udp port 5061")
        #expect(nothing.status == 0)
        #expect(nothing.output.hasSuffix("No calls.\n"))
    }

    @Test func `a capture that was cut is read as far as it goes, and says so`() async throws {
        let packed = Array(try Data(contentsOf: Self.oneCall.file))
        let whole = try Gzip.inflate(packed, maximumBytes: 64 << 20, maximumRatio: 1_000)
        try await Sidetone.withTemporaryFolder { folder in
            try Data(whole.prefix(300_000)).write(to: folder.appending(path: "cut.pcap"))
            let plain = try await SampleCapture.statsreport(["cut.pcap"], in: folder)
            #expect(plain.status == 0)
            #expect(
                plain.output.contains("cut.pcap ends at byte 300000, inside a frame; the 1385 frames before it count"))
            #expect(plain.output.contains("1373 RTP packets in 2 streams") && !calls(plain).isEmpty)

            try Data(packed.prefix(100_000)).write(to: folder.appending(path: "cut.pcap.gz"))
            let compressed = try await SampleCapture.statsreport(["cut.pcap.gz", "--format", "json"], in: folder)
            #expect(compressed.status == 0)
            let report = try JSONDecoder().decode(SampleCapture.Report.self, from: Data(compressed.output.utf8))
            #expect(report.capture.notes.count == 1 && report.capture.rtpPackets > 1_000 && !report.calls.isEmpty)
            #expect(report.capture.notes.first?.contains("cut.pcap.gz is damaged near byte 100000") == true)
        }
    }

    @Test func `the standard input is a capture too`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let input = try FileHandle(forReadingFrom: Self.oneCall.file)
            let run = try await SampleCapture.statsreport(["-"], in: folder, input: input)
            #expect(run.status == 0)
            #expect(run.output.contains("2840 RTP packets in 2 streams"))
        }
    }

    /// `wire.json` is no capture, and stands for a file of statistics.
    @Test(arguments: [
        (
            ["wire.json", "wire.json"],
            "only captures are read several at a time; put files of statistics into one (cat)"
        ),
        (["wire.json", "--filter", "udp"], "--filter is for captures alone; leave it out for statistics"),
        (["-"], "only captures are read from the standard input; give the path of a file of statistics"),
    ])
    func `what can be done with captures alone is said of other files`(
        arguments: [String], advice: String
    ) async throws {
        let file = Self.oneCall.folder.appending(path: "wire.json")
        let run = try await SampleCapture.statsreport(
            arguments, in: Self.oneCall.folder, input: FileHandle(forReadingFrom: file))
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(
            run.errors
                == "Error: \(arguments[0]) is not a capture file: it begins with 7B 0A 20 20, expected pcap (D4 C3 B2 A1, …), "
                + "pcapng (0A 0D 0D 0A) or one of them in gzip (1F 8B); \(advice)\n")
    }

    @Test func `of what is piped in, too, it is said that only captures can be`() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("[]\n[]\n".utf8))
        try pipe.fileHandleForWriting.close()
        let run = try await SampleCapture.statsreport(["-"], in: Self.oneCall.folder, input: pipe.fileHandleForReading)
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(
            run.errors
                == "Error: - is not a capture file, expected pcap (D4 C3 B2 A1, …), pcapng (0A 0D 0D 0A) or one of them "
                + "in gzip (1F 8B); only captures are read from the standard input; give the path of a file of "
                + "statistics\n")
    }

    @Test func `a file that is empty is called so, also in gzip`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            try Data().write(to: folder.appending(path: "empty.json"))
            try Data(Gzip.deflate([])).write(to: folder.appending(path: "empty.gz"))
            for name in ["empty.json", "empty.gz"] {
                let run = try await SampleCapture.statsreport([name], in: folder)
                #expect(run.status == 1 && run.output.isEmpty)
                #expect(
                    run.errors == "Error: \(name) is empty; perhaps the program that writes it was stopped early\n")
            }
        }
    }

    @Test(arguments: [
        (["wire.json"], "Error: nothing in wire.json can be read: found an object with the member `streams`, "),
        (["none.pcap"], "Error: cannot read none.pcap: there is no such file"),
        (
            ["report.txt"],
            "Error: nothing in report.txt can be read, as a capture (pcap, pcapng) or as statistics: "
                + "it begins with \"Capture capture.pcap.gz\", expected statistics reports, "
        ),
        (["capture.pcap.gz", "--call", "nobody"], "Error: no call nobody in capture.pcap.gz, which has 1 call"),
        (["capture.pcap.gz", "--filter", "frob x"], "Error: \"frob x\" is not a capture filter: "),
    ])
    func `what cannot be read is named, with exit status 1 and no report`(
        arguments: [String], expected: String
    ) async throws {
        let run = try await SampleCapture.statsreport(arguments, in: Self.oneCall.folder)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix(expected), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test(arguments: [
        [], ["capture.pcap.gz", "--all", "--call", "x"], ["capture.pcap.gz", "--format", "xml"],
        ["capture.pcap.gz", "--frobnicate"],
    ])
    func `misuse is exit status 64, and no report`(arguments: [String]) async throws {
        let run = try await SampleCapture.statsreport(arguments, in: Self.oneCall.folder)
        #expect(run.status == 64)
        #expect(run.output.isEmpty && run.errors.uppercased().contains("USAGE:"))
    }
}
