import CallModel
import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import CollectorServer

/// Long calls are read one after another, and nothing else waits for them.
@Suite struct ReadLaneTests {
    private static let long = ReadLane.mostShort + 1

    private final class Log: Sendable {
        private let added = Mutex<[String]>([])

        var texts: [String] { added.withLock(\.self) }

        func add(_ text: String) { added.withLock { $0.append(text) } }
    }

    /// Ends when it is told to.
    private final class Gate: Sendable {
        private let (stream, continuation) = AsyncStream<Void>.makeStream()

        func open() { continuation.finish() }

        func wait() async { for await _ in stream {} }
    }

    /// A long call that is read until the gate is open; returns when it has begun.
    private func begin(in lane: ReadLane, until gate: Gate, _ shown: @escaping @Sendable () -> Void) async -> Task<
        Void, any Error
    > {
        let begun = Gate()
        let task = Task {
            try await lane.run(rows: Self.long) {
                begun.open()
                await gate.wait()
            } showing: { _ in
                shown()
            }
        }
        await begun.wait()
        return task
    }

    private func untilWaiting(_ count: Int, in lane: ReadLane) async {
        while lane.waiting != count { await Task.yield() }
    }

    @Test func `a long call is read when the one before was shown, and a short one at once`() async throws {
        let (lane, gate, done) = (ReadLane(), Gate(), Log())
        let first = await begin(in: lane, until: gate) { done.add("first shown") }
        let second = Task {
            try await lane.run(rows: Self.long, reading: { done.add("second read") }, showing: { _ in })
        }
        await untilWaiting(1, in: lane)
        #expect(try await lane.run(rows: ReadLane.mostShort, reading: { 7 }, showing: { $0 + 1 }) == 8)
        gate.open()
        try await first.value
        try await second.value
        #expect(done.texts == ["first shown", "second read"])
    }

    @Test func `one that is cancelled while it waits reads nothing, and the next has its turn`() async throws {
        let (lane, gate, done) = (ReadLane(), Gate(), Log())
        let first = await begin(in: lane, until: gate) { done.add("first shown") }
        let second = Task {
            try await lane.run(rows: Self.long, reading: { done.add("second read") }, showing: { _ in })
        }
        await untilWaiting(1, in: lane)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        gate.open()
        try await first.value
        try await lane.run(rows: Self.long, reading: { done.add("third read") }, showing: { _ in })
        #expect(done.texts == ["first shown", "third read"])
    }

    @Test func `what is one too many to wait is refused`() async throws {
        let (lane, gate) = (ReadLane(), Gate())
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0...ReadLane.mostWaiting {
                group.addTask {
                    try await lane.run(rows: Self.long, reading: { await gate.wait() }, showing: { _ in 1 })
                }
            }
            await untilWaiting(ReadLane.mostWaiting, in: lane)
            let refusal = await #expect(throws: APIError.self) {
                try await lane.run(rows: Self.long, reading: {}, showing: { _ in 1 })
            }
            #expect(refusal?.status == .serviceUnavailable)
            #expect(refusal?.headers[.retryAfter] == "5")
            gate.open()
            let shown = try await group.reduce(0, +)
            #expect(shown == ReadLane.mostWaiting + 1)
        }
    }

    @Test func `of those who wait tenants take turns, and one who comes finds a place however many another has`()
        async throws
    {
        let (lane, gate, done) = (ReadLane(), Gate(), Log())
        let first = await begin(in: lane, until: gate) {}
        try await withThrowingTaskGroup(of: Void.self) { group in
            func wait(_ count: Int, of tenant: String) async {
                let before = lane.waiting
                for _ in 0..<count {
                    group.addTask {
                        try await lane.run(
                            rows: Self.long, of: TenantID(rawValue: tenant), reading: { done.add(tenant) },
                            showing: { _ in })
                    }
                }
                await untilWaiting(before + count, in: lane)
            }
            await wait(ReadLane.mostWaiting, of: "flood")
            await wait(2, of: "calm")
            gate.open()
            try await first.value
            try await group.waitForAll()
        }
        let rest = Array(repeating: "flood", count: ReadLane.mostWaiting - 2)
        #expect(done.texts == ["flood", "calm", "flood", "calm"] + rest)
    }

    /// As many as processors are being shown, and what is async goes on: else nobody would let them end.
    @Test func `what is shown keeps no thread from others`() async throws {
        let (lane, end) = (ReadLane(), DispatchSemaphore(value: 0))
        let count = ProcessInfo.processInfo.activeProcessorCount
        let (begun, begins) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: DispatchTimeoutResult.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await lane.run(rows: 1, reading: {}) { _ in
                        begins.yield()
                        return end.wait(timeout: .now() + 30)
                    }
                }
            }
            var beginnings = begun.makeAsyncIterator()
            for _ in 0..<count { await beginnings.next() }
            for _ in 0..<count { end.signal() }
            for try await result in group { #expect(result == .success) }
        }
    }
}
