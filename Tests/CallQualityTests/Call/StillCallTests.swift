import CallModel
import Testing

@testable import CallQuality

/// What a probe leaves out of a call in which nothing happens is not missing.
@Suite struct StillCallTests {
    private static func time(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_795_230_000_000 + 1_000 * seconds)
    }

    /// Sound of an end, of which the last packet and the last RTCP came then.
    private static func stream(
        _ id: String, upTo seconds: Int64, role: WireStream.Role = .primary, control: Int64? = nil
    ) -> WireStream {
        var stream = WireStream(
            id: id, ssrc: 7, source: "10.77.0.0/24:4000", destination: "10.78.0.0/24:5004", kind: .audio,
            payloadType: 0, firstPacketAt: time(0), lastPacketAt: time(seconds))
        stream.role = role
        stream.lastControlAt = control.map(time)
        stream[.packetsReceived] = Double(50 * seconds)
        return stream
    }

    private static func report(at seconds: Int64, _ streams: [WireStream], sent: Int? = nil) -> Fact {
        .wire(
            WireReport(time: time(seconds), receivedAt: time(seconds), streams: streams, audioPacketsSent: sent))
    }

    /// What becomes known in the 90 s without a report.
    enum Change: CaseIterable { case none, packets, control, otherStream, newStream, ownSound }

    @Test(arguments: Change.allCases)
    func `90 s without a report of a probe are a gap only where something came in them`(change: Change) {
        let before = [
            Self.stream("7", upTo: 15, control: 12),
            Self.stream("8", upTo: 15, role: .retransmission),
        ]
        var after = before
        var sent = 100
        switch change {
        case .none: break
        case .packets: after[0] = Self.stream("7", upTo: 105, control: 12)
        case .control: after[0] = Self.stream("7", upTo: 15, control: 100)
        case .otherStream: after[1] = Self.stream("8", upTo: 105, role: .retransmission)
        case .newStream: after.append(Self.stream("9", upTo: 105))
        case .ownSound: sent = 101
        }
        let identity = CallIdentity(tenant: .default, call: CallID(rawValue: "still"))
        var session = CallSession(
            key: CallKey(identity: identity, observer: ObserverID(rawValue: "wire:callee"), attempt: 1))
        let first = [5, 10, 15].map { Self.report(at: $0, before, sent: 100) }
        let last = [105, 110].map { Self.report(at: $0, after, sent: sent) }
        _ = session.fold(first + last)
        let gap = TimeSpan(start: Self.time(15), end: Self.time(105))
        #expect(session.summary()?.dataQuality.gaps == (change == .none ? [] : [gap]))
        #expect(session.summary()?.dataQuality.missedReports == (change == .none ? 0 : 17))
    }
}
