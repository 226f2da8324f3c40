import CallModel
import PacketCapture
import Testing

/// What is said of calls of which a capture, by its place or its filter, sees one direction or no media: nothing that blames
/// the network.
@Suite struct WireProbeUnseenTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests

    /// What is concluded of both ends, the caller first.
    private struct Verdict: Hashable {
        var outcomes: [CallOutcome]
        var unseen: [UnseenMedia?]
        var issues: [[IssueKind]] = [[], []]
        var isOneWay: [Bool?] = [nil, nil]

        init(_ script: ProbeScript) throws {
            let run = script.run()
            let summaries = try [Calls.toCaller, Calls.toCallee].map { try #require(run.summary(of: $0)) }
            outcomes = summaries.map(\.outcome)
            unseen = summaries.map { $0.sensor?.unseenMedia }
            issues = summaries.map { $0.issues.all.map(\.kind) }
            isOneWay = summaries.map(\.isOneWay)
        }

        init(_ outcomes: [CallOutcome], _ unseen: UnseenMedia) {
            self.outcomes = outcomes
            self.unseen = [unseen, unseen]
        }
    }

    /// A call of half a minute with sound both ways.
    private static func call() -> ProbeScript {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_450))
        script.media(Calls.back(1_450))
        script.hangUp(at: 30.2)
        return script
    }

    /// A receiver's report of so many packets of a source (RFC 3550 §6.4.2).
    private static func receiverReport(by receiver: UInt8, of source: UInt8, highest: UInt8) -> [UInt8] {
        [0x81, 201, 0, 7, 0, 0, 0, receiver] + [0, 0, 0, source] + [0, 0, 0, 0] + [0, 0, 0, highest]
            + [UInt8](repeating: 0, count: 12)
    }

    @Test(arguments: [
        (Script.caller, [CallOutcome.unknown, .connected]), (Script.callee, [.connected, .connected]),
    ])
    func `of a call whose packets were seen one way only, the other way is not called blocked`(
        seen: ProbeScript.Place, outcomes: [CallOutcome]
    ) throws {
        var script = Self.call()
        script.keep { address, _ in address == seen.address }
        #expect(try Verdict(script) == Verdict(outcomes, .oneDirection))
    }

    @Test func `sound that RTCP reports on was there, if the capture has none of it`() throws {
        var script = Self.call()
        script.keep { address, payload in address == Script.caller.address || payload.first != 0x80 }
        for second in [5, 10, 15, 20, 25] {
            script.udp(
                Self.receiverReport(by: 0xA, of: 0xB, highest: UInt8(second)), from: Calls.callerMedia,
                to: Calls.calleeMedia, at: Double(second))
        }
        #expect(try Verdict(script) == Verdict([.connected, .connected], .oneDirection))
    }

    @Test func `one of several sources that RTCP reports on is enough`() throws {
        var script = Self.call()
        script.keep { address, payload in address == Script.caller.address || payload.first != 0x80 }
        for second in [5, 10, 15, 20, 25] {
            let first = Self.receiverReport(by: 0xA, of: 0xB, highest: UInt8(second))
            let blocks = first[8...] + [0, 0, 0, 0xC] + first[12...]
            script.udp(
                [0x82, 201, 0, 13, 0, 0, 0, 0xA] + blocks, from: Calls.callerMedia, to: Calls.calleeMedia,
                at: Double(second))
        }
        #expect(try Verdict(script) == Verdict([.connected, .connected], .oneDirection))
    }

    /// A call of which the capture has no media, and reports of these ends on what they receive, to ports that are so much
    /// higher; the numbers go on or do not.
    private static func mute(reportedBy ends: [UInt8], higher: UInt16 = 0, isFlowing: Bool = true) -> ProbeScript {
        var script = call()
        script.keep { _, payload in payload.first != 0x80 }
        script.mediaOfOthers()
        let places = [0xA: Calls.callerMedia, 0xB: Calls.calleeMedia].mapValues {
            Script.Place($0.address, $0.port + higher)
        }
        for second in [5, 10, 15, 20, 25] {
            for end in ends {
                let other: UInt8 = end == 0xA ? 0xB : 0xA
                guard let from = places[Int(end)], let to = places[Int(other)] else { continue }
                let report = receiverReport(by: end, of: other, highest: isFlowing ? UInt8(second) : 5)
                script.udp(report, from: from, to: to, at: Double(second))
            }
        }
        return script
    }

    @Test(
        arguments: [
            ([0xA, 0xB], 0, .all), ([0xA, 0xB], 1, .all), ([0xA], 0, .oneDirection), ([0xB], 1, .oneDirection),
        ] as [([UInt8], UInt16, UnseenMedia)])
    func `media of which only RTCP tells were there`(ends: [UInt8], higher: UInt16, unseen: UnseenMedia) throws {
        #expect(try Verdict(Self.mute(reportedBy: ends, higher: higher)) == Verdict([.unknown, .unknown], unseen))
    }

    @Test func `reports on packets that do not come say nothing of media`() throws {
        let verdict = try Verdict(Self.mute(reportedBy: [0xA, 0xB], isFlowing: false))
        #expect(verdict.unseen == [nil, nil] && verdict.outcomes == [.notConnected, .notConnected])
        #expect(verdict.issues == [[.neverConnected], [.neverConnected]])
    }

    @Test func `early media of a call whose INVITE passed elsewhere and that was refused is no connection`() throws {
        var script = Script()
        let tags = ("caller-tag", String?.some("callee-tag"))
        for (time, start) in [(0, "SIP/2.0 183 Progress"), (8_000, "SIP/2.0 486 Busy Here")] {
            script.sip(
                .init(
                    milliseconds: Int64(time), start: start, sequence: "1 INVITE", tags: tags,
                    sdp: time == 0 ? Calls.answer : nil, isFromCallee: true))
        }
        script.media(Calls.back(300, start: 0.5))
        #expect(try Verdict(script).outcomes == [.notAnswered, .notAnswered])
    }

    @Test func `sound that RTCP reports on and that does not go on went one way`() throws {
        var script = Self.call()
        script.keep { address, payload in address == Script.caller.address || payload.first != 0x80 }
        for second in [5, 10, 15, 20, 25] {
            script.udp(
                Self.receiverReport(by: 0xA, of: 0xB, highest: 7), from: Calls.callerMedia, to: Calls.calleeMedia,
                at: Double(second))
        }
        let verdict = try Verdict(script)
        #expect(verdict.unseen == [nil, nil] && verdict.isOneWay == [true, true])
        #expect(verdict.outcomes == [.notConnected, .connected])
    }

    @Test func `where signalling was seen both ways, sound that was seen one way went one way`() throws {
        var script = Self.call()
        script.keep { address, payload in address == Script.caller.address || payload.first != 0x80 }
        let verdict = try Verdict(script)
        #expect(verdict.unseen == [nil, nil] && verdict.isOneWay == [true, true])
        #expect(verdict.issues == [[.oneWayAudio, .neverConnected], [.oneWayAudio]])
    }

    @Test func `a capture of signalling alone cannot tell whether media flowed`() throws {
        var script = Self.call()
        script.keep { _, payload in payload.first != 0x80 }
        #expect(try Verdict(script) == Verdict([.unknown, .unknown], .all))
    }

    @Test func `an INVITE that nobody answers is no capture of one direction`() throws {
        var script = Script()
        for second in [0, 1, 3, 7] {
            script.sip(
                .init(milliseconds: Int64(second) * 1000, start: "INVITE", sequence: "1 INVITE", sdp: Calls.offer))
        }
        script.sip(.init(milliseconds: 9_000, start: "CANCEL", sequence: "1 CANCEL"))
        let verdict = try Verdict(script)
        #expect(verdict.outcomes == [.notAnswered, .notAnswered] && verdict.unseen == [nil, nil])
    }

    /// A B2BUA between the ends, whose legs both announce the places of the ends; media do not pass it.
    private static func bypassed(hasMedia: Bool) -> ProbeScript {
        var script = Script()
        let relay = Script.Place(0xC000_0263, 5060)
        let tags = ("caller-tag", String?.some("callee-tag"))
        let legs = [("call-1", Script.caller, relay, 0), ("call-2", relay, Script.callee, 100)]
        for (id, from, to, begin) in legs {
            let (answered, ended) = (1_200 - Int64(begin), 24_000 + Int64(begin))
            let lines = [
                SIPScript.Line(
                    milliseconds: Int64(begin), start: "INVITE", sequence: "1 INVITE", callID: id, sdp: Calls.offer),
                SIPScript.Line(
                    milliseconds: answered, start: "SIP/2.0 200 OK", sequence: "1 INVITE", tags: tags, callID: id,
                    sdp: Calls.answer, isFromCallee: true),
                SIPScript.Line(
                    milliseconds: answered + 1, start: "ACK", sequence: "1 ACK", tags: tags, branch: "2", callID: id),
                SIPScript.Line(
                    milliseconds: ended, start: "BYE", sequence: "9 BYE", tags: tags, branch: "9", callID: id),
                SIPScript.Line(
                    milliseconds: ended + 5, start: "SIP/2.0 200 OK", sequence: "9 BYE", tags: tags, branch: "9",
                    callID: id, isFromCallee: true),
            ]
            for line in lines { script.sip(line, from: from, to: to) }
        }
        if hasMedia {
            script.media(Calls.forth(1_100, start: 1.5))
            script.media(Calls.back(1_100, start: 1.5))
        }
        return script
    }

    @Test func `media that pass a B2BUA by are those of its first leg, and the other blames nobody`() throws {
        let run = Self.bypassed(hasMedia: true).run()
        #expect(
            Calls.words(run).filter { !$0.value.isEmpty } == [
                "call-1/wire:caller": ["11 1100 lost 0 repeated 0 twice 0"],
                "call-1/wire:callee": ["10 1100 lost 0 repeated 0 twice 0"],
            ])
        var verdicts: [String: [String]] = [:]
        for record in run.records {
            let summary = try #require(run.summary(of: record))
            let unseen = summary.sensor?.unseenMedia?.rawValue ?? "nothing"
            verdicts["\(record)"] = [summary.outcome.rawValue, unseen] + summary.issues.all.map(\.kind.rawValue)
        }
        #expect(
            verdicts == [
                "call-1/wire:caller": ["connected", "nothing"], "call-1/wire:callee": ["connected", "nothing"],
                "call-2/wire:caller": ["unknown", "otherLeg"], "call-2/wire:callee": ["unknown", "otherLeg"],
            ])
    }

    @Test func `a call without media is not the leg of one that was over`() throws {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(300))
        script.media(Calls.back(300))
        script.hangUp(at: 7.2)
        script.setUp("call-2", at: 8, offer: Calls.offer, answer: Calls.answer)
        script.hangUp("call-2", at: 30)
        let second = script.run().records.filter { $0.call.rawValue == "call-2" }
        let run = script.run()
        #expect(try second.map { try #require(run.summary(of: $0)).outcome } == [.notConnected, .notConnected])
    }
}
