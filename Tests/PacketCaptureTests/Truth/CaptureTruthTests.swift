import CallModel
import PacketCapture
import TestSupport
import Testing

/// Every capture of the shared data against what independent arithmetic found in it.
@Suite(SharedData.required) struct CaptureTruthTests {
    @Test(arguments: CaptureTruth.names)
    func `a capture is read as the reference reads it, or otherwise by a rule`(name: String) throws {
        let truth = try CaptureTruth(name)
        let run = try ProbeRun(truth.url)
        let found = try StreamDifference.all(between: truth, and: run).map(\.description)
        #expect(found == (ExpectedDifference.all[name] ?? []).map(\.difference).sorted())
        // Each packet of a stream is counted once: as one of the stream's figures, and in the probe's own sum.
        #expect(run.streams.reduce(0) { $0 + $1.packets } == run.figures.rtpPackets)
        #expect(run.streams.count == run.figures.streams)
        for stream in run.streams {
            #expect(stream.lossRuns.reduce(0, +) <= stream.count(.packetsLost))
            #expect((stream[.burstDensity] ?? 0) <= 1 && (stream[.gapDensity] ?? 0) <= 1)
        }
    }

    @Test func `no capture and no expected difference is left out`() throws {
        #expect(CaptureTruth.names.count >= 102)
        #expect(Set(ExpectedDifference.all.keys).isSubset(of: CaptureTruth.names))
    }

    @Test func `where there is no RTP no stream is found`() throws {
        let silent = try CaptureTruth.names.filter { try CaptureTruth($0).streams.isEmpty }
        #expect(silent.count >= 28)
        for name in silent {
            #expect(try ProbeRun(CaptureTruth.capture(name)).streams.map(\.id) == [], "\(name)")
        }
    }

    @Test func `the figures that rtpproxy's authors stored are met`() throws {
        let rows = try ProxyOracle.rows()
        #expect(rows.count >= 14)
        for row in rows {
            let run = try ProbeRun(CaptureTruth.capture(row.file))
            let stream = try #require(run.streams.first { $0.ssrc == row.ssrc }, "\(row.file)")
            let counts = ["unique": row.unique, "lost": row.lost, "duplicates": row.duplicates]
            let found = [
                "unique": stream.count(.packetsReceived), "lost": stream.count(.packetsLost),
                "duplicates": stream.repeated,
            ]
            #expect(found == ProxyDifference.counts[row.file] ?? counts, "\(row.file)")
            guard !ProxyDifference.jitter.contains(row.file), let clock = stream.clockRate else { continue }
            // Theirs is one of our two, depending on the capture; in ticks, to 0.02 ms.
            let tolerance = 0.02 * Double(clock) / 1000
            let ours = [stream[.maximumJitter], stream[.maximumPlainJitter]].map { ($0 ?? 0) * Double(clock) }
            #expect(
                ours.contains { abs($0 - row.maximumJitter) <= tolerance }, "\(row.file): \(ours), \(row.maximumJitter)"
            )
        }
    }
}

/// Where rtpproxy itself counts otherwise.
enum ProxyDifference {
    /// It takes an RTCP sender report on the media port for RTP (RFC 5761 §4: the second byte tells them apart): one
    /// packet more, and three changes of SSRC that hide a lost one.
    static let counts = ["rtpproxy-rtcp.o.pcap": ["unique": 229, "lost": 1, "duplicates": 0]]
    /// rtcp.o: see there. c1.a: it cuts arrival times to whole ticks (RFC 3550 A.8 uses the clock's full precision).
    static let jitter: Set = ["rtpproxy-rtcp.o.pcap", "rtpproxy-c1.a.rtp.pcap"]
}
