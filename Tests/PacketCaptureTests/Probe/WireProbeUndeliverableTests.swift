import CallModel
import PacketCapture
import Testing

/// Media of which ICMP says that nobody takes them.
@Suite struct WireProbeUndeliverableTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests

    /// A packet of the caller's sound, and a receiver's report in its way.
    private static let sound: [UInt8] =
        [0x80, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0xA] + [UInt8](repeating: 0xD5, count: 160)
    private static let report: [UInt8] = [0x80, 201, 0, 1, 0, 0, 0, 0xA, 0x81, 202, 0, 1, 0, 0, 0, 0xA]

    /// The caller speaks for 20 s, and the callee sends nothing; from 2.5 s on the callee's host says every second that it does not
    /// take this, also after the caller has hung up.
    private static func call(_ payload: [UInt8] = sound, code: UInt8 = 3, quoting bytes: Int = 28) -> ProbeScript {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_000))
        for second in 2..<25 {
            script.undeliverable(
                payload, from: Calls.callerMedia, to: Calls.calleeMedia, code: code, quoting: bytes,
                at: Double(second) + 0.5)
        }
        script.hangUp(at: 21.2)
        return script
    }

    /// What the records say: of streams and of what was sent, the packets that came back; and of sound one way.
    private struct Told: Equatable {
        var ofStreams: [Int]
        var ofSound: [Int?]
        var causes: [IssueCause?]
        var evidence: [[CallIssue.Evidence]]

        init(_ ofStreams: Int, _ ofSound: Int?, _ causes: [IssueCause], _ evidence: [String: Double]) {
            self.ofStreams = [ofStreams]
            self.ofSound = [ofSound, nil]
            self.causes = causes
            self.evidence = [[.init("packetsReceived", 0)], [.init("packetsSent", 0)]]
            for (index, member) in ["audioPacketsUndeliverable", "packetsUndeliverable"].enumerated() {
                if let value = evidence[member] { self.evidence[index].append(.init(member, value)) }
            }
        }

        init(_ run: ProbeRun) throws {
            ofStreams = run.streams.map { $0.count(.packetsUndeliverable) }
            ofSound = [Calls.toCaller, Calls.toCallee].map { run.reports[$0]?.last?.audioPacketsUndeliverable }
            let issues = try [Calls.toCaller, Calls.toCallee].flatMap { record in
                try #require(run.summary(of: record)).issues.all.filter { $0.kind == .oneWayAudio }
            }
            (causes, evidence) = (issues.map(\.cause), issues.map(\.evidence))
        }
    }

    @Test func `media that come back are counted with their stream, and the likely cause of sound that goes one way`()
        throws
    {
        let run = Self.call().run()
        #expect(run.figures.rtpPackets == 1_000 && run.figures.rejectedRTPPackets == 0)
        #expect(run.figures.refused == ["ICMP error that quotes a packet": 23])
        let causes: [IssueCause] = [.destinationUnreachable, .destinationUnreachable]
        let evidence = ["audioPacketsUndeliverable": 19.0, "packetsUndeliverable": 19]
        #expect(try Told(run) == Told(19, 19, causes, evidence))
    }

    /// Sound goes both ways for 20 s, and the callee's host says every second up to `last` that it does not take the caller's.
    @Test(arguments: [(21, true), (8, false)])
    func `sound that is not taken to the end of the call is not heard`(last: Int, isUnheard: Bool) throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_000))
        script.media(Calls.back(1_000))
        for second in 2..<last {
            script.undeliverable(
                Self.sound, from: Calls.callerMedia, to: Calls.calleeMedia, quoting: 28, at: Double(second) + 0.5)
        }
        script.hangUp(at: 21.2)
        let run = script.run()
        let issues = try [Calls.toCaller, Calls.toCallee].map { try #require(run.summary(of: $0)).issues.all }
        #expect(issues[0] == [])
        #expect(issues[1].map(\.kind) == (isUnheard ? [.oneWayAudio] : []))
        #expect(issues[1].allSatisfy { $0.cause == .destinationUnreachable })
        #expect(issues[1].first?.evidence == (isUnheard ? [.init("packetsUndeliverable", 19)] : nil))
    }

    @Test(arguments: [(3, .destinationUnreachable), (4, .blockedMedia)] as [(UInt8, IssueCause)])
    func `a call that brought its end nothing has the same cause`(code: UInt8, cause: IssueCause) throws {
        let summary = try #require(Self.call(code: code).run().summary(of: Calls.toCaller))
        let issue = try #require(summary.issues.all.first { $0.kind == .neverConnected })
        let undeliverable = CallIssue.Evidence("audioPacketsUndeliverable", 19)
        #expect(issue.cause == cause)
        #expect(
            issue.evidence == [.init("packetsReceived", 0)] + (cause == .destinationUnreachable ? [undeliverable] : []))
    }

    @Test func `an error that quotes no more than the ports tells of the call`() throws {
        let causes: [IssueCause] = [.destinationUnreachable, .nothingSent]
        let told = try Told(Self.call(quoting: 8).run())
        #expect(told == Told(-1, 19, causes, ["audioPacketsUndeliverable": 19]))
    }

    /// A host that takes no RTCP, and a way on which packets are to be fragmented.
    @Test(arguments: [(report, 3), (sound, 4)] as [([UInt8], UInt8)])
    func `other errors say nothing of media`(payload: [UInt8], code: UInt8) throws {
        let told = try Told(Self.call(payload, code: code).run())
        #expect(told == Told(-1, nil, [.farEndSendsNothing, .nothingSent], [:]))
    }

    @Test func `a place at which nobody listened at first is no cause of what comes later`() throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(2_000))
        script.media(Calls.back(250))
        script.undeliverable(Self.sound, from: Calls.callerMedia, to: Calls.calleeMedia, at: 1.2)
        script.hangUp(at: 41.2)
        let told = try Told(script.run())
        #expect(told.ofSound == [1, nil] && told.causes == [.farEndSendsNothing, .nothingSent])
    }
}
