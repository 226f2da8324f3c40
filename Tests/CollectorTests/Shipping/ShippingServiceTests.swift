import CallModel
import Collector
import Foundation
import Logging
import SQLiteStore
import ServiceLifecycle
import Synchronization
import Testing

/// How long it waits, what it says, and how it takes its leave.
@Suite struct ShippingServiceTests {
    private let fixture: CollectorFixture
    private let target: FaultyStore
    private let pauses = Pauses()
    private let monitor = ShippingMonitor(now: CollectorFixture.now)

    init() throws {
        fixture = try CollectorFixture(outbox: .on(OutboxSettings()))
        target = FaultyStore(
            try SQLiteCallStore.open(path: fixture.directory.appending(path: "target.sqlite").path))
    }

    private static let outage = CallStoreError.unavailable(.failing, detail: "target")

    private func service(
        _ settings: ShippingSettings = ShippingSettings(), log: any LogHandler = SwiftLogNoOpLogHandler()
    ) -> ShippingService {
        ShippingService(
            outbox: fixture.store, target: { [target] in target }, settings: settings, monitor: monitor,
            clock: { [clock = fixture.clock] in clock.now },
            logger: Logger(label: "test") { _ in log }, random: { 0.5 }, pause: pauses.pause)
    }

    /// Runs the service until it has paused so often, then shuts it down gracefully.
    private func run(_ service: ShippingService, pauses number: Int) async throws {
        let group = ServiceGroup(services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let goal = pauses.taken.count + number
        async let running: Void = group.run()
        await pauses.reached(goal)
        await group.triggerGracefulShutdown()
        try await running
    }

    @Test func `pauses grow from five to thirty seconds, and begin anew after a success`() async throws {
        try await fixture.post(.statistics(at: 5000, path: "call"))
        target.fail((0..<6).map { _ in .before(Self.outage) })
        try await run(service(), pauses: 9)
        let wanted: [Duration] = [5, 10, 20, 30, 30, 30, 2, 2, 2].map { .seconds($0) }
        #expect(Array(pauses.taken.prefix(9)) == wanted)
        #expect(try await target.counts().facts == 1)
    }

    @Test func `the state says whether it waits for time or for somebody`() async throws {
        try await fixture.post(.statistics(at: 5000, path: "call"))
        target.fail([.before(Self.outage), .before(CallStoreError.misconfigured("wrong password"))])
        let states = Noted<ShippingState>()
        pauses.willPause = { [monitor, clock = fixture.clock] in
            states.append(monitor.state)
            clock.now = clock.now.advanced(byMilliseconds: 1000)
        }
        try await run(service(), pauses: 4)
        let start = CollectorFixture.now
        let wanted = [
            ShippingState(.retrying, since: start, reason: "\(Self.outage)"),
            ShippingState(.blocked, since: start.advanced(byMilliseconds: 1000), reason: "wrong password"),
            ShippingState(.shipping, since: start.advanced(byMilliseconds: 2000)),
            ShippingState(.shipping, since: start.advanced(byMilliseconds: 2000)),
        ]
        #expect(Array(states.all.prefix(4)) == wanted)
    }

    @Test func `full batches follow each other without a pause`() async throws {
        for call in 1...12 { try await fixture.post(.statistics(at: 5000, path: "call-\(call)")) }
        var settings = ShippingSettings()
        settings.rowsPerBatch = 4
        try await run(service(settings), pauses: 1)
        #expect(target.given.count >= 4)
        #expect(try await target.counts().records == 12)
    }

    @Test func `what was set aside is tried again at the start`() async throws {
        try await fixture.post(.statistics(at: 5000, path: "call"), .statistics(at: 5000, path: "other"))
        target.refuse([.of("call")])
        try await run(service(), pauses: 1)
        #expect(try await fixture.store.figures().recordsSetAside == 1)
        target.refuse([])
        try await run(service(), pauses: 1)
        #expect(try await fixture.store.figures() == OutboxFigures())
        #expect(try await target.counts().records == 2)
    }

    @Test func `the log says that a record was set aside, and why, and not of which call it is`() async throws {
        try await fixture.post(.statistics(at: 5000, path: "secret-call"), .statistics(at: 5000, path: "other"))
        // The two of them, and the first.
        target.fail([.before(CallStoreError.refused("odd")), .before(CallStoreError.refused("odd"))])
        let lines = Noted<String>()
        try await run(service(log: NotingLogHandler(lines: lines)), pauses: 1)
        let line = "error: the store that calls are shipped to does not take some records; they are set aside"
        #expect(lines.all.contains { $0.hasPrefix(line) && $0.contains("odd") && $0.contains("records: 1") })
        #expect(!lines.all.contains { $0.contains("secret-call") })
    }

    @Test func `what comes last is given on before it ends`() async throws {
        let service = service()
        let group = ServiceGroup(services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        async let running: Void = group.run()
        await pauses.reached(1)
        pauses.hold()
        await pauses.reached(2)
        try await fixture.post(.statistics(at: 5000, path: "call"))
        await group.triggerGracefulShutdown()
        try await running
        #expect(try await target.counts().facts == 1)
        #expect(try await fixture.store.figures() == OutboxFigures())
    }

    @Test func `a store that does not answer does not hold up the end`() async throws {
        try await fixture.post(.statistics(at: 5000, path: "call"))
        target.fail((0..<3).map { _ in .slow(.seconds(600)) })
        var settings = ShippingSettings()
        settings.farewell = .milliseconds(50)
        let service = service(settings)
        let group = ServiceGroup(services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        async let running: Void = group.run()
        await condition { target.given.count == 1 }
        await group.triggerGracefulShutdown()
        try await running
        #expect(try await target.counts().facts == 0)
        #expect(try await fixture.store.figures().entries == 1)
    }

    /// Waits until something is so.
    private func condition(_ isSo: () -> Bool) async {
        while !isSo() { await Task.yield() }
    }
}

/// What was noted, in order.
private final class Noted<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func append(_ value: Value) { values.withLock { $0.append(value) } }
}

/// Notes each line of a log, with its metadata.
private struct NotingLogHandler: LogHandler {
    let lines: Noted<String>
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let members = metadata.merging(event.metadata ?? [:]) { $1 }.map { "\($0): \($1)" }.sorted()
        lines.append("\(event.level): \(event.message) (\(members.joined(separator: ", ")))")
    }
}

/// Pauses that are noted, and over at once; or last until they are cancelled.
private final class Pauses: Sendable {
    private struct State {
        var taken: [Duration] = []
        var isHeld = false
        var willPause: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    var taken: [Duration] { state.withLock { $0.taken } }

    var willPause: @Sendable () -> Void {
        get { state.withLock { $0.willPause } }
        set { state.withLock { $0.willPause = newValue } }
    }

    /// From now on pauses last.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Waits until there were so many.
    func reached(_ number: Int) async {
        while state.withLock({ $0.taken.count < number }) { await Task.yield() }
    }

    var pause: @Sendable (Duration) async throws -> Void {
        { duration in
            self.willPause()
            let isHeld = self.state.withLock { state in
                state.taken.append(duration)
                return state.isHeld
            }
            if isHeld { try await Task.sleep(for: .seconds(600)) } else { await Task.yield() }
        }
    }
}
