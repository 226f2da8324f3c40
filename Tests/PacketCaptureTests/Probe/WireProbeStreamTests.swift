import CallModel
import PacketCapture
import RTPMeter
import TestSupport
import Testing

/// How a probe tells streams apart, and what it counts of them.
@Suite struct WireProbeStreamTests {
    typealias Script = ProbeScript
    typealias Calls = WireProbeCallTests

    static let there = Script.Place(0xC000_0201, 4_000)
    static let here = Script.Place(0xC633_6402, 6_000)

    private func words(_ script: Script) -> [String] {
        script.run().streams.map(Calls.words).sorted()
    }

    /// Just before each second a packet is missing: it comes 50 ms later, or it does not.
    @Test(arguments: [true, false])
    func `a packet that was overtaken at a snapshot was never lost`(comes: Bool) throws {
        var media = Script.Media(ssrc: 1, from: Self.there, to: Self.here, packets: 1_000)
        media.lost = Set(stride(from: 48, to: 1_000, by: 50))
        var script = Script()
        script.media(media)
        for number in media.lost where comes || number == 48 {
            let start = Double(number) * media.interval + 0.05
            script.media(
                Script.Media(ssrc: 1, from: Self.there, to: Self.here, start: start, packets: 1, skip: number))
        }
        let reports = try #require(script.run().reports.values.first)
        let counts = reports.flatMap { report in report.streams.map { $0.count(.packetsLost) } }
        #expect(counts == (comes ? [0, 0, 0, 0, 0] : [3, 8, 13, 19]))
    }

    /// The probe tells of the stream at every fifth second.
    @Test(arguments: [50, 100, 150, 200, 250])
    func `what is still waited for when a stream ends is lost`(packets: Int) {
        var media = Script.Media(ssrc: 1, from: Self.there, to: Self.here, packets: packets)
        media.lost = [5, packets - 3]
        var script = Script()
        script.media(media)
        script.media(Script.Media(ssrc: 1, from: Self.there, to: Self.here, start: 0.15, packets: 1, skip: 5))
        // The capture goes on.
        script.media(Script.Media(ssrc: 2, from: Script.caller, to: Script.callee, packets: 500))
        #expect(words(script).first == "1 \(packets - 1) lost 1 repeated 0 twice 0")
    }

    @Test func `datagrams of nothing that is read are counted`() {
        var script = Script()
        script.media(Script.Media(ssrc: 1, from: Script.caller, to: Script.callee))
        for index in 0..<7 {
            script.udp([0xF0, UInt8(index), 3, 4], from: Script.caller, to: Script.callee, at: Double(index))
        }
        #expect(script.run().figures.otherPackets == ["other UDP": 7])
    }

    @Test func `three packets in a row are a stream, two are none`() {
        var script = Script()
        script.media(Script.Media(ssrc: 1, from: Self.there, to: Self.here, packets: 2))
        script.media(Script.Media(ssrc: 2, from: Self.there, to: Self.here, packets: 3))
        let run = script.run()
        #expect(run.streams.map(Calls.words) == ["2 3 lost 0 repeated 0 twice 0"])
        #expect(run.figures.rejectedRTPPackets == 2)
    }

    @Test func `packets that are no stream are all told, also where a stream begins behind them`() {
        var script = Script()
        let media = Script.Media(ssrc: 1, from: Self.there, to: Self.here, packets: 2_000)
        var even = media
        even.lost = Set(stride(from: 1, to: 2_000, by: 2))
        script.media(even)
        var later = even
        later.ssrc = 2
        later.lost = even.lost.filter { $0 < 1_990 }
        script.media(later)
        let figures = script.run().figures
        #expect(figures.rtpPackets + figures.rejectedRTPPackets == 1_000 + 1_005)
        #expect(figures.rejectedRTPPackets >= 1_900)
    }

    @Test func `a sender that goes on with a dynamic payload type has its clock found anew`() throws {
        var script = Script()
        let media = Script.Media(ssrc: 1, from: Self.there, to: Self.here, packets: 500)
        script.media(media)
        var wide = media
        (wide.start, wide.firstNumber, wide.firstTime) = (10, 1_500, 999_999)
        (wide.payloadType, wide.ticks, wide.payloadBytes) = (96, 960, 80)
        script.media(wide)
        let stream = try #require(script.run().streams.last)
        #expect(stream.payloadType == 96 && stream.clockRate == 48_000 && stream.clockOrigin == .inferred)
        #expect(stream.kind == .audio)
    }

