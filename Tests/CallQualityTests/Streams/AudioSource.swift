import CallModel

@testable import CallQuality

/// An inbound audio stream as a client's statistics would show it, made to measure: 50 packets and 48,000 samples
/// a second.
struct AudioSource {
    static let ssrc = "1234"
    static let key = StreamKey(connection: .only, direction: .inbound, kind: .audio, source: ssrc)
    static let opus = CodecDescription(
        mimeType: "audio/opus", clockRate: 48_000, formatParameters: "minptime=10;useinbandfec=1")

    /// The statistics now.
    private(set) var sample: StreamSample
    private var farEndSent = 0.0

    /// A stream that has just begun, at `time` milliseconds.
    init(at time: Int64 = 0, codec: CodecDescription? = opus) {
        sample = StreamSample(time: Timestamp(milliseconds: time))
        sample.codec = codec
        sample.jitterSeconds = 0.001
        for counter in [
            \CounterSet.packets, \.packetsLost, \.bytes, \.samples, \.samplesSeconds, \.concealedSamples,
            \.silentConcealedSamples, \.concealmentEvents, \.insertedSamples, \.removedSamples, \.jitterBufferSeconds,
            \.jitterBufferEmitted,
        ] {
            sample.counters[keyPath: counter] = 0
        }
    }

    /// Sound arrives.
    mutating func sound(_ seconds: Double) {
        play(seconds)
        arrive(seconds)
        sample.lastPacketReceivedAt = sample.time
    }

    /// Sound arrives that nobody plays: what counts samples stands still.
    mutating func soundUnplayed(_ seconds: Double) {
        sample.time = sample.time.advanced(byMilliseconds: Int64((1000 * seconds).rounded()))
        sample.counters.packets? += 50 * seconds
        sample.counters.bytes? += 50 * 80 * seconds
        sample.lastPacketReceivedAt = sample.time
    }

    /// The path is down: the playout runs on, on made-up sound that fades after 0.1 s.
    mutating func blackout(_ seconds: Double) {
        let isNew = sample.lastPacketReceivedAt.map { $0 == sample.time } ?? true
        play(seconds)
        sample.counters.concealedSamples? += 48_000 * seconds
        sample.counters.silentConcealedSamples? += 48_000 * (seconds - (isNew ? 0.1 : 0))
        if isNew { sample.counters.concealmentEvents? += 1 }
    }

    /// Packets are lost on the way and made up one by one.
    mutating func lose(packets: Double) {
        sample.counters.packetsLost? += packets
        sample.counters.packets? -= packets
        sample.counters.concealedSamples? += 960 * packets
        sample.counters.concealmentEvents? += packets
    }

    /// The far end put the call on hold: nothing arrives and nothing is played.
    mutating func hold(_ seconds: Double) {
        sample.time = sample.time.advanced(byMilliseconds: Int64(1000 * seconds))
    }

    /// The far end falls silent of itself (DTX): a packet every 0.4 s, the rest is silence by design.
    mutating func silence(_ seconds: Double) {
        play(seconds)
        sample.counters.packets? += (seconds / 0.4).rounded(.down)
        sample.counters.concealedSamples? += 48_000 * seconds
        sample.counters.silentConcealedSamples? += 48_000 * seconds
        sample.counters.concealmentEvents? += 1
        sample.lastPacketReceivedAt = sample.time.advanced(byMilliseconds: -200)
    }

    /// The same, as engines of the libwebrtc family have it: comfort noise is not made up.
    mutating func comfortNoise(_ seconds: Double) {
        play(seconds)
        sample.counters.packets? += (seconds / 0.4).rounded(.down)
        sample.lastPacketReceivedAt = sample.time.advanced(byMilliseconds: -200)
    }

    /// The path is down while the far end is silent: comfort noise goes on for a second, then silence is filled in.
    mutating func blackoutInSilence(_ seconds: Double) {
        play(seconds)
        let filled = max(0, seconds + 0.2 - 1)
        sample.counters.concealedSamples? += 48_000 * filled
        sample.counters.silentConcealedSamples? += 48_000 * filled
        if filled > 0 { sample.counters.concealmentEvents? += 1 }
    }

