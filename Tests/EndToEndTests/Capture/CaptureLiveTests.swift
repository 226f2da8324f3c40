import CallModel
import Foundation
import GRDB
import JSONText
import TestSupport
import Testing

/// Captures on the loopback interface. They need the right to capture, which root has.
@Suite(.enabled(if: CaptureRights.mayCapture, "needs the right to capture: root, or CAP_NET_RAW"))
struct CaptureLiveTests {
    private static let packets = UInt16(300)

    /// Arguments for a capture of what a test sends, and nothing else.
    private func arguments(_ traffic: RTPTraffic, _ more: String...) -> [String] {
        ["-i", CaptureRights.loopback, "--filter", "udp port \(traffic.port)"] + more
    }

    /// Expects the one stream that tests send to be the only call in a database.
    private func expectCall(in folder: URL, observer: String = "wire") async throws {
        let calls = try await StoredCalls.list(in: folder)
        #expect(calls.count == 1, "\(calls)")
        let call = try #require(calls.first?["callId"].text)
        #expect(calls.first?["observer"].text?.hasPrefix("\(observer):") == true)
        let database = folder.appending(path: "calls.sqlite").path
        let run = try await SidetoneProcess.run(
            ["call", call, "--format", "json", "--database", database], program: "statsreport")
        let streams = try JSONValue(parsing: run.output)["calls"][0]["streams"].elements
        #expect(streams.map { $0["packets"].wholeNumber } == [Int64(Self.packets)], "\(run.output)")
    }

