import CallModel
import Foundation
import Testing

/// What was acknowledged is there after a crash or a stop, and there once.
@Suite struct DurabilityTests {
    @Test func `kill -9 under load, 20 times, loses nothing that was acknowledged and doubles nothing`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            var random = SplitMix64(seed: 20_261_121)
            var sidetone = try await Sidetone.start(in: folder)
            for round in 1...20 {
                let load = Load(round: round, stopAfter: Int.random(in: 1...80, using: &random))
                await load.run(against: sidetone) { $0.sendKill() }
                #expect(await sidetone.process.waitForExit() == -9)
                sidetone = try await Sidetone.start(in: folder)
                try await load.verify(against: sidetone)
            }
            #expect(await sidetone.process.terminate() == 0)
        }
    }

    @Test func `SIGTERM under load ends with status 0 and keeps all that was acknowledged`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            let sidetone = try await Sidetone.start(in: folder)
            let load = Load(round: 1, stopAfter: 60)
            await load.run(against: sidetone) { $0.sendTerminate() }
            #expect(await sidetone.process.waitForExit() == 0, "\(sidetone.process.log)")
            let again = try await Sidetone.start(in: folder)
            try await load.verify(against: again)
            #expect(await again.process.terminate() == 0)
        }
    }
}

/// Clients that post reports and events until the server goes away, and remember what it acknowledged.
private actor Load {
    /// One message of one client.
    struct Message: Hashable, Sendable {
        var call: String
        var index: Int
        var isEvent: Bool

        var path: String { isEvent ? "/v1/events" : "/v1/calls/\(call)/stats" }
        var body: String { isEvent ? Samples.event(index, call: call) : Samples.report(index) }
    }

    private let calls: [String]
    private let stopAfter: Int
    private var sent: Set<Message> = []
    private var acknowledged: Set<Message> = []
    private var isStopped = false

    /// - Parameters:
    ///   - round: makes the names of the calls.
    ///   - stopAfter: the number of acknowledgements after which the server is stopped.
    init(round: Int, stopAfter: Int) {
        calls = (1...6).map { "round-\(round)-client-\($0)" }
        self.stopAfter = stopAfter
    }

    /// Posts from all clients at once; `stop` is called in the middle of it.
    func run(against sidetone: Sidetone, stop: @escaping @Sendable (SidetoneProcess) -> Void) async {
        await withTaskGroup { group in
            for call in calls {
                group.addTask { await self.post(as: call, to: sidetone, stop: stop) }
            }
        }
    }

    private func post(as call: String, to sidetone: Sidetone, stop: @Sendable (SidetoneProcess) -> Void) async {
        for number in 0..<10_000 {
            let message = Message(call: call, index: number / 2, isEvent: !number.isMultiple(of: 2))
            sent.insert(message)
            guard let reply = try? await sidetone.post(message.path, message.body), reply.status == 202 else { return }
            #expect(reply.json["accepted"] == 1)
            acknowledged.insert(message)
            if acknowledged.count >= stopAfter, !isStopped {
                isStopped = true
                stop(sidetone.process)
            }
        }
    }

    /// Reads everything back and compares: all acknowledged is there, all that is there was sent, nothing is there twice.
    func verify(against sidetone: Sidetone) async throws {
        #expect(acknowledged.count >= stopAfter)
        for call in calls {
            try await verify(call, isEvent: true, stored: try await events(of: call, sidetone))
            try await verify(call, isEvent: false, stored: try await reports(of: call, sidetone))
        }
        for message in acknowledged {
            let reply = try await sidetone.post(message.path, message.body)
            #expect(reply.json["repeated"] == 1 && reply.json["accepted"] == 0, "\(message): \(reply.text)")
        }
    }

    private func verify(_ call: String, isEvent: Bool, stored: [Int]) async throws {
        let mine: (Message) -> Bool = { $0.call == call && $0.isEvent == isEvent }
        let indexes = Set(stored)
        #expect(indexes.count == stored.count, "\(call): something is there twice")
        #expect(Set(acknowledged.filter(mine).map(\.index)).isSubset(of: indexes), "\(call): something is lost")
        #expect(indexes.isSubset(of: sent.filter(mine).map(\.index)), "\(call): something was never sent")
    }

    /// The numbers of the events that are stored of a call.
    private func events(of call: String, _ sidetone: Sidetone) async throws -> [Int] {
        let reply = try await sidetone.get("/v1/calls/\(call)/events")
        let times = reply.json["records"].elements.flatMap { $0["events"].elements }.compactMap { $0["time"].text }
        return times.compactMap { index(of: $0, every: 1000, offset: 7) }
    }

    /// The numbers of the reports that are stored of a call: where the rows of its only stream begin and end.
    private func reports(of call: String, _ sidetone: Sidetone) async throws -> [Int] {
        let count = try await sidetone.get("/v1/calls/\(call)").json["records"][0]["dataQuality"]["reports"].wholeNumber
        let reply = try await sidetone.get("/v1/calls/\(call)/series")
        let rows = reply.json["records"].elements.flatMap { $0["streams"].elements }.flatMap {
            $0["intervals"].elements
        }
        let ends = rows.compactMap { $0["end"].text.flatMap { index(of: $0, every: 10_000, offset: 0) } }
        #expect(Int64(ends.count) == max(0, (count ?? 0) - 1), "\(call): rows do not match reports")
        return count ?? 0 > 0 ? [0] + ends : []
    }

    private func index(of time: String, every length: Int64, offset: Int64) -> Int? {
        guard let date = try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) else {
            return nil
        }
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded()) - Samples.start - offset
        return milliseconds.isMultiple(of: length) ? Int(milliseconds / length) : nil
    }
}

/// A generator of random numbers that gives the same ones for the same seed (Steele, Lea and Flood 2014).
private struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
