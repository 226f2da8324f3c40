import CallModel
import PacketCapture
import TestSupport
import Testing

/// What a probe makes of real captures whose story is known.
@Suite(SharedData.required) struct WireProbeRecordingTests {
    typealias Calls = WireProbeCallTests

    private func sip(_ name: String) throws -> ProbeRun {
        try ProbeRun(SharedData.url("sip/\(name)"))
    }

    @Test func `the same SSRC both ways over the loopback is a stream an end`() throws {
        let run = try sip("s1-loopback-clean.pcap")
        let words = Calls.words(run).mapValues { $0.filter { $0.hasPrefix("3739283087") } }
        #expect(
            words == [
                "1-18402@127.0.0.1/wire:caller": ["3739283087 236 lost 0 repeated 0 twice 0"],
                "1-18402@127.0.0.1/wire:callee": ["3739283087 236 lost 0 repeated 0 twice 0"],
            ])
    }

    @Test func `telephone events are counted, and are no codec of their own`() throws {
        let run = try sip("s1-loopback-clean.pcap")
        let events = try #require(run.streams.first { $0.ssrc == 235_223_118 })
        #expect(events.count(.telephoneEvents) == 1)
        #expect(events.count(.telephoneEventPackets) == 8)
        #expect(events.repeated == 2)
        #expect(events.codec != "audio/PCMU")
    }

    @Test func `sound that goes one way only shows at the end that hears nothing`() throws {
        // 7.5 s after the call began the callee's packets no longer reach the caller.
        let run = try sip("s9-baresip-oneway-audio.caller.pcap.gz")
        let record = try #require(run.records.first { $0.observer.rawValue == "wire:caller" })
        let reports = try #require(run.reports[record])
        let received = reports.compactMap { $0.streams.first?.count(.packetsReceived) }
        #expect(received.suffix(5) == [374, 374, 374, 374, 374])
        let outages = reports.compactMap { $0.streams.first?[.outageSeconds] }
        #expect(outages == outages.sorted())
        // The caller hangs up 29.06 s after the call began; that no one answers its BYE keeps no one listening.
        #expect(outages.last.map { abs($0 - 21.557) < 0.002 } == true)
        #expect(reports.last?.streams.first?.lastOutage?.end == nil)
        // At the callee's end all is well: the same call, seen there.
        let there = try sip("s9-baresip-oneway-audio.callee.pcap")
        #expect(there.streams.map { $0[.outageSeconds] } == [0, 0])
    }

    @Test func `an end that never hears anything has a record without a stream, and its own packets grow`() {
        var script = ProbeScript()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_000))
        script.hangUp(at: 21.2)
        let reports = script.run().reports[Calls.toCaller] ?? []
        #expect(reports.map(\.streams.count) == [0, 0, 0, 0, 0])
        let sent = reports.compactMap(\.audioPacketsSent)
        #expect(sent.count == 5)
        #expect(sent == sent.sorted() && sent.first.map { $0 > 100 } == true && sent.last == 1_000)
    }

    @Test func `an outage is placed where the path was down`() throws {
        let log = try WireLog(recording: "10-outage5s")
        let down = try #require(log.downtimes.first)
        let downEnd = try #require(down.end)
        let run = try ProbeRun(SharedData.url("calls/10-outage5s/B.pcap"))
        let stream = try #require(run.streams.first { $0.ssrc == 2_723_111_543 })
        let outage = try #require(stream.lastOutage)
        let end = try #require(outage.end)
        // The last packet before and the first after, 20 ms on the way and up to 20 ms apart.
        #expect((0...45).contains(outage.start.milliseconds - down.start.milliseconds + 25))
        #expect((0...65).contains(end.milliseconds - downEnd.milliseconds))
        #expect(stream[.outageSeconds].map { abs($0 - 5) < 0.03 } == true)
        #expect(stream.count(.packetsLostInOutages) == 250)
        // The end that sent them lost none, and its capture shows no outage.
        let sent = try #require(run.streams.first { $0.ssrc == 1_578_345_266 })
        #expect(sent[.outageSeconds] == 0)
        #expect(sent.lastOutage == nil)
        // Every report within the outage says so by then, to the second.
        let record = try #require(
            run.records.first { record in
                run.reports[record]?.last?.streams.contains { $0.ssrc == 2_723_111_543 } == true
            })
        for report in run.reports[record] ?? [] {
            guard let stream = report.streams.first(where: { $0.ssrc == 2_723_111_543 }) else { continue }
            let gone = min(max(0, report.time.milliseconds - outage.start.milliseconds), 5_020)
            #expect(abs((stream[.outageSeconds] ?? 0) - Double(gone) / 1000) < 0.05, "\(report.time)")
        }
    }

    @Test func `muting and holding in a recorded call are no outage`() throws {
        let run = try ProbeRun(SharedData.url("calls/29-mute-hold/B.pcap.gz"))
        for stream in run.streams where stream.kind == .audio && stream.role == .primary {
            #expect(stream[.outageSeconds] == 0, "\(stream.id)")
            #expect(stream.count(.packetsLost) == 0, "\(stream.id)")
        }
    }

    @Test(arguments: ["hdiniz-sample1_ipv4_amr-nb.pcap": 969, "ndpi-skinny.pcap": 34])
    func `what a capture recorded twice is not the network's doing`(name: String, repeated: Int) throws {
        let run = try ProbeRun(CaptureTruth.capture(name))
        #expect(run.streams.reduce(0) { $0 + $1.count(.packetsRecordedTwice) } == repeated)
        #expect(run.streams.reduce(0) { $0 + $1.count(.packetsDuplicated) } == 0)
        #expect(run.lastReports.reduce(0) { $0 + $1.report.sensor.packetsRecordedTwice } == repeated)
    }

    @Test func `what the network repeats is not the capture's doing`() throws {
        let run = try ProbeRun(SharedData.url("calls/15-dup5/B.pcap.gz"))
        #expect(run.streams.reduce(0) { $0 + $1.count(.packetsRecordedTwice) } == 0)
        #expect(run.streams.reduce(0) { $0 + $1.count(.packetsDuplicated) } > 200)
    }

    @Test func `connections of one page that stall together are no hole of the capture`() throws {
        let run = try ProbeRun(SharedData.url("calls/46-onepage/lo.pcap.gz"))
        #expect(run.figures.holes == 0)
        #expect(run.lastReports.allSatisfy { !$0.report.sensor.isDoubtful })
    }

    @Test(arguments: OwnCapture.all)
    func `no recording of ours has a hole, and no counter runs backwards`(capture: OwnCapture) throws {
        let run = try ProbeRun(capture.url)
        #expect(run.figures.holes == 0)
        for (record, reports) in run.reports {
            #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.time < $1.time }, "\(record)")
            var before: [String: ReportedStream] = [:]
            for stream in reports.flatMap(\.streams) {
                for figure in Self.cumulative {
                    let last = before[stream.id]?[figure] ?? 0
                    #expect((stream[figure] ?? 0) >= last - 1e-6, "\(record) \(stream.id) \(figure)")
                }
                before[stream.id] = stream
            }
        }
    }

    private static let cumulative: [WireFigure] = [
        .packetsReceived, .packetsDuplicated, .packetsReordered, .bytesReceived, .outageSeconds, .pauseSeconds,
        .packetsDiscarded, .jitterBufferEmittedCount, .telephoneEvents,
    ]
}
