import CallModel
import Testing

@testable import CallReport

/// Where it arose, told by a probe that sees both sides of a relay; records by hand.
@Suite struct RelayPathTests {
    /// What a probe saw over 20 s of 1,000 packets that came to a relay, `lostBefore` more being lost on the way there.
    private static func paths(
        sentOn: Int?, lostBefore: Int = 0, lost: Int = 0, outages: [Double] = []
    ) -> [StreamPath] {
        var summary = Records.summary(Records.key("c", observer: "wire:callee"), lasting: 20_000)
        summary.sensor = SensorHealth()
        var hop = stream("7", role: .hop)
        (hop[.packetsReceived], hop[.packetsLost], hop[.meanJitter]) = (1_000, Double(lostBefore), 0.002)
        summary.secondaryStreams = [hop]
        var record = Records.record(summary)
        if let sentOn {
            let key = StreamKey(connection: .only, direction: .inbound, kind: .audio, source: "7#2")
            var wire = stream("7#2", role: .primary)
            (wire[.packetsReceived], wire[.packetsLost]) = (Double(sentOn), Double(lost))
            var total = StreamSummary(stream: key, firstSeen: Records.at(0), lastSeen: Records.at(20_000))
            (total.packets, total.packetsLost, total.wire) = (sentOn, lost, wire)
            var row = MediaInterval(stream: key, start: Records.at(0), end: Records.at(20_000), segment: 0)
            (row.packets, row.packetsLost, row.jitterMilliseconds) = (sentOn, lost, 2)
            record.summary.streams = [total]
            record.intervals = [row]
        }
        record.summary.outages = outages.map {
            MediaOutage(span: TimeSpan(start: Records.at(5_000), end: nil), seconds: $0, evidence: [])
        }
        return VantageJoin(record).paths
    }

    private static func stream(_ id: String, role: WireStream.Role) -> WireStream {
        WireStream(
            id: id, ssrc: 7, source: "", destination: "", kind: .audio, role: role, payloadType: 0,
            firstPacketAt: Records.at(0), lastPacketAt: Records.at(20_000))
    }

    @Test func `loss is told on the side of the relay on which it arose`() {
        let names = ["wire before the relay", "wire"]
        for (before, after, finding) in [
            (0, 100, PathFinding.lost(percent: 10, from: 0, to: 1)),
            (100, 100, .lost(percent: 100.0 / 11, from: nil, to: 0)),
        ] {
            let paths = Self.paths(sentOn: 900 + before, lostBefore: before, lost: after)
            #expect(paths.map { $0.points.map(\.name) } == [names])
            #expect(paths.map(\.findings) == [[finding]])
        }
        #expect(Self.paths(sentOn: 1_000).map(\.findings) == [[]])
    }

    @Test func `sound that a relay stopped sending on was cut off there`() {
        #expect(Self.paths(sentOn: 500, outages: [10]).map(\.findings) == [[.cutOff(seconds: 10, from: 0, to: 1)]])
        // Without an interruption what is missing may be padding that it left out.
        #expect(Self.paths(sentOn: 500).map(\.findings) == [[]])
    }

    @Test func `what a relay never sent on is told`() {
        let paths = Self.paths(sentOn: nil)
        #expect(paths.map(\.findings) == [[.neverArrived(from: 0, to: 1)]])
        #expect(
            paths.flatMap(\.sentences) == [
                "nothing of it ever passed between wire before the relay and wire, though it was sent"
            ])
    }
}
