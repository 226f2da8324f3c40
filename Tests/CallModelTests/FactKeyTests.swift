import CallModel
import Testing

@Suite struct FactKeyTests {
    /// The order of `docs/setup-latencies.md` for events that carry one millisecond, as a call makes them.
    private static let order = [
        ["callCreate", "incomingCall"], ["iceNormal", "iceOneRelay", "iceNoRelay"], ["callRestSent"],
        ["SESSION_PROGRESS", "callRinging"], ["callAnswerReceived"], ["iceConnected"], ["ENDED", "iceDisconnected"],
    ]

    @Test func `events of one millisecond follow each other as in a call, and reports follow them`() {
        for (earlier, later) in zip(Self.order, Self.order.dropFirst()) {
            for first in earlier {
                for second in later {
                    #expect(event(first, action: "z").key < event(second, action: "a").key, "\(first) \(second)")
                }
            }
        }
        #expect(event("ENDED", action: "z").key < report(connection: "").key)
    }

    @Test func `what a probe saw follows everything else of its millisecond, whatever it is called`() {
        #expect(report(connection: "z").key < wire().key)
        #expect(event("ENDED", action: "z").key < wire().key)
        #expect(event("ENDED", action: "z").key < event("INVITE", action: "sip", sequence: 1).key)
        #expect(event("INVITE", action: "sip", sequence: 2).key < event("100", action: "sip", sequence: 3).key)
        #expect(event("BYE", action: "sip", sequence: 1_000).key < report(connection: "").key)
        #expect(wire().key < event("INVITE", action: "a", at: 1).key)
        #expect(wire(audioPacketsSent: 1).key == wire(audioPacketsSent: 2).key)
    }

    @Test func `time comes before everything else`() {
        #expect(report(connection: "z", at: 1).key < event("callCreate", action: "a", at: 2).key)
    }

    @Test func `facts of one moment are told apart by connection, action, type and running number`() {
        #expect(report(connection: "a").key != report(connection: "b").key)
        #expect(event("ENDED", action: "a").key != event("ENDED", action: "b").key)
        #expect(event("ENDED", action: "a").key != event("ENDED", action: "a", sequence: 1).key)
        #expect(event("ENDED", action: "a", sequence: 1).key == event("ENDED", action: "a", sequence: 1).key)
    }

    @Test func `changing the receipt changes neither key nor time`() {
        for fact in [event("ENDED", action: "a", at: 7), report(connection: "", at: 7), wire(at: 7)] {
            var late = fact
            late.receivedAt = Timestamp(milliseconds: 99)
            #expect(late.receivedAt == Timestamp(milliseconds: 99))
            #expect(late.key == fact.key)
            #expect(late.time == Timestamp(milliseconds: 7))
        }
    }

    private func event(_ type: String, action: String, at time: Int64 = 0, sequence: Int64? = nil) -> Fact {
        .event(
            CallEvent(
                time: Timestamp(milliseconds: time), receivedAt: Timestamp(milliseconds: 0), action: action, type: type,
                sequence: sequence))
    }

    private func wire(at time: Int64 = 0, audioPacketsSent: Int? = nil) -> Fact {
        .wire(
            WireReport(
                time: Timestamp(milliseconds: time), receivedAt: Timestamp(milliseconds: 0), streams: [],
                audioPacketsSent: audioPacketsSent))
    }

    private func report(connection: String, at time: Int64 = 0) -> Fact {
        .report(
            StatsReport(
                connection: ConnectionID(rawValue: connection), time: Timestamp(milliseconds: time),
                receivedAt: Timestamp(milliseconds: 0), objects: []))
    }
}
