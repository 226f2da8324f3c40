import CallModel
import Testing

@testable import CallQuality

/// A call that is told of by several peer connections: one for each direction, one for each medium, one that was left.
@Suite struct SeveralConnectionsTests {
    private static let start: Int64 = 1_795_000_000_000

    private func at(_ second: Int) -> Timestamp { Timestamp(milliseconds: Self.start + 1_000 * Int64(second)) }

    private func report(_ connection: String, _ time: Timestamp, _ objects: [StatsObject]) -> Fact {
        .report(
            StatsReport(
                connection: ConnectionID(rawValue: connection), time: time, receivedAt: time, objects: objects))
    }

    private func objects(_ source: AudioSource) -> [StatsObject] {
        guard case .report(let report) = source.report else { return [] }
        return report.objects
    }

    private func sent(_ packets: Int, at time: Timestamp) -> StatsObject {
        StatsObject(
            id: "O", type: .outboundRTP, timestamp: time,
            members: ["kind": "audio", "ssrc": "2", "packetsSent": .integer(Int64(packets))])
    }

    private func path(_ type: String, _ address: String, bytes: Int, at time: Timestamp) -> [StatsObject] {
        [
            StatsObject(
                id: "T", type: .transport, timestamp: time,
                members: [
                    "selectedCandidatePairId": "P", "bytesReceived": .integer(Int64(bytes)),
                    "bytesSent": .integer(Int64(bytes)),
                ]),
            StatsObject(
                id: "P", type: .candidatePair, timestamp: time,
                members: [
                    "localCandidateId": "L", "remoteCandidateId": "R", "nominated": true, "state": "succeeded",
                    "bytesReceived": .integer(Int64(bytes)),
                ]),
            StatsObject(
                id: "L", type: .localCandidate, timestamp: time,
                members: ["candidateType": .string(type), "address": .string(address), "protocol": "udp"]),
            StatsObject(id: "R", type: .remoteCandidate, timestamp: time, members: ["candidateType": "host"]),
        ]
    }

    private func ice(
        _ type: String, _ connection: JSONValue, at second: Int, member: String = "peerConnectionId"
    ) -> Fact {
        .event(
            CallEvent(
                time: at(second), receivedAt: at(second), action: "iceState", type: type,
                members: [member: connection]))
    }

