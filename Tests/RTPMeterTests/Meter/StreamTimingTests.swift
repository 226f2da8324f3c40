import TestSupport
import Testing

@testable import RTPMeter

@Suite struct StreamTimingTests {
    @Test func `jitter follows the recursion of RFC 3550, appendix A.8`() {
        // D = 5 ms, -5 ms: J = 5/16, then 5/16 + (5 - 5/16)/16.
        var packets = steady(0..<4)
        packets[2].seconds += 0.005
        let figures = RTPStreamMeter(packets).figures()
        let expected = [0, 0.3125, 0.60546875]
        #expect(abs((figures.jitter?.currentSeconds ?? 0) * 1000 - expected[2]) < 1e-9)
        #expect(abs((figures.jitter?.maximumSeconds ?? 0) * 1000 - expected[2]) < 1e-9)
        #expect(abs((figures.jitter?.meanSeconds ?? 0) * 1000 - expected.reduce(0, +) / 3) < 1e-9)
        #expect(figures.jitter?.samples == 3)
        #expect(figures.plainJitter?.samples == 3)
    }

    @Test func `what the sender does is not jitter`() {
        var packets = steady(0..<300)
        for index in 100..<300 {  // a talkspurt after 3 s of silence, whose timestamps are off by 40 ms
            packets[index].seconds += 3.0
            packets[index].timestamp += 8000 * 3 - 320
        }
        packets[100].hasMarker = true
        let figures = RTPStreamMeter(packets).figures()
        #expect((figures.jitter?.maximumSeconds ?? 1) < 1e-9)
        #expect((figures.plainJitter?.maximumSeconds ?? 0) > 0.002)
        #expect(figures.markers == 1)
    }

