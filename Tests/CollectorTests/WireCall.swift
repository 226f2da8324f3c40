import CallModel
import TestSupport

/// A made-up call as a probe tells of it: SIP, and a wire report every five seconds with loss, an outage, a hold and
/// a stream of retransmissions.
struct WireCall {
    let key = CallKey(
        identity: CallIdentity(tenant: .default, call: CallID(rawValue: "1-2@example")),
        observer: ObserverID(rawValue: "wire:caller"), attempt: 1)

    /// How many wire reports the call has.
    static let reports = 12

    private static func moment(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_795_230_000_000 + milliseconds)
    }

    private static let signalling: [(Int64, String)] = [
        (0, "INVITE"), (20, "100"), (400, "180"), (4_000, "200"), (4_040, "ACK"), (30_000, "HOLD"),
        (40_000, "RESUME"), (61_000, "BYE"), (61_030, "BYE 200"),
    ]

    /// Everything the probe tells, in order.
    static let facts: [Fact] = {
        let events = signalling.enumerated().map { index, said in
            Fact.event(
                CallEvent(
                    time: moment(said.0), receivedAt: moment(said.0 + 30), action: "sip", type: said.1,
                    sequence: Int64(index + 1), members: index == 0 ? ["aliases": ["Session-ID: 7"]] : [:]))
        }
        return (events + (1...reports).map { .wire(report($0)) }).sorted { $0.key < $1.key }
    }()

    /// The report at the end of the `index`th five seconds.
    static func report(_ index: Int) -> WireReport {
        let time = moment(Int64(index) * 5_000)
        return WireReport(
            time: time, receivedAt: time.advanced(byMilliseconds: 30),
            streams: [audio(index, until: time), retransmission(index, until: time)],
            sensor: SensorHealth(packetsDroppedByKernel: index / 4, packetsRecordedTwice: index),
            audioPacketsSent: index * 250)
    }

    private static func audio(_ index: Int, until time: Timestamp) -> WireStream {
        var stream = WireStream(
            id: "4711", ssrc: 4711, source: "10.77.0.0/24:4000", destination: "10.78.0.0/24:5004", kind: .audio,
            payloadType: 0, firstPacketAt: moment(4_100), lastPacketAt: time.advanced(byMilliseconds: -20))
        stream.codec = "audio/PCMU"
        stream.clockRate = 8_000
        stream.clockOrigin = .signalled
        stream.packetMilliseconds = 20
        let lost = index * index
        stream[.packetsReceived] = Double(index * 250 - lost)
        stream[.packetsLost] = Double(lost)
        stream[.bytesReceived] = Double(index * 250 - lost) * 160
        stream[.jitter] = 0.002 + Double(index % 3) / 1_000
        stream[.packetsDiscarded] = Double(index)
        stream[.jitterBufferDelay] = Double(index) * 12.5
        stream[.jitterBufferEmittedCount] = Double(index * 250 - lost)
        stream.lossRuns = [lost / 2, lost / 4]
        guard index > 5 else { return stream }
        stream[.outageSeconds] = 0.5
        stream[.packetsLostInOutages] = 25
        stream.lastOutage = TimeSpan(start: moment(26_000), end: moment(26_500))
        return stream
    }

    private static func retransmission(_ index: Int, until time: Timestamp) -> WireStream {
        var stream = WireStream(
            id: "4712", ssrc: 4712, source: "10.77.0.0/24:4000", destination: "10.78.0.0/24:5004", kind: .audio,
            role: .retransmission, payloadType: 97, firstPacketAt: moment(4_900), lastPacketAt: time)
        stream[.packetsReceived] = Double(index)
        return stream
    }

    /// Some of the facts as one message.
    func submission(_ facts: some Sequence<Fact>) -> Submission {
        Submission(
            identity: key.identity, observer: key.observer,
            facts: facts.enumerated().map { Submission.Item(index: $0, fact: $1) })
    }
}