    @Test func `a stream without a pace whose packets carry markers is one of pictures`() throws {
        var script = Script()
        var media = Script.Media(ssrc: 1, from: Self.there, to: Self.here, packets: 298)
        // All at once, each with the marker.
        (media.payloadType, media.interval, media.ticks, media.payloadBytes) = (0x80 | 126, 2e-6, 9_000, 300)
        script.media(media)
        let stream = try #require(script.run().streams.last)
        #expect(stream.kind == .video && stream.clockRate == nil)
    }

    @Test func `the last packet counts, also when it comes in the very instant of a snapshot`() {
        var script = Script()
        script.media(Script.Media(ssrc: 1, from: Self.there, to: Self.here, packets: 251))
        #expect(words(script) == ["1 251 lost 0 repeated 0 twice 0"])
    }

    @Test(arguments: [0.0002, 0.0009, 0.004])
    func `the last packet counts in a report of its own, also within a millisecond of a snapshot`(later: Double) throws
    {
        var script = Script()
        script.media(Script.Media(ssrc: 1, from: Self.there, to: Self.here, packets: 250))
        script.media(Script.Media(ssrc: 1, from: Self.there, to: Self.here, start: 5 + later, packets: 1, skip: 250))
        let reports = try #require(script.run().reports.values.first)
        let last: Int64 = later < 0.001 ? 5_001 : 5_004
        #expect(reports.map { $0.time.milliseconds - Script.epoch / 1_000_000 } == [5_000, last])
        #expect(reports.flatMap(\.streams).map { $0.count(.packetsReceived) } == [250, 251])
    }

    @Test(arguments: [53, 69, 123, 137, 500] as [UInt16])
    func `to the port of a service whose packets look like RTP no stream goes`(port: UInt16) {
        var script = Script()
        script.media(Script.Media(ssrc: 1, from: Self.there, to: Script.Place(Self.here.address, port)))
        let run = script.run()
        #expect(run.streams.map(Calls.words) == [])
        #expect(run.figures.rejectedRTPPackets == 50)
    }

    @Test(arguments: [443, 900, 1_023] as [UInt16]) func `media of both ways use any other port`(port: UInt16) {
        let server = Script.Place(Self.here.address, port)
        var script = Script()
        script.media(Script.Media(ssrc: 1, from: Self.there, to: server))
        script.media(Script.Media(ssrc: 2, from: server, to: Self.there))
        #expect(words(script) == ["1 50 lost 0 repeated 0 twice 0", "2 50 lost 0 repeated 0 twice 0"])
    }

