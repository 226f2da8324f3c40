import CallModel
import Foundation
import TestSupport
import Testing

/// Capture files, read into a database or posted to a collector.
@Suite struct CaptureTests {
    /// The Call-ID of the recording.
    private static let call = "5e67a15f6e1eba5d"
    private static let facts = 24

    private static var file: String { SharedData.url("sip/s5-baresip-pcma-clean.callee.pcap").path }

    private func capture(_ arguments: String...) async throws -> SidetoneProcess.Run {
        try await SidetoneProcess.run(["capture"] + arguments)
    }

    @Test(SharedData.required) func `a file is stored and posted with the same report, and twice is once`() async throws
    {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "read.sqlite").path
            for round in 1...2 {
                let run = try await capture("-r", Self.file, "--database", database)
                #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
                #expect(run.output.contains("2929 packets, 2 RTP streams, 6 SIP messages, 1 call"))
                #expect(run.output.contains("\(database): \(round == 1 ? "24" : "0") facts stored"))
                #expect(run.output.hasSuffix("statsreport list --database \(database) shows the calls\n"))
            }
            let report = try await StoredCalls.report(of: Self.call, in: folder, database: "read.sqlite")
            #expect(report.contains("(wire:caller)") && report.contains("(wire:callee)"))
            #expect(report.contains("ended: hung up (BYE)"))

            let sidetone = try await Sidetone.start(in: folder)
            for round in 1...2 {
                let run = try await capture("-r", Self.file, "--post", sidetone.process.address)
                #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
                let expected = round == 1 ? "24 facts stored" : "0 facts stored, 24 known already"
                #expect(run.output.hasSuffix("\(sidetone.process.address)/v1/wire: \(expected)\n"), "\(run.output)")
            }
            #expect(try await sidetone.get("/v1/calls/\(Self.call)/report").text == report)
            await sidetone.process.kill()
        }
    }

    @Test(SharedData.required) func `a capture that was rotated is one, in whatever order its files are named`()
        async throws
    {
        try await Sidetone.withTemporaryFolder { folder in
            let parts = try Self.halves(in: folder)
            let database = folder.appending(path: "calls.sqlite").path
            let run = try await capture("-r", parts[1], "-r", parts[0], "--database", database)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(run.output.contains("2929 packets, 2 RTP streams, 6 SIP messages, 1 call"), "\(run.output)")
            #expect(run.output.contains("24 facts stored"), "\(run.output)")
            let whole = try await SidetoneProcess.run([Self.file, "--call", Self.call], program: "statsreport")
            let read = try await SidetoneProcess.run(
                [parts[1], parts[0], "--call", Self.call], program: "statsreport")
            #expect(read.status == 0 && read.output == whole.output)
        }
    }

    /// The recording, a pcap file, cut between two packets.
    private static func halves(in folder: URL) throws -> [String] {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: file)))
        var place = 24
        for _ in 0..<1_500 {
            place += 16 + (0..<4).reduce(0) { $0 | Int(bytes[place + 8 + $1]) << (8 * $1) }
        }
        let parts = [bytes[..<place], bytes[..<24] + bytes[place...]]
        return try parts.enumerated().map { index, part in
            let url = folder.appending(path: "part\(index).pcap")
            try Data(part).write(to: url)
            return url.path
        }
    }

    @Test(SharedData.required) func `the name of the sensor is the observer, and a filter leaves packets out`()
        async throws
    {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let run = try await capture(
                "-r", Self.file, "--observer", "rack7", "--filter", "not port 5060", "--database", database)
            #expect(run.output.contains("0 SIP messages"), "\(run.output)")
            let observers = try await StoredCalls.list(in: folder).compactMap { $0["observer"].text }
            #expect(!observers.isEmpty && observers.allSatisfy { $0.hasPrefix("rack7:") }, "\(observers)")
        }
    }

    @Test func `a file that is missing or no capture is named, and nothing is made`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let missing = try await capture("-r", "\(folder.path)/none.pcap", "--database", database)
            #expect(missing.status == 1)
            #expect(missing.errors == "Error: cannot read \(folder.path)/none.pcap: there is no such file\n")

            let text = folder.appending(path: "text.pcap")
            try Data("hello\n".utf8).write(to: text)
            let other = try await capture("-r", text.path, "--database", database)
            #expect(other.status == 1)
            #expect(other.errors.hasPrefix("Error: \(text.path) is not a capture file: it begins with 68 65 6C 6C"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["text.pcap"])
        }
    }

    @Test(SharedData.required) func `what cannot be posted is said, with exit status 1`() async throws {
        try await Sidetone.run { sidetone in
            await sidetone.process.kill()
            let gone = try await capture(
                "-r", Self.file, "--post", sidetone.process.address, "--flush-seconds", "1")
            #expect(gone.status == 1)
            let expected = "cannot deliver to \(sidetone.process.address)/v1/wire: nothing listens there"
            #expect(gone.errors.contains(expected), "\(gone.errors)")
            #expect(gone.output.contains("0 facts stored, \(Self.facts) not delivered"), "\(gone.output)")
        }
        try await Sidetone.run { sidetone in
            let wrong = try await capture(
                "-r", Self.file, "--post", sidetone.process.address + "/elsewhere", "--flush-seconds", "1")
            #expect(wrong.status == 1)
            #expect(wrong.errors.contains("/elsewhere/v1/wire: it answers 404"), "\(wrong.errors)")
        }
    }

    @Test(SharedData.required) func `a filter that is none is named, and an account that is not there`() async throws {
        let filter = try await capture("-r", Self.file, "--filter", "bogus (")
        #expect(filter.status == 1)
        #expect(filter.errors.contains("\"bogus (\" is not a capture filter"))
        let user = try await capture("-r", Self.file, "--user", "no-such-account")
        #expect(user.status == 1)
        #expect(user.errors.contains("there is no user no-such-account"))
    }

    @Test(arguments: [
        ["capture"], ["capture", "-i", "lo", "-r", "a.pcap"],
        ["capture", "-r", "a.pcap", "--post", "http://h", "--database", "b"],
        ["capture", "-r", "a.pcap", "--post", "h:8080"], ["capture", "-r", "a.pcap", "--buffer-mib", "4"],
        ["capture", "-r", "a.pcap", "--immediate"], ["capture", "-i", "lo", "--buffer-mib", "4096"],
        ["capture", "-i", "lo", "--snap-length", "20"], ["capture", "-i", "lo", "--observer", ""],
        ["capture", "-i", "lo", "--snapshot-seconds", "0"], ["capture", "-i", "lo", "--keep-calls", "0"],
        ["serve", "--capture-filter", "udp"], ["serve", "--capture", "lo", "--capture-buffer-mib", "0"],
    ])
    func `misuse is exit status 64 and shows the usage`(arguments: [String]) async throws {
        let run = try await SidetoneProcess.run(arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains("Usage:"))
    }
}