    @Test(arguments: [0, 4_000, 80_000]) func `a pause of the sender is no jitter, whether or not its clock ran on`(
        ticks: UInt32
    ) throws {
        var packets = steady(0..<300)
        for index in 200..<300 {
            packets[index].seconds += 10
            packets[index].timestamp += ticks
        }
        let figures = RTPStreamMeter(packets).figures()
        let (jitter, delta) = (try #require(figures.jitter), try #require(figures.delta))
        #expect(jitter.samples == 298 && jitter.maximumSeconds < 1e-9)
        #expect(abs(delta.maximumMilliseconds - 20) < 1e-3)
        #expect(figures.longestGapSeconds.map { abs($0 - 10.02) < 1e-4 } == true)
        #expect(figures.transitSteps.count == 0)
    }

    @Test(arguments: [1, 2, 3]) func `where many packets carry the marker it begins no talkspurt`(every: Int) throws {
        // Pictures of so many packets, of which the last is marked; or sound with a marker on every packet.
        let pictures = steady(0..<100).enumerated().flatMap { index, picture in
            (0..<every).map { place in
                var packet = picture
                packet.number = UInt16(index * every + place)
                packet.seconds += index % 2 == 0 ? 0 : 0.008
                packet.hasMarker = place == every - 1
                return packet
            }
        }
        let figures = RTPStreamMeter(pictures).figures()
        let jitter = try #require(figures.jitter)
        #expect(jitter.samples == 99 - (every == 1 ? 2 : 0))
        #expect(abs(jitter.currentSeconds - 0.008) < 0.0001)
        #expect(abs((figures.delta?.minimumMilliseconds ?? 0) - 12) < 1e-3)
        #expect(abs((figures.delta?.maximumMilliseconds ?? 0) - 28) < 1e-3)
    }

    @Test func `where every packet carries the marker, packets that were held back are no pause`() {
        var packets = steady(0..<400)
        for index in packets.indices {
            packets[index].hasMarker = true
            if (200..<275).contains(index) { packets[index].seconds = 5.5 }
        }
        let figures = RTPStreamMeter(packets).figures()
        #expect(figures.pauseSeconds == 0)
        #expect(abs(figures.stallSeconds - 1.52) < 1e-6)
    }

    @Test func `padding beside the packets is no jitter`() {
        // After each packet, at some other time until the next, one of padding with its timestamp.
        let packets = steady(0..<300).flatMap { packet in
            var (media, padding) = (packet, packet)
            media.number = packet.number &* 2
            padding.number = media.number &+ 1
            padding.kind = .padding
            padding.seconds += Double(packet.number % 7) * 0.002
            return [media, padding]
        }
        let figures = RTPStreamMeter(packets).figures()
        #expect(figures.counts == Counts(packets: 600, unique: 600))
        #expect(figures.paddingPackets == 300 && figures.packetSeconds == 0.020)
        #expect(figures.jitter?.samples == 299 && (figures.jitter?.maximumSeconds ?? 1) < 1e-9)
        #expect(abs((figures.delta?.minimumMilliseconds ?? 0) - 20) < 1e-3)
        #expect(figures.transitSteps.count == 0)
    }

    @Test func `time between packets`() throws {
        var packets = steady(0..<4)
        packets[2].seconds += 0.005
        let delta = try #require(RTPStreamMeter(packets).figures().delta)
        #expect(abs(delta.minimumMilliseconds - 15) < 1e-3)
        #expect(abs(delta.meanMilliseconds - 20) < 1e-6)
        #expect(abs(delta.maximumMilliseconds - 25) < 1e-3)
    }

    @Test func `timestamps that wrap are no jump`() {
        var packets = steady(0..<200)
        for index in packets.indices {
            packets[index].timestamp = UInt32.max - 5000 &+ UInt32(index * 160)
        }
        let figures = RTPStreamMeter(packets).figures()
        #expect((figures.plainJitter?.maximumSeconds ?? 1) < 1e-9)
        #expect(abs(figures.skewSeconds ?? 1) < 1e-6)
    }

    @Test func `changes of transit time count under the limit they reach`() {
        // Half a second apart, so that a delayed packet is not overtaken: each delay is one change up and one down.
        var packets = (0..<80).map {
            TestPacket(number: UInt16($0), timestamp: UInt32($0 * 4000), seconds: Double($0) * 0.5)
        }
        for (index, milliseconds) in [45.0, 55, 75, 95, 125, 155, 205, 305, 305].enumerated() {
            packets[5 + index * 5].seconds += milliseconds / 1000
        }
        let steps = RTPStreamMeter(packets).figures().transitSteps
        #expect(TransitSteps.limitsMilliseconds.indices.map { steps[$0] } == [2, 2, 2, 2, 2, 2, 4])
        #expect(steps.count == 16)
    }

    @Test func `a sender's clock that is 100 ppm fast is seen as drift`() throws {
        let packets = steady(0..<5000).map { packet in
            var packet = packet
            packet.seconds *= 1 - 100e-6
            packet.seconds += packet.number % 7 == 0 ? 0.004 : 0
            return packet
        }
        let figures = RTPStreamMeter(packets).figures()
        let drift = try #require(figures.driftPartsPerMillion)
        #expect(abs(drift - 100) < 2)
        #expect(abs((figures.skewSeconds ?? 0) - 0.010) < 0.0005)
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `a path that becomes slower or faster is no drift`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let place = Int.random(in: 1..<1500, using: &random)
        let step = Double.random(in: 0...0.450, using: &random) * (seed % 2 == 0 ? 1 : -1)
        let packets = steady(0..<1500).map { packet in
            var packet = packet
            packet.seconds += Int(packet.number) - 1000 >= place ? step : 0
            packet.seconds += Double.random(in: 0...0.003, using: &random)
            return packet
        }
        let drift = RTPStreamMeter(packets).figures().driftPartsPerMillion ?? 0
        #expect(abs(drift) < 120, "\(step) s at packet \(place)")
    }

    @Test func `a large drift is told, though the network is uneven`() throws {
        var random = RandomSource(seed: 3)
        let packets = steady(0..<3000).map { packet in
            var packet = packet
            packet.seconds *= 1 + 5000e-6
            packet.seconds += Double.random(in: 0...0.015, using: &random)
            return packet
        }
        let drift = try #require(RTPStreamMeter(packets).figures().driftPartsPerMillion)
        #expect(abs(drift + 5000) < 60)
    }

    @Test func `the 95th percentile lies between the limits around it`() throws {
        let packets = steady(0..<2000).map { packet in
            var packet = packet
            packet.seconds += packet.number % 10 == 0 ? 0.015 : 0
            return packet
        }
        let p95 = try #require(RTPStreamMeter(packets).figures().delayVariation95Seconds)
        #expect((0.010...0.020).contains(p95))
        #expect(try #require(RTPStreamMeter(steady(0..<2000)).figures().delayVariation95Seconds) < 0.002)
    }

    @Test func `silence is media time that the timestamps leave out`() throws {
        var packets = steady(0..<300)
        for index in 200..<300 {
            packets[index].seconds += 1.5
            packets[index].timestamp += 12_000
        }
        let figures = RTPStreamMeter(packets).figures()
        #expect(figures.silenceSeconds == 1.5)
        #expect(figures.talkspurts == 2)
        #expect(abs((figures.talkspurtSeconds ?? 0) - 6) < 1e-9)
        #expect(abs(figures.pauseSeconds - 1.52) < 1e-6)
        #expect(figures.stallSeconds == 0)
        #expect(figures.lossGapSeconds == 0)
        #expect(figures.packetSeconds == 0.020)
    }

    @Test func `another payload type with a clock of its own goes on without jitter, and silence stays as long`() {
        var packets = steady(0..<300)
        for index in 200..<300 {
            packets[index].seconds += 1.5
            packets[index].timestamp += 12_000
        }
        var meter = RTPStreamMeter(packets, clock: RTPClock(hertz: 8_000, source: .signalled))
        let opus = RTPClock(hertz: 48_000, source: .signalled)
        if let opus { meter.change(toPayloadType: 111, clock: opus) }
        for index in 300..<400 {
            let time = UInt32(60_000 + index * 960)
            meter.take(
                TestPacket(
                    number: UInt16(1_000 + index), timestamp: time, seconds: Double(index) * 0.020 + 1.5,
                    payloadType: 111))
        }
        let figures = meter.figures()
        #expect(meter.payloadType == 111)
        #expect(meter.clock == opus)
        #expect(figures.counts == Counts(packets: 400, unique: 400))
        #expect((figures.jitter?.maximumSeconds ?? 1) < 1e-6)
        #expect(abs((figures.silenceSeconds ?? 0) - 1.5) < 1e-9)
        #expect(abs((figures.packetSeconds ?? 0) - 0.020) < 1e-9)
    }

    @Test func `a silence stays as long where the clock of the next payload type is found only later`() {
        var packets = steady(0..<300)
        for index in 200..<300 {
            packets[index].seconds += 1.5
            packets[index].timestamp += 12_000
        }
        var meter = RTPStreamMeter(packets)
        meter.change(toPayloadType: 111, clock: nil)
        for index in 300..<400 {
            if index == 350 { meter.setClock(RTPClock(hertz: 48_000, source: .inferred)) }
            meter.take(
                TestPacket(
                    number: UInt16(1_000 + index), timestamp: UInt32(60_000 + index * 960),
                    seconds: Double(index) * 0.020 + 1.5, payloadType: 111))
        }
        #expect(meter.clock == RTPClock(hertz: 48_000, source: .inferred))
        #expect(abs((meter.figures().silenceSeconds ?? 0) - 1.5) < 1e-9)
    }

    @Test func `comfort noise fills silence and is no jitter`() {
        var packets = steady(0..<100)
        packets[50].kind = .comfortNoise
        packets[50].payloadType = 13
        for index in 51..<100 {
            packets[index].seconds += 0.8
            packets[index].timestamp += 6400
        }
        packets[51].seconds += 0.030
        let figures = RTPStreamMeter(packets).figures()
        #expect(figures.comfortNoisePackets == 1)
        #expect(abs((figures.silenceSeconds ?? 0) - 0.82) < 1e-9)
        // The late start is no sample; the return to the beat after it is.
        #expect(abs((figures.jitter?.maximumSeconds ?? 0) - 0.030 / 16) < 1e-9)
    }

    @Test func `packets held back for seconds are a stall, not a pause`() {
        let packets = steady(0..<400).map { packet in
            var packet = packet
            packet.seconds = (4.0..<6.0).contains(packet.seconds) ? 6.0 : packet.seconds
            return packet
        }
        let figures = RTPStreamMeter(packets).figures()
        #expect(abs(figures.stallSeconds - 2.02) < 1e-6)
        #expect(figures.pauseSeconds == 0)
        #expect(figures.lost == 0)
        // What was held back for more than a second begins a new timeline, and all of it is in time.
        #expect(figures.buffers.packets == 400)
        #expect(figures.buffers.late60 + figures.buffers.lateAdaptive == 0)
        #expect(figures.delays.packets(atLeast: 0) == 0)
    }

    @Test func `a stall is known by the packets of half a second after it, and stays one`() {
        // From 8 s on a packet every 0.4 s: numbers come more slowly than time passes.
        let packets = steady(0..<400).map { packet in
            var packet = packet
            packet.seconds = (4.0..<6.0).contains(packet.seconds) ? 6.0 : packet.seconds
            return packet
        }
        let silence = (0..<20).map { (index: Int) -> TestPacket in
            let timestamp = UInt32(64_000 + 3_200 * index)
            return TestPacket(
                number: UInt16(1_400 + index), timestamp: timestamp, seconds: 8 + 0.4 * Double(index))
        }
        var meter = RTPStreamMeter()
        var waits: [Double] = []
        for packet in packets + silence {
            meter.take(packet)
            if meter.awaitsVerdict { waits.append(packet.seconds) }
        }
        #expect(Set(waits) == [6.0] && (1..<100).contains(waits.count))
        #expect(meter.figures().pauseSeconds == 0 && abs(meter.figures().stallSeconds - 2.02) < 1e-6)
        #expect(meter.lastLossGap == LossGap(start: .test(3.98), end: .test(6), lostPackets: 0))
    }

    @Test(arguments: [(0.90, 1, 0.865), (0.98, 1, 0.945), (1.00, 0, 0)])
    func `delays begin anew after more than a second without a packet`(held: Double, late: Int, lateSeconds: Double) {
        let packets = steady(0..<500).map { packet in
            var packet = packet
            packet.seconds = (2.0..<(2.0 + held)).contains(packet.seconds) ? 2.0 + held : packet.seconds
            return packet
        }
        let figures = RTPStreamMeter(packets).figures()
        #expect(abs((figures.longestGapSeconds ?? 0) - (held + 0.020)) < 1e-6)
        // One packet stalls a buffer of 35 ms; those behind it are each 20 ms less late.
        #expect(figures.buffers.lateAdaptive == late)
        #expect(abs(figures.buffers.lateSeconds - lateSeconds) < 1e-6)
        #expect(figures.jitter?.samples == (held < 1 ? 499 : 498))
    }

    @Test func `a run of losses of 0.4 s and more is time in the dark`() {
        let missing = Set(Array(50..<60) + Array(100..<350))
        let figures = RTPStreamMeter(steady((0..<500).filter { !missing.contains($0) })).figures()
        #expect(abs(figures.lossGapSeconds - 5) < 1e-6)
        #expect(figures.lastLossGap?.start == .test(1.980))
        #expect(figures.lastLossGap?.lostPackets == 250)
        #expect(figures.lastLossGap?.end == .test(7.000))
        #expect(figures.pauseSeconds == 0)
    }

    @Test func `a forgiven gap is no loss, and only one is forgiven`() {
        let numbers = Array(0..<50) + Array(52..<100) + Array(1800..<1900) + Array(2000..<2100)
        var meter = RTPStreamMeter()
        for packet in steady(numbers) {
            if packet.number == 1020 {
                meter.forgiveNextGap()
            }
            meter.take(packet)
        }
        #expect(meter.figures().counts == Counts(packets: 298, unique: 298, lost: 102, segments: 2))
        #expect(meter.figures().forgivenPackets == 1700)
    }

    @Test func `the open gap is the time since the last packet`() {
        var meter = RTPStreamMeter()
        #expect(meter.openGap(at: .test(1)) == nil)
        meter = RTPStreamMeter(steady(0..<50))
        #expect(meter.openGap(at: .test(1.98)) == 1.0)
        #expect(meter.openGap(at: .test(0)) == 0)
    }

    @Test func `a late clock starts timing without a false jump`() {
        let packets = steady(0..<200, payloadType: 96)
        var meter = RTPStreamMeter(packets.prefix(100))
        #expect(meter.figures().jitter == nil)
        #expect(meter.figures().delta != nil)
        meter.setClock(RTPClock(hertz: 8000, source: .signalled))
        for packet in packets.dropFirst(100) {
            meter.take(packet)
        }
        let figures = meter.figures()
        #expect(figures.jitter?.samples == 99)
        #expect((figures.jitter?.maximumSeconds ?? 1) < 1e-9)
        #expect((figures.plainJitter?.maximumSeconds ?? 1) < 1e-9)
    }

    @Test func `the packets of a video frame share a timestamp`() {
        var packets: [TestPacket] = []
        for frame in 0..<100 {
            for part in 0..<5 {
                packets.append(
                    TestPacket(
                        number: UInt16(frame * 5 + part), timestamp: UInt32(frame * 3000),
                        seconds: Double(frame) / 30 + Double(part) * 0.002, hasMarker: part == 4, payloadType: 96))
            }
        }
        let figures = RTPStreamMeter(packets, clock: RTPClock(hertz: 90_000, source: .signalled)).figures()
        #expect(figures.buffers.packets == 100)
        #expect(figures.buffers.late60 == 0)
        #expect(figures.delays.packets(atLeast: 0) == 0)
        #expect(figures.silenceSeconds == nil)
        #expect(abs((figures.packetSeconds ?? 0) - 1.0 / 30) < 1e-9)
        #expect(figures.jitter?.samples == 99)
    }

    @Test(arguments: [0.030, 0.105])
    func `a first packet that was overtaken is not late for the buffers`(arrival: Double) {
        var packets = steady(0..<500)
        packets[0].seconds = arrival
        let figures = RTPStreamMeter(packets.sorted { $0.seconds < $1.seconds }).figures()
        #expect(figures.counts == Counts(packets: 500, unique: 500, reordered: 1))
        #expect(figures.delays.packets == 500 && figures.delays.packets(atLeast: 0) == 0)
        #expect(figures.buffers.packets == 500 && figures.buffers.lateAdaptive == 0)
        #expect(figures.buffers.lateSeconds == 0 && figures.buffers.stretchedSeconds == 0)
    }

    @Test func `padding is counted and takes part in the order`() {
        var packets = steady(0..<50)
        packets[20].kind = .padding
        let figures = RTPStreamMeter(packets).figures()
        #expect(figures.paddingPackets == 1)
        #expect(figures.counts == Counts(packets: 50, unique: 50))
        #expect(figures.payloadBytes == 50 * 160)
    }
}
