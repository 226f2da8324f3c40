import CallModel
import CallReporter
import Foundation
import JSONText
import Synchronization
import TestSupport
import Testing

/// The library for apps against the real collector, with its real HTTP client: nothing that was kept is lost, and nothing
/// is stored twice.
@Suite struct ReporterTests {
    /// What a reporter said. A class, for it says it from any thread.
    private final class Log: Sendable {
        private let lines = Mutex<[(words: String, time: ContinuousClock.Instant)]>([])

        func note(_ words: String) { lines.withLock { $0.append((words, .now)) } }

        func time(of words: String) -> ContinuousClock.Instant? {
            lines.withLock { lines in lines.first { $0.words.contains(words) }?.time }
        }
    }

    private static func configuration(_ address: String, in folder: URL, _ log: Log = Log()) -> Reporter.Configuration {
        var configuration = Reporter.Configuration(
            collector: address, observer: "caller", folder: folder.appending(path: "spool").path)
        configuration.gathering = .milliseconds(5)
        configuration.log = { log.note($0) }
        return configuration
    }

    private static func event(_ number: Int) -> [AnyHashable: Any] {
        [
            "action": "callMetric", "type": "callRinging", "callId": "c", "seq": number,
            "time": "\(Samples.start + Int64(number) * 100)",
        ]
    }

    /// A report as an SDK hands it over.
    private static func statistics(_ index: Int) -> String {
        let report = (try? JSONValue(parsing: Array(Samples.report(index).utf8))) ?? .null
        return report["statistics"].canonicalText
    }

    /// The numbers of the events that are stored, in order.
    private static func stored(_ sidetone: Sidetone) async throws -> [Int64] {
        let events = try await sidetone.get("/v1/calls/c/events").json["records"][0]["events"].elements
        return events.compactMap { $0["sequence"].wholeNumber }
    }

    /// Starts a collector where one was before.
    private static func restart(_ sidetone: Sidetone, in folder: URL) async throws -> Sidetone {
        let listen = String(sidetone.process.address.dropFirst("http://".count))
        return try await Sidetone.start(in: folder, ["--listen", listen])
    }

    @Test func `statistics and events of a call become its report`() async throws {
        try await Sidetone.run { sidetone in
            try await Sidetone.withTemporaryFolder { folder in
                let reporter = Reporter(Self.configuration(sidetone.process.address, in: folder))
                let create: [AnyHashable: Any] = [
                    "action": "callMetric", "type": "callCreate", "callId": "c", "time": "\(Samples.start)",
                ]
                #expect(reporter.report(callAdditionalInfo: create) == .zero)
                reporter.report("callMetric", "callAnswerReceived", call: "c", ["time": .whole(Samples.start + 900)])
                for index in 1...3 { reporter.report(rtpStatistics: Self.statistics(index), call: "c") }
                reporter.report(
                    "callState", "ENDED", call: "c", ["time": .whole(Samples.start + 30_500), "statusCode": 9901])
                #expect(await reporter.flush())
                #expect(reporter.figures.delivered == 6 && reporter.figures.waiting == 0)

                let record = try await sidetone.get("/v1/calls/c").json["records"][0]
                #expect(record["observer"] == "caller" && record["endCause"] == "localHangup")
                #expect(record["setup"]["answerDelayMilliseconds"] == 900)
                #expect(record["dataQuality"]["reports"] == 3 && record["score"].wholeNumber ?? 0 > 80)
            }
        }
    }

