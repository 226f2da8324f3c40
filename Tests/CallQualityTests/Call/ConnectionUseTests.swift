import CallModel
import Testing

@testable import CallQuality

/// A connection that the client left, told from one on which the network fails: the far end is silent on both.
@Suite struct ConnectionUseTests {
    private var use = ConnectionUse()
    private var packets: [String: (sent: Double, received: Double)] = [:]

    /// The report of a connection at a second, with so many packets of sound more each way.
    private mutating func report(_ connection: String, at second: Double, sent: Double, received: Double) -> Double {
        let before = packets[connection] ?? (0, 0)
        packets[connection] = (before.sent + sent, before.received + received)
        let now = Timestamp(milliseconds: 1_000_000 + Int64(second * 1000))
        func sample(_ direction: MediaDirection, _ count: Double) -> KeyedSample {
            let id = ConnectionID(rawValue: connection)
            var sample = StreamSample(time: now)
            sample.counters.packets = count
            return KeyedSample(
                StreamKey(connection: id, direction: direction, kind: .audio, source: "1"), sample)
        }
        let samples = [
            sample(.outbound, before.sent + sent), sample(.inbound, before.received + received),
        ]
        return use.take(samples, of: connection, at: now)
    }

    /// 30 s over `server` alone.
    init() {
        for second in stride(from: 0.0, through: 30, by: 10) {
            _ = report("server", at: second, sent: 500, received: 500)
        }
    }

    @Test mutating func `who moves to a peer has left the server, from the moment of the move on`() {
        #expect(report("peer", at: 40, sent: 300, received: 300) == 0)
        #expect(report("server", at: 40, sent: 200, received: 200) == 6)
        #expect(report("peer", at: 50, sent: 500, received: 500) == 0)
        #expect(report("server", at: 50, sent: 0, received: 0) == 10)
    }

    @Test mutating func `so has who moves to one connection that sends and another that receives`() {
        #expect(report("sends", at: 40, sent: 300, received: 0) == 0)
        #expect(report("receives", at: 40, sent: 0, received: 300) == 0)
        #expect(report("server", at: 40, sent: 200, received: 200) == 6)
        #expect(report("sends", at: 50, sent: 500, received: 0) == 0)
        #expect(report("receives", at: 50, sent: 0, received: 500) == 0)
        #expect(report("server", at: 50, sent: 0, received: 0) == 10)
    }

    @Test mutating func `a move is not seen in packets that came in a rush between two reports`() {
        _ = report("server", at: 40, sent: 500, received: 500)
        _ = report("server", at: 40.04, sent: 40, received: 40)
        _ = report("peer", at: 45, sent: 250, received: 250)
        #expect(report("server", at: 50, sent: 498, received: 498) == 0)
    }

    @Test mutating func `who comes back has been away until then`() {
        _ = report("peer", at: 40, sent: 500, received: 500)
        #expect(report("server", at: 40, sent: 0, received: 0) == 10)
        _ = report("peer", at: 50, sent: 200, received: 200)
        #expect(report("server", at: 50, sent: 300, received: 300) == 4)
        _ = report("peer", at: 60, sent: 0, received: 0)
        #expect(report("server", at: 60, sent: 500, received: 500) == 0)
    }

    @Test mutating func `none is left where all fall silent at once`() {
        for second in stride(from: 40.0, through: 60, by: 10) {
            #expect(report("peer", at: second, sent: 500, received: 500) == 0)
            #expect(report("server", at: second, sent: 500, received: 500) == 0)
        }
        for (second, packets) in [(70.0, 150.0), (80, 0), (90, 325), (100, 500)] {
            #expect(report("peer", at: second, sent: packets, received: packets) == 0)
            #expect(report("server", at: second, sent: packets, received: packets) == 0)
        }
    }

    @Test mutating func `where the network fails the client goes on sending`() {
        for second in stride(from: 40.0, through: 60, by: 10) {
            #expect(report("peer", at: second, sent: 500, received: 500) == 0)
            #expect(report("server", at: second, sent: 500, received: second == 40 ? 200 : 0) == 0)
        }
    }

    @Test mutating func `a connection is not left for one over which nothing goes, nor for none`() {
        #expect(report("server", at: 40, sent: 0, received: 0) == 0)
        #expect(report("peer", at: 50, sent: 500, received: 0) == 0)
        #expect(report("peer", at: 60, sent: 500, received: 0) == 0)
        #expect(report("server", at: 60, sent: 0, received: 0) == 0)
    }

    /// With many connections, one to each, a sender that pauses between words sends fewer packets on all of them.
    @Test mutating func `fewer packets are no move while the other connections were there before`() {
        _ = report("other", at: 30, sent: 500, received: 500)
        _ = report("other", at: 40, sent: 500, received: 500)
        _ = report("server", at: 40, sent: 500, received: 500)
        #expect(report("other", at: 50, sent: 100, received: 500) == 0)
        #expect(report("server", at: 50, sent: 100, received: 100) == 0)
    }

    @Test mutating func `a connection over which nothing was ever sent or received cannot be left`() {
        #expect(report("receiver", at: 30, sent: 0, received: 500) == 0)
        #expect(report("receiver", at: 40, sent: 0, received: 0) == 0)
        #expect(report("server", at: 40, sent: 500, received: 500) == 0)
        #expect(report("receiver", at: 50, sent: 0, received: 0) == 0)
    }
}
