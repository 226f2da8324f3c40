import CallModel
import CallQuality
import PacketCapture
import Testing

/// Calls whose media pass a relay of which the capture sees both sides: each packet comes twice.
@Suite struct WireProbeHopTests {
    private typealias Script = ProbeScript
    private typealias Media = ProbeScript.Media
    private typealias Calls = WireProbeCallTests

    /// The relay towards the caller, and towards the callee.
    private struct Relay {
        var inside = Script.Place(0x0A01_0909, 20_002)
        var outside = Script.Place(0x0A01_0909, 20_000)

        static let oneAddress = Relay()
        static let twoAddresses = Relay(outside: Script.Place(0xCB00_7109, 20_000))
    }

    private static let delay = 0.0005

    /// A call of which one INVITE comes to a proxy and another leaves it, with the places of the relay put in.
    private static func setUp(_ relay: Relay?) -> Script {
        var script = Script()
        agree(in: &script, answerAfter: 990, on: relay)
        for isInside in [true, false] {
            pass("BYE", "2 BYE", at: isInside ? 21_100 : 21_110, isInside: isInside, in: &script)
            pass("SIP/2.0 200 OK", "2 BYE", at: isInside ? 21_130 : 21_120, isInside: isInside, in: &script)
        }
        return script
    }

    /// An agreement that a proxy passes on: as it is, or with the places of a relay put in.
    private static func agree(
        in script: inout Script, number: Int = 1, at begin: Int64 = 0, answerAfter wait: Int64 = 10, on relay: Relay?,
        callerPort: UInt16 = 4_000
    ) {
        func places(_ place: Script.Place?) -> String? {
            place.map { SIPScript.audio(Int($0.port), address: $0.text) }
        }
        let offer = SIPScript.audio(Int(callerPort), address: Script.caller.text)
        let (invite, answer) = ("\(number) INVITE", begin + 10 + wait)
        pass("INVITE", invite, at: begin, isInside: true, sdp: offer, in: &script)
        pass("INVITE", invite, at: begin + 10, isInside: false, sdp: places(relay?.outside) ?? offer, in: &script)
        pass("SIP/2.0 200 OK", invite, at: answer, isInside: false, sdp: Calls.answer, in: &script)
        let passedOn = places(relay?.inside) ?? Calls.answer
        pass("SIP/2.0 200 OK", invite, at: answer + 10, isInside: true, sdp: passedOn, in: &script)
        pass("ACK", "\(number) ACK", at: answer + 20, isInside: true, in: &script)
        pass("ACK", "\(number) ACK", at: answer + 30, isInside: false, in: &script)
    }

    /// A message on its way between the caller and the proxy, or between the proxy and the callee.
    private static func pass(
        _ start: String, _ sequence: String, at milliseconds: Int64, isInside: Bool, sdp: String? = nil,
        in script: inout Script
    ) {
        let proxy = Script.Place(0x0A01_0908, 5060)
        let isAnswer = start.hasPrefix("SIP")
        let line = SIPScript.Line(
            milliseconds: milliseconds, start: start, sequence: sequence,
            tags: ("caller-tag", isAnswer || sequence != "1 INVITE" ? "callee-tag" : nil),
            branch: "\(isInside ? "in" : "out")\(sequence.prefix(1))", sdp: sdp, isFromCallee: isAnswer)
        script.sip(line, from: isInside ? Script.caller : proxy, to: isInside ? proxy : Script.callee)
    }

    /// Sound both ways, and what the relay sends on of it.
    private static func call(
        through relay: Relay, forth: Media = Calls.forth(1_000), back: Media = Calls.back(1_000),
        renamingForth renamed: UInt32? = nil, _ sentOn: (inout Media) -> Void = { _ in }
    ) -> Script {
        var script = setUp(relay)
        for (media, entry, exit) in [(forth, relay.inside, relay.outside), (back, relay.outside, relay.inside)] {
            var before = media
            before.to = entry
            script.media(before)
            var after = media
            (after.from, after.start) = (exit, media.start + delay)
            if media.ssrc == back.ssrc { sentOn(&after) } else if let renamed { after.ssrc = renamed }
            script.media(after)
        }
        return script
    }