    @Test func `media go to the port of a service where signalling expects them, or others come from there`() {
        var script = Script()
        let port = Script.Place(Script.callee.address, 53)
        script.setUp(offer: Calls.offer, answer: SIPScript.audio(53, address: Script.callee.text))
        var media = Calls.forth()
        media.to = port
        script.media(media)
        script.hangUp(at: 10.2)
        let (client, server) = (Script.Place(0xC000_0209, 4_000), Script.Place(0xC633_6409, 500))
        script.media(Script.Media(ssrc: 2, from: server, to: client))
        script.media(Script.Media(ssrc: 1, from: client, to: server, start: 0.5))
        #expect(
            words(script) == [
                "1 50 lost 0 repeated 0 twice 0", "10 450 lost 0 repeated 0 twice 0", "2 50 lost 0 repeated 0 twice 0",
            ])
    }

    @Test func `a stream that goes on from another port is one, with its losses`() {
        var script = Script()
        script.media(Script.Media(ssrc: 1, from: Self.there, to: Self.here, packets: 100))
        var moved = Script.Media(
            ssrc: 1, from: Script.Place(Self.there.address, 4_002), to: Self.here, start: 2, packets: 100)
        moved.skip = 100
        moved.lost = [30, 31, 60]
        moved.repeated = [50]
        script.media(moved)
        #expect(words(script) == ["1 197 lost 3 repeated 1 twice 0"])
    }

    @Test func `two senders with one SSRC are two streams, also when the call takes them over later`() {
        var script = Script()
        let fork = Script.Place(0xC633_6409, 7_000)
        var one = Calls.back(550, start: 0.1)
        var other = one
        other.from = fork
        one.firstNumber = 30_000
        script.media(one)
        script.media(other)
        script.setUp(at: 2.5, offer: Calls.offer, answer: Calls.answer)
        script.hangUp(at: 11.5)
        #expect(words(script) == ["11 550 lost 0 repeated 0 twice 0", "11#2 550 lost 0 repeated 0 twice 0"])
    }

    @Test func `a capture that records each packet twice is at fault, not the network`() throws {
        var script = Script()
        var media = Script.Media(ssrc: 1, from: Self.there, to: Self.here, packets: 300)
        media.repeated = Set(0..<300)
        media.lost = [7, 8]
        script.media(media)
        let report = try #require(script.run().lastReports.first { !$0.report.streams.isEmpty }?.report)
        #expect(report.streams.map(Calls.words) == ["1 298 lost 2 repeated 0 twice 298"])
        #expect(report.sensor.packetsRecordedTwice == 298)
    }

    @Test(arguments: [(96, 97), (45, 46)] as [(UInt8, UInt8)])
    func `where the main stream shares its time stamps, the smaller one repeats it`(main: UInt8, again: UInt8) {
        var script = Script()
        // Probes come first, before the picture does.
        var probes = Script.Media(ssrc: 1, from: Self.there, to: Self.here, packets: 20)
        (probes.payloadType, probes.interval, probes.ticks, probes.payloadBytes) = (again, 0.033, 2_970, 1_000)
        var picture = probes
        (picture.ssrc, picture.payloadType, picture.packets, picture.start) = (2, main, 600, 0.1)
        script.media(probes)
        script.media(picture)
        let roles = script.run().streams.map { "\($0.ssrc) \($0.role)" }.sorted()
        #expect(roles == ["1 retransmission", "2 primary"])
    }

    // MARK: Holes of the capture

    /// Calls between hosts of their own, both ways; `lost` do not come in any of them.
    private func calls(_ count: UInt32, lost: Set<Int>, onlyCall: UInt32? = nil) -> Script {
        var script = Script()
        for call in 0..<count {
            let one = Script.Place(0x0A00_0001 + call << 8, 4_000)
            let other = Script.Place(0x0A80_0001 + call << 8, 6_000)
            let start = Double(call) * 0.003
            for (ssrc, from, to) in [(2 * call + 1, one, other), (2 * call + 2, other, one)] {
                var media = Script.Media(ssrc: ssrc, from: from, to: to, start: start, packets: 500)
                if onlyCall.map({ $0 == call }) ?? true { media.lost = lost }
                script.media(media)
            }
        }
        return script
    }

    @Test func `when nothing at all comes of many calls, the capture has a hole`() throws {
        let run = calls(4, lost: Set(300..<325)).run()
        #expect(run.figures.holes == 1)
        #expect(run.streams.map { $0.count(.packetsLost) } == Array(repeating: 0, count: 8))
        #expect(run.streams.map { $0.count(.packetsMissedByCapture) } == Array(repeating: 25, count: 8))
        for (_, report) in run.lastReports {
            let hole = try #require(report.sensor.holes.first)
            #expect(report.sensor.holes.count == 1)
            #expect(report.sensor.isDoubtful)
            let begin = Script.epoch / 1_000_000
            #expect(abs(hole.start.milliseconds - begin - 5_989) <= 1)
            #expect((hole.end?.milliseconds).map { abs($0 - begin - 6_500) <= 1 } == true)
        }
    }

    @Test(arguments: [300..<365, 310..<375, 310..<405, 335..<430, 330..<445, 340..<450])
    func `what a hole of more than a second has missed is not lost either`(_ hole: Range<Int>) {
        let run = calls(4, lost: Set(hole)).run()
        #expect(run.figures.holes == 1)
        #expect(run.streams.map { $0.count(.packetsLost) } == Array(repeating: 0, count: 8))
        #expect(run.streams.map { $0.count(.packetsMissedByCapture) } == Array(repeating: hole.count, count: 8))
    }

    @Test func `frames that are recorded behind others by more than a second are counted`() {
        var later = Script()
        later.media(Script.Media(ssrc: 1, from: Self.there, to: Self.here, start: 10, packets: 100))
        var earlier = Script()
        earlier.media(Script.Media(ssrc: 2, from: Self.there, to: Self.here, start: 11, packets: 40))
        var probe = WireProbe(linkType: .ethernet)
        later.play(into: &probe)
        earlier.play(into: &probe)
        #expect(probe.figures.framesOutOfOrder == 0)
        earlier.media(Script.Media(ssrc: 3, from: Self.there, to: Self.here, start: 8, packets: 40))
        earlier.play(into: &probe)
        #expect(probe.figures.framesOutOfOrder == 40)
    }

    @Test func `each hole of the capture is one, and so is what it missed`() {
        let run = calls(4, lost: Set(300..<325).union(400..<425)).run()
        #expect(run.figures.holes == 2)
        #expect(run.streams.map { $0.count(.packetsLost) } == Array(repeating: 0, count: 8))
        #expect(run.streams.map { $0.count(.packetsMissedByCapture) } == Array(repeating: 50, count: 8))
        #expect(run.lastReports.allSatisfy { $0.report.sensor.holes.count == 2 })
    }

    @Test func `what a sender left out at another time than that of the hole is none of the capture's`() throws {
        var script = calls(4, lost: Set(300..<325))
        // One sender stops for 2.5 s and numbers on elsewhere.
        var resumed = Script.Media(
            ssrc: 1, from: Script.Place(0x0A00_0001, 4_000), to: Script.Place(0x0A80_0001, 6_000), start: 12.5,
            packets: 100)
        resumed.skip = 530
        script.media(resumed)
        let run = script.run()
        #expect(run.figures.holes == 1)
        let stream = try #require(run.streams.first { $0.ssrc == 1 })
        #expect(stream.count(.packetsMissedByCapture) == 25 && stream.count(.packetsSkipped) == 30)
        #expect(run.streams.filter { $0.ssrc != 1 }.allSatisfy { $0[.packetsSkipped] == nil })
    }

    @Test func `when one call of many stands still, the network has lost its packets`() {
        let run = calls(4, lost: Set(300..<325), onlyCall: 1).run()
        #expect(run.figures.holes == 0)
        #expect(run.streams.map { $0.count(.packetsLost) }.sorted() == [0, 0, 0, 0, 0, 0, 25, 25])
    }

    @Test func `when all pause and no number is missing, nothing was missed`() {
        var script = Script()
        for call in 0..<UInt32(4) {
            let one = Script.Place(0x0A00_0001 + call << 8, 4_000)
            let other = Script.Place(0x0A80_0001 + call << 8, 6_000)
            var media = Script.Media(ssrc: call + 1, from: one, to: other, packets: 300, interval: 0.01, ticks: 80)
            script.media(media)
            (media.start, media.skip) = (3.3, 300)
            script.media(media)
        }
        let run = script.run()
        #expect(run.streams.map { $0.count(.packetsLost) } == [0, 0, 0, 0])
        #expect(run.figures.holes == 0)
    }

    // MARK: What holds for any network

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `counts are those of all numbers kept, whatever the network does`(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let first = UInt16.random(in: .min ... .max, using: &random)
        let arrivals = Self.arrivals(of: 600, using: &random)
        var script = Script()
        for (place, index) in arrivals.enumerated() {
            script.media(
                Script.Media(
                    ssrc: 9, from: Self.there, to: Self.here, start: Double(place) * 0.02, packets: 1,
                    firstNumber: first, skip: index))
        }
        let expected = PlainCounts(arrivals.map { first &+ UInt16(truncatingIfNeeded: $0) })
        #expect(script.run().streams.map { PlainCounts($0) } == [expected], "seed \(seed)")
    }

    /// Packets 0..<count in the order in which they come: some lost, some late by up to 60, some again.
    private static func arrivals(of count: Int, using random: inout RandomSource) -> [Int] {
        let loss = Double.random(in: 0...0.4, using: &random)
        let late = Double.random(in: 0...0.2, using: &random)
        var coming: [(place: Int, index: Int)] = []
        for index in 0..<count {
            // The first few in order, so that there is no doubt that it is a stream.
            guard index > 3 else {
                coming.append((index, index))
                continue
            }
            guard Double.random(in: 0..<1, using: &random) >= loss else { continue }
            let delay = Double.random(in: 0..<1, using: &random) < late ? Int.random(in: 1...60, using: &random) : 0
            coming.append((index + delay, index))
            if Double.random(in: 0..<1, using: &random) < 0.05 { coming.append((index + delay + 3, index)) }
        }
        return coming.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            .map(\.element.index)
    }
}