    private func summary(_ facts: [Fact]) throws -> CallSummary {
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "c"))
        var session = CallSession(key: CallKey(identity: identity, observer: .client, attempt: 1))
        _ = session.fold(facts.sorted { $0.key < $1.key })
        #expect(CallSession(archived: session.archived())?.summary() == session.summary())
        return try #require(session.summary())
    }

    // MARK: Holds

    @Test(arguments: [1, 10]) func `a call is not on hold while sound comes over one of its connections`(
        cadence: Int
    ) throws {
        var call = AudioSource(at: Self.start)
        var shared = AudioSource(at: Self.start)
        var facts: [Fact] = []
        for second in 0...100 {
            if second > 0 {
                call.sound(1)
                if second > 20 { call.lose(packets: 10) }
                if second > 20 { shared.hold(1) } else { shared.sound(1) }
            }
            guard second % cadence == 0 else { continue }
            facts.append(report("call", at(second), objects(call)))
            facts.append(report("shared", at(second).advanced(byMilliseconds: 5), objects(shared)))
        }
        let summary = try summary(facts)
        #expect(summary.heldSeconds == 0)
        #expect(summary.scoredSeconds.rounded() == 100)
        #expect(try #require(summary.score) < 60)
    }

    @Test func `it is when all of them are, from its first moment to its last`() throws {
        var sources = ["a": AudioSource(at: Self.start), "b": AudioSource(at: Self.start)]
        var facts: [Fact] = []
        for second in 0...60 {
            for name in sources.keys where second > 0 {
                if (23..<43).contains(second) { sources[name]?.hold(1) } else { sources[name]?.sound(1) }
            }
            guard second % 10 == 0 else { continue }
            for (place, name) in sources.keys.sorted().enumerated() {
                let time = at(second).advanced(byMilliseconds: Int64(5 * place))
                let sent = sent(50 * (min(second, 23) + max(0, second - 43)), at: time)
                facts.append(report(name, time, objects(try #require(sources[name])) + [sent]))
            }
        }
        let summary = try summary(facts)
        #expect(abs(summary.heldSeconds - 20) < 0.1)
        #expect(summary.holds.map { $0.seconds.rounded() } == [20])
        #expect(summary.score == 100)
    }

    // MARK: Many

    /// What a client calls its connections costs no memory without a bound.
    @Test func `of more connections than there can be the ones that fell silent are forgotten`() throws {
        func archived(_ connections: Int) throws -> Int {
            let facts = (0..<connections).flatMap { number in
                [report("\(number)", at(number), path("host", "10.0.0.0/24", bytes: 8_000, at: at(number)))]
            }
            var session = CallSession(
                key: CallKey(
                    identity: CallIdentity(tenant: .default, call: CallID(rawValue: "c")), observer: .client, attempt: 1
                ))
            _ = session.fold(facts)
            return session.archived().count
        }
        let most = try archived(CallSession.mostConnections)
        #expect(try archived(10 * CallSession.mostConnections) < most + most / 4)
    }

    // MARK: One way

    @Test(arguments: [("", ""), ("sends", "receives")]) func `sound that goes one way is found over any connections`(
        sending: String, receiving: String
    ) throws {
        var source = AudioSource(at: Self.start)
        var facts: [Fact] = []
        for second in 0...60 {
            if second > 0 { second <= 20 ? source.sound(1) : source.blackout(1) }
            guard second % 10 == 0 else { continue }
            let sent = sent(50 * second, at: at(second))
            if sending == receiving {
                facts.append(report(sending, at(second), objects(source) + [sent]))
            } else {
                facts.append(report(sending, at(second), [sent]))
                facts.append(report(receiving, at(second).advanced(byMilliseconds: 5), objects(source)))
                facts.append(report("screen", at(second).advanced(byMilliseconds: 9), []))
            }
        }
        let summary = try summary(facts)
        #expect(summary.isOneWay == true)
        #expect(summary.issues.all.contains { $0.kind == .oneWayAudio && $0.severity == .critical })
    }

    // MARK: Paths

    @Test func `two connections over two networks are no change of network`() throws {
        var facts: [Fact] = []
        for second in stride(from: 0, through: 60, by: 10) {
            let direct = path("host", "10.0.0.0/24", bytes: 8_000 * second, at: at(second))
            let relayed = path("relay", "192.0.2.0/24", bytes: 1_000 * second, at: at(second))
            facts.append(report("receives", at(second), direct))
            facts.append(report("sends", at(second).advanced(byMilliseconds: 5), relayed))
        }
        let summary = try summary(facts)
        #expect(summary.path.changes == [])
        #expect(summary.issues.all == [])
        #expect(summary.path.localType == "host", "the path that carries the most")
        #expect(summary.transport.receivedKilobitsPerSecond.map { abs($0 - 72) < 0.1 } == true)
    }

    @Test func `ICE is disconnected from the event of a connection to its own next one`() throws {
        let found = try summary([
            ice("iceConnected", "a", at: 0), ice("iceDisconnected", "a", at: 10), ice("iceConnected", "b", at: 12),
            ice("iceConnected", "a", at: 14),
        ])
        #expect(found.iceDisconnects == [TimeSpan(start: at(10), end: at(14))])
    }

    @Test(
        arguments: ["peerConnectionId", "connectionId", "pc", "peer_connection_id"],
        [["a", "b"], [1, 2]] as [[JSONValue]])
    func `events of ICE name their connection as reports do`(member: String, connections: [JSONValue]) throws {
        let found = try summary([
            ice("iceConnected", connections[0], at: 0, member: member),
            ice("iceConnected", connections[1], at: 1, member: member),
            ice("iceDisconnected", connections[0], at: 10, member: member),
            ice("iceDisconnected", connections[1], at: 11, member: member),
            ice("iceConnected", connections[1], at: 13, member: member),
            ice("iceConnected", connections[0], at: 40, member: member),
        ])
        #expect(found.iceDisconnects == [TimeSpan(start: at(10), end: at(40)), TimeSpan(start: at(11), end: at(13))])
    }

    @Test func `a connection that never came about was never disconnected`() throws {
        let found = try summary([ice("iceDisconnected", "a", at: 5), ice("iceConnected", "b", at: 12)])
        #expect(found.iceDisconnects == [])
    }
}
