import CallModel
import Foundation
import TestSupport
import Testing

/// What was acknowledged is there after a crash or a stop, and there once.
@Suite struct DurabilityTests {
    @Test func `kill -9 under load, 20 times, loses nothing that was acknowledged and doubles nothing`() async throws {
        try await Sidetone.withTemporaryFolder { folder in
            var random = RandomSource(seed: 20_261_121)
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

/// Clients and probes that post reports and events until the server goes away, and remember what it acknowledged.
private actor Load {
    /// One message of one client or probe.
    struct Message: Hashable, Sendable {
        enum Kind: CaseIterable {
            case report, event, wire
        }

        var call: String
        var index: Int
        var kind: Kind

        var path: String {
            switch kind {
            case .report: "/v1/calls/\(call)/stats"
            case .event: "/v1/events"
            case .wire: "/v1/wire"
            }
        }

        var body: String {
            switch kind {
            case .report: Samples.report(index)
            case .event: Samples.event(index, call: call)
            case .wire: Samples.wire(index, call: call) + "\n"
            }
        }
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
            let kinds = Message.Kind.allCases
            let message = Message(call: call, index: number / kinds.count, kind: kinds[number % kinds.count])
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
            try await verify(call, .event, stored: try await events(of: call, sidetone))
            try await verify(call, .report, stored: try await reports(of: call, sidetone))
            try await verify(call, .wire, stored: try await wireReports(of: call, sidetone))
        }
        for message in acknowledged {
            let reply = try await sidetone.post(message.path, message.body)
            #expect(reply.json["repeated"] == 1 && reply.json["accepted"] == 0, "\(message): \(reply.text)")
        }
    }

    private func verify(_ call: String, _ kind: Message.Kind, stored: [Int]) async throws {
        let mine: (Message) -> Bool = { $0.call == call && $0.kind == kind }
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
        let (count, ends) = try await rows(of: call, "caller", every: 10_000, sidetone)
        #expect(ends.count == max(0, count - 1), "\(call): rows do not match reports")
        return count > 0 ? [0] + ends : []
    }

    /// The numbers of the wire reports that are stored of a call: where the rows of its only stream end.
    private func wireReports(of call: String, _ sidetone: Sidetone) async throws -> [Int] {
        let (count, ends) = try await rows(of: call, "wire:caller", every: 5_000, sidetone)
        #expect(ends.count == count, "\(call): rows do not match wire reports")
        return ends
    }

    /// How many reports of an observer are stored, and the numbers of those that a row of the series ends with.
    private func rows(
        of call: String, _ observer: String, every length: Int64, _ sidetone: Sidetone
    ) async throws -> (reports: Int, ends: [Int]) {
        let record = try await sidetone.get("/v1/calls/\(call)?observer=\(observer)").json["records"][0]
        let reply = try await sidetone.get("/v1/calls/\(call)/series?observer=\(observer)")
        let rows = reply.json["records"].elements.flatMap { $0["streams"].elements }.flatMap {
            $0["intervals"].elements
        }
        let ends = rows.compactMap { $0["end"].text.flatMap { index(of: $0, every: length, offset: 0) } }
        return (Int(record["dataQuality"]["reports"].wholeNumber ?? 0), ends)
    }

    private func index(of time: String, every length: Int64, offset: Int64) -> Int? {
        guard let date = try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) else {
            return nil
        }
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded()) - Samples.start - offset
        return milliseconds.isMultiple(of: length) ? Int(milliseconds / length) : nil
    }
}