    /// The same without a relay.
    private static func directCall(_ seen: (inout Media) -> Void = { _ in }) -> Script {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_000))
        var back = Calls.back(1_000)
        seen(&back)
        script.media(back)
        script.hangUp(at: 21.1)
        return script
    }

    private static func roles(_ run: ProbeRun, of record: ProbeRun.Record = Calls.toCaller) -> [String] {
        run.reports[record]?.last?.streams.map {
            "\($0.id) \($0.role) \($0.count(.packetsReceived)) lost \($0.count(.packetsLost))"
        } ?? []
    }

    private static func summary(_ script: Script, of record: ProbeRun.Record = Calls.toCaller) throws -> CallSummary {
        try #require(script.run().summary(of: record))
    }

    @Test(arguments: [Relay.oneAddress, .twoAddresses])
    private func `what a relay sends on is what the end hears`(relay: Relay) throws {
        let lost = Set((0..<1_000).filter { $0 % 10 == 5 })
        let script = Self.call(through: relay) { $0.lost = lost }
        let run = script.run()
        #expect(Self.roles(run) == ["11 hop 1000 lost 0", "11#2 primary 900 lost 100"])
        #expect(Self.roles(run, of: Calls.toCallee) == ["10 hop 1000 lost 0", "10#2 primary 1000 lost 0"])
        let direct = Self.directCall { $0.lost = lost }
        for record in [Calls.toCaller, Calls.toCallee] {
            let (relayed, expected) = (try Self.summary(script, of: record), try Self.summary(direct, of: record))
            #expect(relayed.score == expected.score)
            #expect(relayed.issues.all.map(\.kind) == expected.issues.all.map(\.kind))
        }
        #expect(run.lastReports.map(\.report.audioPacketsSent) == [1_000, 1_000])
    }

    /// Makes of a stream one with a name, numbers and time stamps of a relay's own.
    private static func rename(_ media: inout Media) {
        (media.ssrc, media.firstNumber, media.firstTime) = (0x99, 40_000, 123_456_789)
    }

    @Test(arguments: [true, false], [Relay.oneAddress, .twoAddresses])
    private func `what a relay sends on under another name is what the end hears`(
        hasNumbers: Bool, relay: Relay
    ) throws {
        let lost = Set((0..<1_000).filter { $0 % 10 == 5 })
        let script = Self.call(through: relay, renamingForth: 0x98) { media in
            if hasNumbers { media.ssrc = 0x99 } else { Self.rename(&media) }
            media.lost = lost
        }
        let run = script.run()
        #expect(Self.roles(run) == ["11 hop 1000 lost 0", "153 primary 900 lost 100"])
        #expect(Set(run.reports[Calls.toCaller]?.map { $0.streams.map(\.role) } ?? []) == [[.hop, .primary]])
        #expect(Self.roles(run, of: Calls.toCallee) == ["10 hop 1000 lost 0", "152 primary 1000 lost 0"])
        let direct = Self.directCall { $0.lost = lost }
        for record in [Calls.toCaller, Calls.toCallee] {
            let (relayed, expected) = (try Self.summary(script, of: record), try Self.summary(direct, of: record))
            #expect(relayed.score == expected.score)
            #expect(relayed.issues.all.map(\.kind) == expected.issues.all.map(\.kind))
        }
        #expect(run.lastReports.map(\.report.audioPacketsSent) == [1_000, 1_000])
    }

    @Test func `a relay of names of its own that sends nothing on any more leaves a blackout`() throws {
        let relayed = try Self.summary(
            Self.call(through: .oneAddress, renamingForth: 0x98) { media in
                Self.rename(&media)
                media.packets = 500
            })
        #expect(relayed.issues.all.map(\.kind) == [.blackout])
    }

    @Test func `what goes to a relay that plays music to the end is not what the end hears`() throws {
        var script = Self.setUp(.oneAddress)
        var before = Calls.forth(1_000)
        before.to = Relay.oneAddress.inside
        script.media(before)
        var music = Calls.forth(900)
        (music.ssrc, music.from, music.start) = (0x99, Relay.oneAddress.outside, 3)
        script.media(music)
        #expect(
            Self.roles(script.run(), of: Calls.toCallee) == ["10 hop 1000 lost 0", "153 primary 900 lost 0"])
    }

    @Test func `media that leave their relay for the direct way go on being heard`() throws {
        var script = Self.setUp(.oneAddress)
        for (to, from, ssrc) in [
            (Relay.oneAddress.outside, Calls.calleeMedia, 0xB), (Calls.callerMedia, Relay.oneAddress.inside, 0x99),
        ] as [(Script.Place, Script.Place, UInt32)] {
            var media = Calls.back(450)
            (media.to, media.from, media.ssrc) = (to, from, ssrc)
            script.media(media)
        }
        var direct = Calls.back(545, start: 10.1)
        (direct.firstNumber, direct.firstTime) = (1_450, 450 * 160)
        script.media(direct)
        #expect(
            Self.roles(script.run()) == ["11 hop 450 lost 0", "11#2 primary 545 lost 0", "153 primary 450 lost 0"])
        let summary = try Self.summary(script)
        #expect(summary.outages.isEmpty && !summary.issues.all.map(\.kind).contains(.blackout))
    }

    /// Sound both ways from its packet `skip` on, over a relay or without, with the caller at a port; one way begins first.
    private static func talk(
        in script: inout Script, _ packets: Int, skip: Int = 0, over relay: Relay?, callerPort: UInt16 = 4_000,
        lead: Double = 0
    ) {
        let caller = Script.Place(Script.caller.address, callerPort)
        for var sound in [Calls.forth(packets), Calls.back(packets, start: 1.1 + lead)] {
            let isForth = sound.ssrc == 0xA
            (sound.skip, sound.start) = (skip, sound.start + Double(skip) / 50)
            if isForth { sound.from = caller } else { sound.to = caller }
            guard let relay else {
                script.media(sound)
                continue
            }
            var (before, after) = (sound, sound)
            (before.to, after.from) = isForth ? (relay.inside, relay.outside) : (relay.outside, relay.inside)
            after.start += delay
            script.media(before)
            script.media(after)
        }
    }

    /// The streams to each end, by what is the same of both.
    private static func bothRoles(_ script: Script) -> [[String]] {
        let run = script.run()
        return [Calls.toCaller, Calls.toCallee].map { roles(run, of: $0).map { String($0.dropFirst(2)) } }
    }

    /// Packets of all that an end hears, by the last report.
    private static func heard(_ run: ProbeRun, of record: ProbeRun.Record) -> Int {
        (run.reports[record]?.last?.streams ?? []).filter { $0.role == .primary }
            .reduce(0) { $0 + $1.count(.packetsReceived) }
    }

    /// A relay is put between the ends of a call, and moves to another port later, as does the caller.
    @Test(arguments: [-0.008, 0.008], [Relay.oneAddress, .twoAddresses])
    private func `media that leave the direct way for a relay go on being heard`(lead: Double, relay: Relay) {
        var script = Self.setUp(nil)
        var moved = relay
        moved.outside.port = 20_010
        Self.talk(in: &script, 250, over: nil, lead: lead)
        Self.agree(in: &script, number: 3, at: 6_000, on: relay, callerPort: 4_002)
        Self.talk(in: &script, 250, skip: 250, over: relay, callerPort: 4_002, lead: lead)
        Self.agree(in: &script, number: 4, at: 11_000, on: moved, callerPort: 4_004)
        Self.talk(in: &script, 450, skip: 500, over: moved, callerPort: 4_004, lead: lead)
        let roles = [" primary 250 lost 0", "#2 hop 700 lost 0", "#3 primary 700 lost 0"]
        #expect(Self.bothRoles(script) == [roles, roles])
    }

    /// A call on hold is taken up again over a relay that it did not have before.
    @Test(arguments: [Relay.oneAddress, .twoAddresses])
    private func `sound that comes back from a hold over a relay is heard`(relay: Relay) throws {
        var script = Self.setUp(nil)
        Self.talk(in: &script, 150, over: nil)
        script.change(at: 4.1, number: 3, offer: Calls.held, answer: Calls.holding)
        Self.agree(in: &script, number: 4, at: 9_000, on: relay)
        Self.talk(in: &script, 550, skip: 400, over: relay)
        for record in [Calls.toCaller, Calls.toCallee] {
            let summary = try Self.summary(script, of: record)
            #expect(summary.outcome == .connected && summary.issues.all.isEmpty && summary.outages.isEmpty)
            #expect(Self.heard(script.run(), of: record) == 700)
        }
    }

    @Test func `media that leave a relay for the direct way and come back to it are not missing meanwhile`() throws {
        var script = Self.setUp(.oneAddress)
        Self.talk(in: &script, 250, over: .oneAddress)
        Self.agree(in: &script, number: 3, at: 6_000, on: nil)
        Self.talk(in: &script, 250, skip: 250, over: nil)
        Self.agree(in: &script, number: 4, at: 11_000, on: .oneAddress)
        Self.talk(in: &script, 450, skip: 500, over: .oneAddress)
        let roles = [" hop 700 lost 0", "#2 primary 700 lost 0", "#3 primary 250 lost 0"]
        #expect(Self.bothRoles(script) == [roles, roles])
        for record in [Calls.toCaller, Calls.toCallee] {
            let summary = try Self.summary(script, of: record)
            #expect(summary.issues.all.isEmpty && summary.outages.isEmpty)
        }
    }

    @Test func `every report tells of a relay, from the first one on`() {
        let reports = Self.call(through: .oneAddress).run().reports[Calls.toCaller] ?? []
        #expect(Set(reports.map { $0.streams.map(\.role) }) == [[.hop, .primary]])
        #expect(reports.count == 5)
    }

    @Test func `a relay that sends nothing on any more leaves a blackout to the end of the call`() throws {
        let relayed = try Self.summary(Self.call(through: .oneAddress) { $0.packets = 500 })
        let direct = try Self.summary(Self.directCall { $0.packets = 500 })
        #expect(relayed.issues.all.map(\.kind) == [.blackout])
        let tenths = [relayed, direct].map { $0.outages.map { ($0.seconds * 10).rounded() } }
        #expect(tenths[0].count == 1 && tenths[0] == tenths[1])
        #expect(relayed.score == direct.score)
    }

    @Test func `what came to a relay in a silence says that it is none of the sender's`() throws {
        // A sender that has paused before may fall silent; but its packets came to the relay.
        func paused(_ media: inout Media) { media.packets = 300 }
        var script = Self.call(through: .oneAddress, back: Calls.back(300), paused)
        var later = Calls.back(500, start: 11.1)
        (later.firstNumber, later.firstTime) = (1_300, 80_000)
        var before = later
        before.to = Relay.oneAddress.outside
        script.media(before)
        var after = later
        (after.from, after.start, after.packets) = (Relay.oneAddress.inside, 11.1 + Self.delay, 100)
        script.media(after)
        let summary = try Self.summary(script)
        #expect(summary.issues.all.map(\.kind) == [.blackout])
        #expect(summary.outages.count == 1)
    }

    @Test(arguments: [Relay.oneAddress, .twoAddresses])
    private func `who gets nothing from a relay never connected`(relay: Relay) throws {
        let script = Self.call(through: relay) { $0.packets = 0 }
        #expect(Self.roles(script.run()) == ["11 hop 1000 lost 0"])
        let summary = try Self.summary(script)
        #expect(summary.outcome == .notConnected && summary.score == nil)
        #expect(summary.setup.firstMediaBy == nil && summary.setup.firstMediaAfter == nil)
    }

    @Test func `a role that a relay gives stays when the session is described anew`() {
        var script = Self.call(through: .oneAddress)
        script.change(at: 12, number: 3, offer: Calls.offer, answer: Calls.answer)
        let reports = script.run().reports[Calls.toCaller] ?? []
        #expect(Set(reports.map { $0.streams.map(\.role) }) == [[.hop, .primary]])
    }

    @Test func `a copy to a recorder does not stand for what the end hears`() {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_000))
        script.media(Calls.back(1_000))
        var copy = Calls.back(1_000)
        (copy.to, copy.start) = (Script.Place(0xC000_0263, 7_000), copy.start + Self.delay)
        script.media(copy)
        script.hangUp(at: 21.1)
        let roles = script.run().reports.values.joined().flatMap(\.streams).map(\.role)
        #expect(Set(roles) == [.primary])
    }

    @Test func `a source that goes on over another path passes no relay`() {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth(1_000))
        script.media(Calls.back(500))
        // A re-INVITE sends it elsewhere; the first packets go both ways.
        let other = Script.Place(Script.caller.address, 4_100)
        script.change(
            at: 11, number: 2, offer: SIPScript.audio(4_100, address: Script.caller.text), answer: Calls.answer)
        var moved = Calls.back(505, start: 11)
        (moved.to, moved.skip) = (other, 495)
        script.media(moved)
        script.hangUp(at: 21.1)
        let roles = script.run().reports.values.joined().flatMap(\.streams).map(\.role)
        #expect(Set(roles) == [.primary])
    }

    /// The relay gives what it sends on another SSRC; the first snapshot comes half a second after the sound began.
    @Test(arguments: [Relay.oneAddress, .twoAddresses])
    private func `a stream to a relay is never told of as one that the end hears`(relay: Relay) throws {
        let script = Self.call(
            through: relay, forth: Calls.forth(800, start: 4.5), back: Calls.back(800, start: 4.5), renamingForth: 0xF
        ) { $0.ssrc = 0xE }
        let run = script.run()
        let heard = run.reports.mapValues { Set($0.flatMap(\.streams).filter { $0.role == .primary }.map(\.id)) }
        #expect(heard == [Calls.toCallee: ["15"], Calls.toCaller: ["14"]])
        #expect(run.streams.count == 4)
    }
}