    @Test func `what is reported while no collector answers arrives once it does, in order and once`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            var sidetone = try await Sidetone.start(in: folder)
            #expect(await sidetone.process.terminate() == 0)
            let log = Log()
            let configuration = Self.configuration(sidetone.process.address, in: folder, log)
            do {
                let reporter = Reporter(configuration)
                for number in 0..<20 { reporter.report(callAdditionalInfo: Self.event(number)) }
                #expect(await reporter.flush(within: .seconds(5)) == false)
                #expect(reporter.figures.waiting == 20 && reporter.figures.trouble != nil)
                #expect(log.time(of: "reports wait, for they cannot be delivered") != nil)
                await reporter.stop()
            }
            // The app starts again before the collector does.
            let reporter = Reporter(configuration)
            for number in 20..<30 { reporter.report(callAdditionalInfo: Self.event(number)) }
            #expect(reporter.figures.waiting == 30)
            sidetone = try await Self.restart(sidetone, in: folder)
            #expect(await reporter.flush(within: .seconds(60)))
            #expect(try await Self.stored(sidetone) == Array(0..<30))
            #expect(reporter.figures.trouble == nil)
            await sidetone.process.kill()
        }
    }

    @Test func `a collector that is killed again and again loses nothing and has nothing twice`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            var sidetone = try await Sidetone.start(in: folder)
            let reporter = Reporter(Self.configuration(sidetone.process.address, in: folder))
            var next = 0
            for _ in 0..<4 {
                for _ in 0..<40 {
                    reporter.report(callAdditionalInfo: Self.event(next))
                    next += 1
                    try await Task.sleep(for: .milliseconds(2))
                }
                await sidetone.process.kill()
                reporter.report(callAdditionalInfo: Self.event(next))
                next += 1
                sidetone = try await Self.restart(sidetone, in: folder)
            }
            try await eventually("everything is delivered") {
                _ = await reporter.flush(within: .seconds(1))
                return reporter.figures.waiting == 0
            }
            #expect(try await Self.stored(sidetone) == (0..<Int64(next)).map { $0 })
            await sidetone.process.kill()
        }
    }

    @Test func `a report that is no JSON costs itself`() async throws {
        try await Sidetone.run { sidetone in
            try await Sidetone.withTemporaryFolder { folder in
                let log = Log()
                let reporter = Reporter(Self.configuration(sidetone.process.address, in: folder, log))
                reporter.report(rtpStatistics: Self.statistics(1), call: "c")
                for broken in ["{", "nan", "[1, 2", "\u{0}\u{1}\"\\"] {
                    reporter.report(rtpStatistics: broken, call: "c")
                }
                reporter.report(rtpStatistics: nil, call: "c")
                reporter.report(rtpStatistics: Self.statistics(2), call: "c")
                reporter.report(callAdditionalInfo: ["action": 5])
                reporter.report(rtpStatistics: String(repeating: "x", count: 2_000_000), call: "c")
                #expect(await reporter.flush())
                let figures = reporter.figures
                #expect(figures.delivered == 2 && figures.refused == 4 && figures.rejected == 2 && figures.waiting == 0)
                #expect(log.time(of: "entries were refused: ") != nil)
                let record = try await sidetone.get("/v1/calls/c").json["records"][0]
                #expect(record["dataQuality"]["reports"] == 2)
            }
        }
    }

    @Test func `with a wrong token everything waits until there is another`() async throws {
        let right = try await TestToken(tenant: "a", scope: "ingest,read")
        try await Sidetone.run(taking: [right]) { sidetone, _ in
            try await Sidetone.withTemporaryFolder { folder in
                let token = Mutex("sdt_wrong")
                let log = Log()
                var configuration = Self.configuration(sidetone.process.address, in: folder, log)
                configuration.token = { token.withLock { $0 } }
                let reporter = Reporter(configuration)
                reporter.report(callAdditionalInfo: Self.event(0))
                #expect(await reporter.flush(within: .seconds(5)) == false)
                #expect(log.time(of: "401") != nil && reporter.figures.waiting == 1)
                token.withLock { $0 = right.token }
                #expect(await reporter.flush(within: .seconds(60)))
                let stored = try await sidetone.get("/v1/calls/c/events", as: right).json["records"][0]["events"]
                    .elements
                #expect(stored.count == 1)
            }
        }
    }

    @Test func `a collector that asks for a pause is given it`() async throws {
        try await Sidetone.run(["--max-requests", "1"]) { sidetone in
            try await Sidetone.withTemporaryFolder { folder in
                let log = Log()
                let reporter = Reporter(Self.configuration(sidetone.process.address, in: folder, log))
                for number in 0..<200 where log.time(of: "429") == nil {
                    reporter.report(callAdditionalInfo: Self.event(number))
                    // Flushing does not hurry it either.
                    _ = await reporter.flush(within: .milliseconds(100))
                }
                let refused = try #require(log.time(of: "429"))
                try await eventually("it is delivered") { await reporter.flush(within: .seconds(1)) }
                let delivered = try #require(log.time(of: "delivered again"))
                #expect(delivered - refused >= .seconds(1))
                #expect(reporter.figures.refused == 0 && reporter.figures.dropped == 0)
            }
        }
    }

    @Test func `what is too large for the collector goes in parts`() async throws {
        try await Sidetone.run(["--max-body-bytes", "3000"]) { sidetone in
            try await Sidetone.withTemporaryFolder { folder in
                var configuration = Self.configuration(sidetone.process.address, in: folder)
                configuration.gathering = .milliseconds(500)
                let reporter = Reporter(configuration)
                for number in 0..<100 { reporter.report(callAdditionalInfo: Self.event(number)) }
                reporter.report("a", "b", call: "c", ["reason": .text(String(repeating: "x", count: 4_000))])
                #expect(await reporter.flush())
                #expect(reporter.figures.delivered == 100 && reporter.figures.refused == 1)
                let stored = try await Self.stored(sidetone)
                #expect(stored == Array(0..<100))
            }
        }
    }

    @Test func `an app that was offline for long brings the latest, and says how much it let go`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            var sidetone = try await Sidetone.start(in: folder)
            #expect(await sidetone.process.terminate() == 0)
            var configuration = Self.configuration(sidetone.process.address, in: folder)
            configuration.mostBytesOnDisk = 300_000
            let reporter = Reporter(configuration)
            for number in 0..<3_000 {
                var event = Self.event(number)
                // Nothing that compresses well.
                event["reason"] = (0..<40).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }.joined()
                reporter.report(callAdditionalInfo: event)
            }
            let spool = try FileManager.default.subpathsOfDirectory(atPath: configuration.folder)
            let bytes = spool.compactMap {
                try? FileManager.default.attributesOfItem(atPath: configuration.folder + "/" + $0)[.size] as? Int
            }
            #expect(bytes.reduce(0, +) < 700_000)
            sidetone = try await Self.restart(sidetone, in: folder)
            try await eventually("everything is delivered") { await reporter.flush(within: .seconds(1)) }
            let figures = reporter.figures
            #expect(figures.dropped > 0 && figures.dropped + figures.delivered == 3_000)
            let stored = try await Self.stored(sidetone)
            #expect(stored.last == 2_999 && Set(stored).count == stored.count)
            #expect(figures.storageTrouble == nil)
            await sidetone.process.kill()
        }
    }

    @Test func `the log of the sample class is read by import, each report under its call`() async throws {
        try await Sidetone.run { sidetone in
            try await Sidetone.withTemporaryFolder { folder in
                let reporter = Reporter(Self.configuration(sidetone.process.address, in: folder))
                let statistics = CallStatistics(folder: folder.path)
                statistics.use(reporter)
                for index in 1...4 {
                    for call in ["a", "b"] { statistics.saveStatistics(call, stats: Self.statistics(index)) }
                }
                statistics.writeLogToFile()
                #expect(await reporter.flush())
                for call in ["a", "b"] {
                    let record = try await sidetone.get("/v1/calls/\(call)").json["records"][0]
                    #expect(record["dataQuality"]["reports"] == 4, "\(call)")
                }
                let database = folder.appending(path: "imported.sqlite").path
                let run = try await SidetoneProcess.run(["import", statistics.getLogFilePath(), "--database", database])
                #expect(run.status == 0, "\(run.output) \(run.errors)")
                let list = try await SidetoneProcess.run(["list", "--database", database], program: "statsreport")
                #expect(list.output.contains("a") && list.output.contains("b"), "\(list.output)")
            }
        }
    }
}