    /// Nothing arrives, and something is played that does not count as made up.
    mutating func playOn(_ seconds: Double) { play(seconds) }

    /// The client does not say when the last packet came.
    mutating func forgetLastPacket() { sample.lastPacketReceivedAt = nil }

    /// The path brought something else so long ago.
    mutating func otherPacket(ago seconds: Double) {
        sample.lastPacketOnPathAt = sample.time.advanced(byMilliseconds: -Int64((1000 * seconds).rounded()))
    }

    /// The counters start anew.
    mutating func restart() {
        sample.counters = .zero(like: sample.counters)
    }

    /// RTCP of the far end arrives and says how much it sent since the last.
    mutating func senderReport(sent packets: Double) {
        farEndSent += packets
        sample.farEnd = FarEndSample(arrivedAt: sample.time, packetsSent: farEndSent)
    }

    /// The same, with the time by the far end's clock; the network held it back for so long.
    mutating func senderReport(sent packets: Double, heldBack seconds: Double) {
        senderReport(sent: packets)
        sample.farEnd?.reportedAt = sample.time.advanced(byMilliseconds: Int64((-1000 * seconds).rounded()) - 3_600_000)
    }

    mutating func change(_ counter: WritableKeyPath<CounterSet, Double?>, by amount: Double) {
        sample.counters[keyPath: counter] = (sample.counters[keyPath: counter] ?? 0) + amount
    }

    /// The client does not report these.
    mutating func forget(_ counters: [WritableKeyPath<CounterSet, Double?>]) {
        for counter in counters { sample.counters[keyPath: counter] = nil }
    }

    private mutating func play(_ seconds: Double) {
        sample.time = sample.time.advanced(byMilliseconds: Int64((1000 * seconds).rounded()))
        sample.counters.samples? += 48_000 * seconds
        sample.counters.samplesSeconds? += seconds
    }

    private mutating func arrive(_ seconds: Double) {
        sample.counters.packets? += 50 * seconds
        sample.counters.bytes? += 50 * 80 * seconds
        sample.counters.jitterBufferEmitted? += 48_000 * seconds
        sample.counters.jitterBufferSeconds? += 48_000 * seconds * 0.02
    }
}

extension AudioSource {
    /// The report a client would post now.
    var report: Fact {
        let counters = sample.counters
        var members: JSONObject = [
            "kind": "audio", "ssrc": .string(Self.ssrc), "codecId": "C", "jitter": .double(sample.jitterSeconds ?? 0),
        ]
        let names: [(String, Double?)] = [
            ("packetsReceived", counters.packets), ("packetsLost", counters.packetsLost),
            ("bytesReceived", counters.bytes), ("totalSamplesReceived", counters.samples),
            ("totalSamplesDuration", counters.samplesSeconds), ("concealedSamples", counters.concealedSamples),
            ("silentConcealedSamples", counters.silentConcealedSamples),
            ("concealmentEvents", counters.concealmentEvents),
            ("insertedSamplesForDeceleration", counters.insertedSamples),
            ("removedSamplesForAcceleration", counters.removedSamples),
            ("jitterBufferDelay", counters.jitterBufferSeconds),
            ("jitterBufferEmittedCount", counters.jitterBufferEmitted),
            ("lastPacketReceivedTimestamp", sample.lastPacketReceivedAt.map { Double($0.milliseconds) }),
        ]
        for (name, value) in names { members[name] = value.map(JSONValue.double) }
        let stream = StatsObject(id: "I", type: .inboundRTP, timestamp: sample.time, members: members)
        let codec = StatsObject(
            id: "C", type: .codec, timestamp: sample.time,
            members: [
                "mimeType": "audio/opus", "clockRate": 48_000, "sdpFmtpLine": "minptime=10;useinbandfec=1",
            ])
        return .report(
            StatsReport(
                connection: .only, time: sample.time, receivedAt: sample.time.advanced(byMilliseconds: 80),
                objects: [stream, codec]))
    }
}