    @Test func `what passes by until SIGINT is in the database, and the exit status is 0`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            try await RTPTraffic.run { traffic in
                let capture = try await CaptureProcess(arguments(traffic, "--summary-seconds", "1"), in: folder)
                #expect(capture.output == "sidetone captures on \(CaptureRights.loopback), for calls.sqlite\n")
                try await traffic.send(0..<200)
                try await capture.wait(until: "a summary tells of the stream") {
                    capture.log.contains(": 200 packets/s") || capture.log.contains("1 stream and 1 call live")
                }
                try await traffic.send(200..<Self.packets)
                #expect(await capture.interrupt() == 0, "\(capture.log)")
                let totals =
                    "\(CaptureRights.loopback): 300 packets, 1 RTP stream, 0 SIP messages, 1 call; "
                    + "dropped 0 by the kernel, 0 by the interface\n"
                #expect(capture.log.contains(totals), "\(capture.log)")
                try await expectCall(in: folder)
            }
        }
    }

    @Test func `what passes by until its terminal is closed is kept, too`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            try await RTPTraffic.run { traffic in
                let capture = try await CaptureProcess(arguments(traffic), in: folder)
                try await traffic.send(0..<Self.packets)
                #expect(await capture.end(by: SIGHUP) == 0, "\(capture.log)")
            }
            try await expectCall(in: folder)
        }
    }

    @Test func `a capture into a database that was shipped from notes nothing that nobody would ship`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite")
            let file = folder.appending(path: "report.jsonl")
            try Data(Samples.event(0, call: "call").utf8).write(to: file)
            let keep = ["import", file.path, "--database", database.path]
            #expect(try await SidetoneProcess.run(keep).status == 0)
            // It begins, and nobody is there.
            let migrate = ["migrate", "--from", database.path, "--to", "clickhouse://127.0.0.1:1/calls"]
            #expect(try await SidetoneProcess.run(migrate).status == 1)
            try await RTPTraffic.run { traffic in
                let capture = try await CaptureProcess(arguments(traffic), in: folder)
                try await traffic.send(0..<Self.packets)
                #expect(await capture.interrupt() == 0, "\(capture.log)")
            }
            #expect(try await StoredCalls.list(in: folder).count == 2)
            let noted = try await DatabaseQueue(path: database.path).read { db in
                try Row.fetchOne(db, sql: "SELECT isKept, entries FROM outboxState").map { [$0[0], $0[1]] as [Int] }
            }
            #expect(noted == [0, 1])
        }
    }

    @Test func `what is seen while the collector is away is delivered when it is back`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let first = try await Sidetone.start(in: folder)
            await first.process.kill()
            let address = first.process.address
            try await RTPTraffic.run { traffic in
                let capture = try await CaptureProcess(
                    arguments(traffic, "--post", address, "--snapshot-seconds", "1", "--summary-seconds", "1"),
                    in: folder)
                try await traffic.send(0..<200)
                try await capture.wait(until: "it says that facts wait") {
                    capture.log.contains("waiting (nothing listens there)")
                }
                let second = try await Sidetone.start(in: folder, ["--listen", String(address.dropFirst(7))])
                try await traffic.send(200..<Self.packets)
                #expect(await capture.interrupt() == 0, "\(capture.log)")
                #expect(!capture.log.contains(" lost"))
                #expect(await second.process.terminate() == 0)
                try await expectCall(in: folder)
            }
        }
    }

    @Test func `what cannot be delivered before the end is said, with exit status 1`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            await sidetone.process.kill()
            try await RTPTraffic.run { traffic in
                let capture = try await CaptureProcess(
                    arguments(traffic, "--post", sidetone.process.address, "--flush-seconds", "1"), in: folder)
                try await traffic.send(0..<Self.packets)
                #expect(await capture.interrupt() == 1)
                #expect(capture.log.contains("not delivered to \(sidetone.process.address)/v1/wire in time"))
                #expect(capture.log.contains("0 facts stored, "), "\(capture.log)")
            }
        }
    }

    @Test(.enabled(if: CaptureRights.isRoot, "needs root, to become someone else"))
    func `privileges are given up after opening, and the database can still be written`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let nobody = try CaptureRights.giveToNobody(folder)
            try await RTPTraffic.run { traffic in
                let capture = try await CaptureProcess(
                    arguments(traffic, "--user", "nobody", "--log-format", "json", "--summary-seconds", "1"),
                    in: folder)
                #if os(Linux)
                    #expect(try CaptureRights.users(of: capture.id) == [nobody])
                #endif
                #expect(!capture.log.contains("capturing as root"))
                try await traffic.send(0..<Self.packets)
                try await capture.wait(until: "there is a summary") { capture.log.contains("live; dropped 0") }
                #expect(await capture.interrupt() == 0, "\(capture.log)")
                for line in capture.log.split(separator: "\n") {
                    #expect(try JSONValue(parsing: String(line))["level"].text != nil)
                }
                try await expectCall(in: folder)
                let file = folder.appending(path: "calls.sqlite").path
                let owner = try FileManager.default.attributesOfItem(atPath: file)[.ownerAccountID] as? NSNumber
                #expect(owner?.uint32Value == nobody)
            }
        }
    }

    @Test(.enabled(if: CaptureRights.isRoot, "needs root, to become someone else"))
    func `a server captures too, without privileges, and shows the call`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let nobody = try CaptureRights.giveToNobody(folder)
            try await RTPTraffic.run { traffic in
                let sidetone = try await Sidetone.start(
                    in: folder,
                    [
                        "--capture", CaptureRights.loopback, "--capture-filter", "udp port \(traffic.port)",
                        "--capture-user", "nobody", "--capture-observer", "rack7", "--capture-snapshot-seconds", "1",
                    ])
                #if os(Linux)
                    #expect(try CaptureRights.users(of: sidetone.process.id) == [nobody])
                #endif
                #expect(try await sidetone.get("/v1/calls").json["calls"] == [])
                try await traffic.send(0..<Self.packets)
                #expect(await sidetone.process.terminate() == 0, "\(sidetone.process.log)")
                #expect(sidetone.process.log.contains("300 packets, 1 RTP stream"), "\(sidetone.process.log)")
                try await expectCall(in: folder, observer: "rack7")
            }
        }
    }

    @Test func `an interface that is not there is named, by both commands`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let database = folder.appending(path: "calls.sqlite").path
            let commands = [
                ["capture", "-i", "nowhere0"], ["serve", "--listen", "127.0.0.1:0", "--capture", "nowhere0"],
            ]
            for arguments in commands {
                let run = try await SidetoneProcess.run(arguments + ["--database", database])
                #expect(run.status == 1)
                #expect(run.errors.contains("there is no interface nowhere0; there are"), "\(run.errors)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }
    }
}
