import CallModel
import Testing

/// What the record of an end says that sends nothing until the call ends.
@Suite struct WireProbeOwnSilenceTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests

    /// How an end tells that it is silent.
    enum Sign: Sendable, Hashable {
        case none
        /// Comfort noise (RFC 3389) after the last word.
        case comfortNoise
        /// Sender's reports every so many seconds, whose count stands still, or goes on.
        case reports(every: Int, countOn: Bool)
        /// A receiver's report alone (RFC 3550 §6.4), 3 s after the last packet.
        case receiverReport
    }

    /// The callee speaks until 10.1 s, of a call that ends at 40.2 s; the caller all the time.
    private static func call(_ sign: Sign) -> ProbeScript {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_950))
        script.media(Calls.back(450))
        let (from, to) = (Calls.calleeMedia, Calls.callerMedia)
        switch sign {
        case .none: break
        case .comfortNoise:
            script.udp([0x80, 13, 5, 0xAA, 0, 1, 0x19, 0x40, 0, 0, 0, 0xB, 60], from: from, to: to, at: 10.1)
        case .reports(let seconds, let countsOn):
            for second in stride(from: 4, to: 40, by: seconds) {
                let sent = countsOn ? (second - 1) * 50 : min(450, (second - 1) * 50)
                script.udp(report(UInt16(sent)), from: from, to: to, at: Double(second) + 0.11)
            }
        case .receiverReport:
            script.udp(report(150), from: from, to: to, at: 4.11)
            script.udp([0x80, 201, 0, 1, 0, 0, 0, 0xB], from: from, to: to, at: 13.1)
        }
        script.hangUp(at: 40.2)
        return script
    }

    private static func report(_ packets: UInt16) -> [UInt8] {
        [0x80, 200, 0, 6, 0, 0, 0, 0xB] + [UInt8](repeating: 1, count: 12)
            + [0, 0, UInt8(packets >> 8), UInt8(packets & 0xFF), 0, 0, 0, 0]
    }

    @Test(arguments: [
        Sign.comfortNoise, .reports(every: 5, countOn: false), .reports(every: 22, countOn: false), .receiverReport,
    ])
    func `who tells that it sends nothing has no sound that goes one way`(sign: Sign) throws {
        let run = Self.call(sign).run()
        let summaries = try [Calls.toCaller, Calls.toCallee].map { try #require(run.summary(of: $0)) }
        #expect(summaries.map { $0.issues.all.map(\.kind) } == [[], []])
        #expect(summaries.map(\.isOneWay) == [false, false])
        #expect(run.reports[Calls.toCallee]?.last?.isAudioDue == false)
        #expect(run.reports[Calls.toCallee]?.first?.isAudioDue == true)
        #expect(run.reports[Calls.toCaller]?.map(\.isAudioDue).contains(false) == false)
    }

    @Test(arguments: [Sign.none, .reports(every: 5, countOn: true)])
    func `who does not, or counts on, sent what nobody heard`(sign: Sign) throws {
        let run = Self.call(sign).run()
        let own = try #require(run.summary(of: Calls.toCallee))
        #expect(own.issues.all.map(\.kind) == [.oneWayAudio] && own.issues.all.map(\.cause) == [.nothingSent])
        #expect(run.reports[Calls.toCallee]?.map(\.isAudioDue).contains(false) == false)
    }
}
