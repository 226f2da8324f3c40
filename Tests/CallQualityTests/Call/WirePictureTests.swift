import CallModel
import Testing

@testable import CallQuality

/// What a probe's figures of pictures are worth.
@Suite struct WirePictureTests {
    private static let begin: Int64 = 1_795_230_000_000

    /// Pictures as they stood so many seconds after their first packet; the last outage ended at `outageEnd`.
    private static func report(
        at seconds: Int64, received: Double, lost: Double = 0, outage: Double = 0, outageEnd: Double? = nil,
        restarts: Double = 0
    ) -> Fact {
        let time = Timestamp(milliseconds: begin + 1_000 * seconds)
        var stream = WireStream(
            id: "7", ssrc: 7, source: "10.77.0.0/24:4000", destination: "10.78.0.0/24:5004", kind: .video,
            payloadType: 96, firstPacketAt: Timestamp(milliseconds: begin), lastPacketAt: time)
        stream[.packetsReceived] = received
        stream[.packetsLost] = lost
        stream[.packetsLostInOutages] = lost
        stream[.bytesReceived] = 900 * received
        stream[.outageSeconds] = outage
        stream.lastOutage = outageEnd.map { end in
            let moments = [end - outage, end].map { Timestamp(milliseconds: begin + Int64(1_000 * $0)) }
            return TimeSpan(start: moments[0], end: moments[1])
        }
        stream[.pauseSeconds] = 0
        stream[.sequenceRestarts] = restarts
        return .wire(
            WireReport(time: time, receivedAt: time, streams: [stream], sensor: SensorHealth()))
    }

    private static let key = CallKey(
        identity: CallIdentity(tenant: .default, call: CallID(rawValue: "pictures")),
        observer: ObserverID(rawValue: "wire:callee"), attempt: 1)

    private static func windows(_ reports: [Fact]) -> [Int?] {
        var session = CallSession(key: key)
        return session.fold(reports).scores.filter { $0.series == .window }.map(\.videoScore)
    }

    /// The same with sound of 50 packets a second beside the pictures, which misses what they miss.
    private static func withSound(_ reports: [Fact]) throws -> [Fact] {
        try reports.map { fact in
            guard case .wire(let report) = fact else { return fact }
            var sound = try #require(report.streams.first)
            (sound.id, sound.ssrc, sound.kind, sound.payloadType) = ("8", 8, .audio, 0)
            for figure in [WireFigure.packetsReceived, .packetsLost, .packetsLostInOutages, .bytesReceived] {
                sound[figure] = sound[figure].map { $0 / 6 }
            }
            (sound.codec, sound.clockRate, sound.packetMilliseconds) = ("audio/PCMU", 8_000, 20)
            // Of sound it is known while it is missing.
            let missing = report.time.seconds(since: Timestamp(milliseconds: begin)) - missingSince
            if missing > 0, sound.lastOutage == nil {
                sound[.outageSeconds] = missing
                sound.lastOutage = TimeSpan(
                    start: report.time.advanced(byMilliseconds: -Int64(1_000 * missing)), end: nil)
            }
            return .wire(
                WireReport(
                    time: report.time, receivedAt: report.receivedAt, streams: report.streams + [sound],
                    sensor: report.sensor))
        }
    }

    /// Of 300 packets a second those of 3 s are missing: as lost ones, or more of them than count as lost.
    @Test(arguments: [(900.0, 0.0), (0, 1)])
    func `an outage costs as much whether or not its packets count as lost`(lost: Double, restarts: Double) {
        let windows = Self.windows([
            Self.report(at: 5, received: 1_500),
            Self.report(at: 10, received: 2_100, lost: lost, outage: 3, restarts: restarts),
            Self.report(at: 15, received: 3_600, lost: lost, outage: 3, restarts: restarts),
            Self.report(at: 20, received: 5_100, lost: lost, outage: 3, restarts: restarts),
        ])
        // 30 % of the first window: e^(-3).
        #expect(windows == [5, 100])
    }

    @Test func `an outage that began in the window before leaves nothing of the one in which it ends`() {
        let windows = Self.windows([
            Self.report(at: 5, received: 1_500), Self.report(at: 10, received: 3_000),
            Self.report(at: 15, received: 3_030), Self.report(at: 20, received: 3_030),
            Self.report(at: 25, received: 3_930, outage: 11.9, restarts: 1),
            Self.report(at: 30, received: 5_430, outage: 11.9, restarts: 1),
        ])
        #expect(windows == [100, 100, 0])
    }

    @Test func `numbers that begin anew without an outage cost nothing`() {
        let windows = Self.windows([
            Self.report(at: 5, received: 1_500), Self.report(at: 10, received: 3_000, restarts: 1),
        ])
        #expect(windows == [100])
    }

    private static let missingSince = 16.0
    /// 300 packets a second, of which those of 21 s are missing.
    private static let longOutage = [
        report(at: 5, received: 1_500), report(at: 10, received: 3_000), report(at: 15, received: 3_300),
        report(at: 20, received: 3_300), report(at: 25, received: 3_300), report(at: 30, received: 3_300),
        report(at: 35, received: 3_300),
        report(at: 40, received: 4_500, lost: 6_300, outage: 21, outageEnd: 37),
        report(at: 45, received: 6_000, lost: 6_300, outage: 21, outageEnd: 37),
        report(at: 50, received: 7_500, lost: 6_300, outage: 21, outageEnd: 37),
    ]

    @Test func `an outage of pictures and sound costs the pictures what it costs them alone`() throws {
        let scores = try [Self.longOutage, Self.withSound(Self.longOutage)].map { reports in
            var session = CallSession(key: Self.key)
            _ = session.fold(reports)
            return session.summary()?.streams.first { $0.stream.kind == .video }?.score
        }
        #expect(scores == [30, 30])
    }

    @Test func `pictures that are missing with the sound do not make up for it`() throws {
        var session = CallSession(key: Self.key)
        let windows = try session.fold(Self.withSound(Self.longOutage)).scores.filter { $0.series == .window }
        #expect(windows.map(\.videoScore) == [100, 100, nil, 0, 100])
        #expect(windows.map(\.score) == [100, 50, 6, 7, 100])
    }
}
