import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CollectorServer

/// Long files are read one after another, and nothing else waits for them.
@Suite struct ImportLaneTests {
    private static let long = ImportLane.mostShort + 1

    /// Ends a read that is under way.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        func open() { semaphore.signal() }

        /// - Returns: whether it was opened, and the read did not have to end by itself.
        func wait() -> Bool { semaphore.wait(timeout: .now() + 30) == .success }
    }

    /// How many reads are under way.
    private final class Count: Sendable {
        private let count = Mutex(0)

        var now: Int { count.withLock(\.self) }

        /// - Returns: how many there are then.
        func begin() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }

        func end() { count.withLock { $0 -= 1 } }
    }

    @Test func `long files are read one after another, and a short one meanwhile`() async {
        let (lane, gate, reads) = (ImportLane(), Gate(), Count())
        let (begun, begins) = AsyncStream<Void>.makeStream()
        let most = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await lane.run(bytes: Self.long) {
                        let atOnce = reads.begin()
                        begins.yield()
                        defer { reads.end() }
                        return gate.wait() ? atOnce : .max
                    }
                }
            }
            var beginnings = begun.makeAsyncIterator()
            await beginnings.next()
            #expect(await lane.run(bytes: ImportLane.mostShort) { reads.now } == 1)
            for _ in 0..<4 { gate.open() }
            return await group.reduce(0, max)
        }
        #expect(most == 1)
    }

    /// As many as processors are being read, and what is async goes on: else nobody would let them end.
    @Test func `what is read keeps no thread from others`() async {
        let (lane, gate) = (ImportLane(), Gate())
        let count = ProcessInfo.processInfo.activeProcessorCount
        let (begun, begins) = AsyncStream<Void>.makeStream()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await lane.run(bytes: 1) {
                        begins.yield()
                        return gate.wait()
                    }
                }
            }
            var beginnings = begun.makeAsyncIterator()
            for _ in 0..<count { await beginnings.next() }
            for _ in 0..<count { gate.open() }
            for await wasOpened in group { #expect(wasOpened) }
        }
    }
}
