import CallModel
import Testing

@testable import CallQuality

/// Reports of clients that ask each sender and receiver for its own.
@Suite struct ReportPartsTests {
    private func summary(_ facts: [Fact]) throws -> CallSummary {
        var session = CallSession(
            key: CallKey(
                identity: CallIdentity(tenant: .default, call: CallID(rawValue: "parts")), observer: .client, attempt: 1
            )
        )
        _ = session.fold(facts.sorted { $0.key < $1.key })
        return try #require(session.summary())
    }

    /// The facts of a call whose streams are asked for one by one, so many milliseconds apart.
    private func inParts(_ facts: [Fact], each milliseconds: Int64 = 5) -> [Fact] {
        facts.flatMap { fact -> [Fact] in
            guard case .report(let report) = fact else { return [fact] }
            let streams = report.objects.filter { $0.type == .inboundRTP || $0.type == .outboundRTP }.map(\.id)
            return streams.enumerated().map { place, stream in
                let offset = milliseconds * Int64(place)
                let objects = report.objects.filter { $0.id == stream || !streams.contains($0.id) }
                    .map { object in
                        var moved = object
                        moved.timestamp = object.timestamp?.advanced(byMilliseconds: offset)
                        return moved
                    }
                return .report(
                    StatsReport(
                        connection: report.connection, time: report.time.advanced(byMilliseconds: offset),
                        receivedAt: report.receivedAt.advanced(byMilliseconds: offset), objects: objects))
            }
        }
    }

    @Test(arguments: [1, 10], [5, 80, 150] as [Int64]) func `a report in parts says what it says as a whole`(
        cadence: Int, milliseconds: Int64
    ) throws {
        let call = ScriptedCall(90, bad: [30..<60], .losing(10))
        let whole = try summary(call.facts(every: cadence))
        let found = try summary(inParts(call.facts(every: cadence), each: milliseconds))
        #expect(abs(try #require(found.score) - (try #require(whole.score))) <= 2)
        #expect(abs(try #require(found.worstScore) - (try #require(whole.worstScore))) <= 3)
        #expect(abs(found.scoredSeconds - whole.scoredSeconds) < 0.1)
        #expect(found.heldSeconds == 0)
        #expect(found.streams.map(\.stream) == whole.streams.map(\.stream))
        for (part, stream) in zip(found.streams, whole.streams) {
            #expect(part.packets == stream.packets)
            #expect(isNear(part.bitrateKilobitsPerSecond, stream.bitrateKilobitsPerSecond))
            #expect(isNear(part.framesPerSecond, stream.framesPerSecond))
        }
        #expect(Set(found.issues.all.map(\.kind)) == Set(whole.issues.all.map(\.kind)))
    }

    // MARK: A conference

    /// The facts of a conference of three, of whom one speaks at a time, for so many seconds: a server sends on who speaks.
    private func conference(every cadence: Int, turn: Int) -> [Fact] {
        let seconds = ScriptedCall(90).facts(every: 1).compactMap { fact -> StatsReport? in
            if case .report(let report) = fact { report } else { nil }
        }
        return seconds.enumerated().filter { $0.offset.isMultiple(of: cadence) }.map { second, report in
            let speakers = (0..<3).map { speaker in
                let spoken = (0..<second).filter { $0 / turn % 3 == speaker }
                var object = seconds[spoken.count].objects.first { $0.id == "IA" } ?? report.objects[0]
                object.id = "IA\(speaker)"
                object.timestamp = report.time
                object.members["ssrc"] = .integer(Int64(100 + speaker))
                let last = ScriptedCall.at(Double((spoken.last ?? -1) + 1))
                object.members["lastPacketReceivedTimestamp"] = .double(Double(last.milliseconds))
                return object
            }
            return .report(
                StatsReport(
                    connection: report.connection, time: report.time, receivedAt: report.receivedAt,
                    objects: report.objects.filter { $0.id != "IA" } + speakers))
        }
    }

    @Test(arguments: [1, 5, 10], [7, 25]) func `who does not speak in a conference is missing in no part`(
        cadence: Int, turn: Int
    ) throws {
        let facts = conference(every: cadence, turn: turn)
        let whole = try summary(facts)
        let found = try summary(inParts(facts))
        #expect(found.outages == [])
        #expect(found.issues.all.map(\.kind) == whole.issues.all.map(\.kind))
        #expect(abs(try #require(found.score) - (try #require(whole.score))) <= 1)
        #expect(abs(found.heldSeconds - whole.heldSeconds) < 0.1)
    }

    // MARK: What waits

    @Test func `what waits for its other parts outlives a restart`() throws {
        let facts = inParts(ScriptedCall(60, bad: [30..<40], .losing(10)).facts(every: 10)).sorted { $0.key < $1.key }
        let whole = try summary(facts)
        for count in [facts.count - 1, facts.count - 2, facts.count - 5] {
            var session = CallSession(key: whole.key)
            _ = session.fold(facts.prefix(count))
            var restored = try #require(CallSession(archived: session.archived()))
            #expect(restored.summary() == session.summary())
            _ = restored.fold(facts.dropFirst(count))
            #expect(restored.summary() == whole)
        }
    }

    private func isNear(_ one: Double?, _ other: Double?) -> Bool {
        one == other || zip(one, other).map { abs($0 - $1) <= 0.01 * max($0, $1) } ?? false
    }
}
