import CallModel
import Testing

@testable import CallQuality

/// What a probe's figures of pictures are worth.
@Suite struct WirePictureTests {
    private static let begin: Int64 = 1_795_230_000_000

    /// Pictures as they stood so many seconds after their first packet.
    private static func report(
        at seconds: Int64, received: Double, lost: Double = 0, outage: Double = 0, restarts: Double = 0
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
        stream[.pauseSeconds] = 0
        stream[.sequenceRestarts] = restarts
        return .wire(
            WireReport(time: time, receivedAt: time, streams: [stream], sensor: SensorHealth()))
    }

    private static func windows(_ reports: [Fact]) -> [Int?] {
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "pictures"))
        var session = CallSession(
            key: CallKey(identity: identity, observer: ObserverID(rawValue: "wire:callee"), attempt: 1))
        return session.fold(reports).scores.filter { $0.series == .window }.map(\.videoScore)
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
}
