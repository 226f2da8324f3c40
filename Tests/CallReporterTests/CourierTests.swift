import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CallReporter

/// The times between two tries, with a transport that never works.
@Suite struct CourierTests {
    /// A class, for the courier's task and the test share it.
    private final class Deaf: Transport {
        private let tries = Mutex<[ContinuousClock.Instant]>([])
        private let after: Int?

        init(after: Int? = nil) { self.after = after }

        var times: [ContinuousClock.Instant] { tries.withLock { $0 } }

        func post(_ request: TransportRequest) async throws(TransportFailure) -> TransportAnswer {
            tries.withLock { $0.append(.now) }
            guard let after else { throw TransportFailure(reason: "nobody listens") }
            return TransportAnswer(status: 503, retryAfter: after, body: [])
        }

        func wait(for count: Int) async throws {
            try await eventually("it was tried \(count) times") { times.count >= count }
        }
    }

    /// For a flush that something else ends, on however slow a machine.
    private static let patience = Duration.seconds(3600)

    private static func reporter(_ transport: some Transport) -> Reporter {
        var configuration = Reporter.Configuration(collector: "http://nowhere", folder: "/dev/null/none")
        configuration.gathering = .zero
        return Reporter(configuration, transport: transport)
    }

    @Test func `each try waits longer, whatever is reported meanwhile`() async throws {
        let transport = Deaf()
        let reporter = Self.reporter(transport)
        reporter.report("a", "b", call: "c")
        try await eventually("it was tried three times") {
            reporter.report("a", "b", call: "c")
            return transport.times.count >= 3
        }
        let times = transport.times
        try #require(times.count >= 3)
        #expect(times[1] - times[0] >= .milliseconds(500) && times[2] - times[1] >= .milliseconds(1000))
        #expect(reporter.figures.trouble == "nobody listens")
        await reporter.stop()
    }

    @Test func `a flush tries at once, each time, and says that it did not work`() async throws {
        let transport = Deaf()
        let reporter = Self.reporter(transport)
        reporter.report("a", "b", call: "c")
        try await transport.wait(for: 1)
        let start = ContinuousClock.now
        for count in 2...9 {
            #expect(await reporter.flush(within: Self.patience) == false)
            try await transport.wait(for: count)
        }
        // By themselves eight tries take two minutes.
        #expect(ContinuousClock.now - start < .seconds(100))
        #expect(reporter.figures.waiting == 1)
        await reporter.stop()
    }

    @Test func `a flush does not cut a pause that the collector asked for, and ends when patience does`() async throws {
        let transport = Deaf(after: 600)
        let reporter = Self.reporter(transport)
        reporter.report("a", "b", call: "c")
        try await transport.wait(for: 1)
        for _ in 0..<3 { #expect(await reporter.flush(within: .milliseconds(50)) == false) }
        #expect(transport.times.count == 1)
        await reporter.stop()
    }

    /// Fails the first time, when it is told to; then it works.
    private final class Recovering: Transport {
        private let isFirst = Mutex(true)
        let began = Signal()
        let failure = Signal()

        func post(_ request: TransportRequest) async throws(TransportFailure) -> TransportAnswer {
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isFirst else {
                return TransportAnswer(status: 202, body: Array(#"{"accepted": 1, "refused": []}"#.utf8))
            }
            began.raise()
            await failure.wait()
            throw TransportFailure(reason: "nobody listens")
        }
    }

    @Test func `a try that was under way before does not end a flush`() async throws {
        let transport = Recovering()
        let reporter = Self.reporter(transport)
        reporter.report("a", "b", call: "c")
        await transport.began.wait()
        async let isEmpty = reporter.flush(within: Self.patience)
        try await eventually("the flush waits") { reporter.isAnybodyWaiting }
        transport.failure.raise()
        #expect(await isEmpty)
        await reporter.stop()
    }

    @Test func `with nothing to deliver a flush is over at once`() async {
        let transport = Deaf()
        let reporter = Self.reporter(transport)
        #expect(await reporter.flush(within: Self.patience))
        #expect(transport.times == [])
        await reporter.stop()
    }

    /// Takes the one entry of each request.
    private struct Willing: Transport {
        func post(_ request: TransportRequest) async throws(TransportFailure) -> TransportAnswer {
            TransportAnswer(status: 202, body: Array(#"{"accepted": 1, "refused": []}"#.utf8))
        }
    }

    @Test func `what cannot be read for now waits, and a flush says so`() async throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "reporter-\(UUID().uuidString)").path
        let lines = folder + "/1.lines"
        defer { try? files.removeItem(atPath: folder) }
        Spool(folder: folder).add(try ReportEntry(["action": "a", "type": "b"]))
        try files.moveItem(atPath: lines, toPath: lines + "-aside")
        // A folder cannot be read, and not by root either; what stands for it is replaced at once, while the courier looks.
        try files.createSymbolicLink(atPath: lines, withDestinationPath: folder)
        let reporter = Reporter(
            Reporter.Configuration(collector: "http://nowhere", folder: folder), transport: Willing())
        #expect(await reporter.flush(within: Self.patience) == false)
        #expect(reporter.figures == .init(trouble: "read \(lines): Is a directory"))
        #expect(rename(lines + "-aside", lines) == 0)
        #expect(await reporter.flush(within: Self.patience))
        #expect(reporter.figures == .init(delivered: 1))
        await reporter.stop()
    }
}
