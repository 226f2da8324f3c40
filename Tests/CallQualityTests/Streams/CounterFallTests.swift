import CallModel
import Testing

@testable import CallQuality

/// Counters that fall: those of a stream that began anew, and single ones that are wrong.
@Suite struct CounterFallTests {
    private var source = AudioSource()
    private var meter: StreamMeter

    init() {
        source.sound(20)
        meter = StreamMeter(stream: AudioSource.key, first: source.sample, previousReport: nil)
        source.blackout(5)
        source.sound(5)
        _ = meter.take(source.sample, connection: ConnectionState())
    }

    private mutating func report(_ connection: ConnectionState = ConnectionState()) -> StreamDelta? {
        meter.take(source.sample, connection: connection)
    }

    @Test(arguments: [
        \CounterSet.packets, \.bytes, \.samples, \.samplesSeconds, \.concealmentEvents, \.jitterBufferSeconds,
        \.jitterBufferEmitted,
    ])
    mutating func `one that falls by itself is left out, and nothing is counted again`(
        counter: any WritableKeyPath<CounterSet, Double?> & Sendable
    ) throws {
        let fallen = source.sample.counters[keyPath: counter] ?? 0
        source.sound(10)
        source.change(counter, by: fallen - 1 - (source.sample.counters[keyPath: counter] ?? 0))
        let taken = report()
        let delta = try #require(taken)
        #expect(delta.segment == 0)
        #expect(delta.counted[keyPath: counter] == nil)
        #expect(delta.darkSeconds == 0)
        #expect(delta.counted.concealedSamples == 0)
        source.sound(10)
        let next = report()
        #expect(next?.counted.packets == 500)
    }

    /// A decoder that is made anew counts from nothing, while the packets go on.
    @Test(arguments: [
        \CounterSet.samples, \.concealedSamples, \.silentConcealedSamples, \.concealmentEvents, \.insertedSamples,
        \.removedSamples, \.freezes, \.frozenSeconds, \.jitterBufferSeconds,
    ])
    mutating func `one that begins from nothing by itself has counted what it had`(
        counter: any WritableKeyPath<CounterSet, Double?> & Sendable
    ) {
        source.sound(10)
        source.change(counter, by: 3)
        _ = report()
        let before = meter.total[keyPath: counter] ?? 0
        source.change(counter, by: -(source.sample.counters[keyPath: counter] ?? 0))
        source.sound(10)
        let fallen = report()
        let (now, start) = (source.sample.counters[keyPath: counter] ?? 0, meter.total[keyPath: counter])
        source.change(counter, by: 2)
        source.sound(10)
        let next = report()
        let grown = (source.sample.counters[keyPath: counter] ?? 0) - now
        #expect(fallen?.segment == 0)
        #expect(fallen?.counted[keyPath: counter] == nil)
        #expect(start == before)
        #expect(next?.counted[keyPath: counter] == grown)
        #expect(meter.total[keyPath: counter] == before + grown)
    }

    @Test func `bytes that fall, as those of 32 bits, make the call's bit rate no lower`() throws {
        func rates(wrapAfter last: Double) throws -> [Double?] {
            let call = try ScriptedCall(60).summary(every: 10) { seconds, objects in
                objects.map { object in
                    guard object.id == "IA" else { return object }
                    var other = object
                    other.members["bytesReceived"] = .double(1_000 * seconds - (seconds > last ? 34_000 : 0))
                    other.members["headerBytesReceived"] = .double(500 * seconds)
                    return other
                }
            }
            let stream = try #require(call.streams.first { $0.stream.isInboundAudio })
            return [stream.bitrateKilobitsPerSecond, stream.metrics[.lineKilobitsPerSecond]].map { $0?.rounded() }
        }
        #expect(try rates(wrapAfter: .infinity) == [8, 12])
        #expect(try rates(wrapAfter: 30) == [8, 12])
    }

    @Test mutating func `after a gap of reports what was counted anew came last`() throws {
        source.hold(3_600)
        source.restart()
        source.sound(2)
        let taken = report()
        let delta = try #require(taken)
        #expect(delta.segment == 1)
        #expect(delta.counted.packets == 100)
        #expect(abs(delta.seconds - 2) < 0.05)
    }

    @Test mutating func `a stream that one report lacked came back after it, and a hold explains the freeze`() throws {
        source.hold(10)
        let lacking = source.sample.time
        source.sound(10)
        var connection = ConnectionState()
        connection.lastReport = lacking
        let taken = report(connection)
        let delta = try #require(taken)
        #expect(delta.isReturn)
        #expect(delta.start == lacking)

        var picture = StreamSample(time: Timestamp(milliseconds: 0))
        (picture.counters.packets, picture.counters.frames) = (0, 0)
        (picture.counters.freezes, picture.counters.frozenSeconds) = (0, 0)
        let key = StreamKey(connection: .only, direction: .inbound, kind: .video, source: "9")
        var pictures = StreamMeter(stream: key, first: picture, previousReport: nil)
        picture.time = Timestamp(milliseconds: 10_000)
        // Black pictures, and more packets when the camera is on again.
        (picture.counters.packets, picture.counters.frames) = (150, 150)
        _ = pictures.take(picture, connection: ConnectionState())
        picture.time = Timestamp(milliseconds: 30_000)
        (picture.counters.packets, picture.counters.frames) = (500, 300)
        (picture.counters.freezes, picture.counters.frozenSeconds) = (1, 9.8)
        connection.lastReport = Timestamp(milliseconds: 20_000)
        connection.hasReturned = true
        let returned = pictures.take(picture, connection: connection)
        #expect(returned?.seconds == 10)
        #expect(returned?.counted.frozenSeconds == 0)
        #expect(returned?.counted.freezes == 0)
    }
}
