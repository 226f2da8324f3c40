import CallModel
import CallQuality
import PacketCapture
import Testing

/// Captures that begin in the middle of a call, which is one all the same.
@Suite struct WireProbeJoiningTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests
    private typealias Line = SIPScript.Line

    private static let tags = ("caller-tag", String?.some("callee-tag"))
    private static let call = "rtp-a-\(Script.epoch / 1_000_000 + 100)"

    /// Sound both ways from before the capture until it ends.
    private static func ongoing(seconds: Int = 24) -> Script {
        var script = Script()
        script.media(Calls.forth(50 * seconds, start: 0.1))
        script.media(Calls.back(50 * seconds, start: 0.11))
        return script
    }

    /// What is known of each record in the end: its streams, events, how it ended, and its other names.
    private static func course(_ script: Script) throws -> [String: [String]] {
        let run = script.run()
        return try Dictionary(
            uniqueKeysWithValues: run.records.map { record in
                let summary = try #require(run.summary(of: record))
                let streams = run.reports[record]?.last?.streams ?? []
                let events = run.events[record]?.map(\.type) ?? []
                let words = streams.map { "\($0.id) \($0.count(.packetsReceived))" } + [events.joined(separator: " ")]
                return ("\(record)", words + [summary.outcome.rawValue] + summary.aliases)
            })
    }

    @Test func `a call that only its end is seen of is one, and has its Call-ID`() throws {
        var script = Self.ongoing()
        script.hangUp(at: 24.2)
        let events = "LEG BYE BYE 200"
        #expect(
            try Self.course(script) == [
                "\(Self.call)/wire:a": ["11 1200", events, "connected", "Call-ID: call-1"],
                "\(Self.call)/wire:b": ["10 1200", events, "connected", "Call-ID: call-1"],
            ])
        #expect(script.run().figures.calls == 1)
    }

    /// A request of the caller within the dialog, and the response to it.
    private static func ask(_ start: String, number: Int, at milliseconds: Int64, in script: inout Script) {
        let sequence = "\(number) \(start)"
        script.sip(
            Line(milliseconds: milliseconds, start: start, sequence: sequence, tags: tags, branch: "u\(number)"),
            from: Script.caller, to: Script.callee)
        script.sip(
            Line(
                milliseconds: milliseconds + 5, start: "SIP/2.0 200 OK", sequence: sequence, tags: tags,
                branch: "u\(number)", isFromCallee: true),
            from: Script.caller, to: Script.callee)
    }

    /// RFC 4028 has sessions refreshed; calls that wait for an answer are given up after less than 400 s.
    @Test func `a call that is refreshed midway, and ends, is one`() throws {
        var script = Self.ongoing(seconds: 424)
        for number in 2...3 { Self.ask("UPDATE", number: number, at: 12_000 + Int64(number - 2) * 2_000, in: &script) }
        script.hangUp(at: 424.2)
        let events = "LEG UPDATE UPDATE BYE BYE 200"
        #expect(
            try Self.course(script) == [
                "\(Self.call)/wire:a": ["11 21200", events, "connected", "Call-ID: call-1"],
                "\(Self.call)/wire:b": ["10 21200", events, "connected", "Call-ID: call-1"],
            ])
        #expect(script.run().figures.calls == 1)
    }

    @Test func `a call that is refreshed midway, and then changed, is one from then on`() throws {
        var script = Self.ongoing()
        Self.ask("UPDATE", number: 2, at: 12_000, in: &script)
        script.change(at: 16, number: 3, offer: Calls.offer, answer: Calls.answer)
        let record = try Self.course(script)["\(Self.call)/wire:a"]
        let events = "LEG UPDATE reINVITE reINVITE 200 ACK"
        #expect(record == ["11 1200", events, "connected", "Call-ID: call-1"])
        #expect(script.run().figures.calls == 1)
    }

    @Test func `a call that moves midway is one, though who moves names a new place`() throws {
        var script = Self.ongoing()
        let moved = SIPScript.audio(4_100, address: Script.caller.text)
        script.change(at: 12, number: 3, offer: moved, answer: Calls.answer)
        let record = try Self.course(script)["\(Self.call)/wire:a"]
        let events = "LEG reINVITE reINVITE 200 ACK"
        #expect(record == ["11 1200", events, "connected", "Call-ID: call-1"])
        #expect(script.run().figures.calls == 1)
    }

    @Test(arguments: [false, true])
    func `a call that was not told of yet has the name of its dialog`(isRefreshed: Bool) throws {
        var script = Self.ongoing(seconds: 4)
        if isRefreshed { Self.ask("UPDATE", number: 2, at: 2_000, in: &script) }
        script.hangUp(at: 4.2)
        let events = (isRefreshed ? "UPDATE " : "") + "BYE BYE 200"
        #expect(
            try Self.course(script) == [
                "call-1/wire:caller": ["11 200", events, "connected"],
                "call-1/wire:callee": ["10 200", events, "connected"],
            ])
        #expect(script.run().figures.calls == 1)
    }

    /// Of three calls between the same hosts one goes on, and two end one after the other.
    @Test func `of several calls midway a BYE ends the one whose media stop`() throws {
        var script = Self.ongoing(seconds: 30)
        for (number, seconds) in [(1, 12), (2, 18)] {
            var other = Calls.forth(50 * seconds, start: 0.1)
            other.ssrc += UInt32(16 * number)
            other.from.port += UInt16(20 * number)
            other.to.port += UInt16(20 * number)
            script.media(other)
            script.sip(
                Line(
                    milliseconds: Int64(seconds) * 1_000 + 200, start: "BYE", sequence: "2 BYE",
                    tags: ("from-\(number)", "to-\(number)"), callID: "call-\(number)"))
        }
        let words = { (number: Int, packets: Int) in
            ["\(10 + 16 * number) \(packets)", "LEG BYE", "connected", "Call-ID: call-\(number)"]
        }
        let records = try Self.course(script).filter { $0.value.first?.hasPrefix("11 ") == false }
        #expect(
            Set(records.filter { !$0.key.hasSuffix(":a") }.values) == [
                ["10 1500", "", "connected"], words(1, 600), words(2, 900),
            ])
        #expect(script.run().figures.calls == 3)
    }

    @Test func `a refreshed call whose BYE does not end the media is another one`() throws {
        var script = Self.ongoing()
        Self.ask("UPDATE", number: 2, at: 12_000, in: &script)
        script.hangUp(at: 16)
        let records = try Self.course(script)
        #expect(records["\(Self.call)/wire:a"] == ["11 1200", "", "connected"])
        #expect(records["call-1/wire:caller"]?.first == "UPDATE BYE BYE 200")
        #expect(records.count == 4 && script.run().figures.calls == 2)
    }

    @Test(arguments: [true, false]) func `a call that is changed midway is one, whoever asks`(isCaller: Bool) throws {
        var script = Self.ongoing(seconds: 30)
        let (offer, answer) = isCaller ? (Calls.offer, Calls.answer) : (Calls.answer, Calls.offer)
        for line in [
            Line(milliseconds: 12_000, start: "INVITE", sequence: "7 INVITE", tags: Self.tags, branch: "c", sdp: offer),
            Line(
                milliseconds: 12_010, start: "SIP/2.0 200 OK", sequence: "7 INVITE", tags: Self.tags, branch: "c",
                sdp: answer, isFromCallee: true),
            Line(milliseconds: 12_020, start: "ACK", sequence: "7 ACK", tags: Self.tags, branch: "d"),
        ] {
            let ends = isCaller ? (Script.caller, Script.callee) : (Script.callee, Script.caller)
            script.sip(line, from: ends.0, to: ends.1)
        }
        let events = "LEG reINVITE reINVITE 200 ACK"
        #expect(
            try Self.course(script) == [
                "\(Self.call)/wire:a": ["11 1500", events, "connected", "Call-ID: call-1"],
                "\(Self.call)/wire:b": ["10 1500", events, "connected", "Call-ID: call-1"],
            ])
        #expect(script.run().figures.calls == 1)
    }

    /// The one that goes on keeps its packets and its name; of the other there are messages alone.
    @Test(arguments: [
        ("SIP/2.0 486 Busy Here", "1 INVITE", true), ("SIP/2.0 180 Ringing", "1 INVITE", true),
        ("CANCEL", "1 CANCEL", false), ("ACK", "1 ACK", false), ("BYE", "2 BYE", false), ("UPDATE", "2 UPDATE", false),
    ])
    func `a message of another call between the same hosts is not taken for one of the call that goes on`(
        start: String, sequence: String, isFromCallee: Bool
    ) throws {
        var script = Self.ongoing()
        let line = Line(
            milliseconds: 12_000, start: start, sequence: sequence, tags: Self.tags, branch: "c",
            isFromCallee: isFromCallee)
        script.sip(line, from: Script.caller, to: Script.callee)
        let records = try Self.course(script)
        #expect(records["\(Self.call)/wire:a"] == ["11 1200", "", "connected"])
        #expect(records["\(Self.call)/wire:b"] == ["10 1200", "", "connected"])
        #expect(records.count == 4 && script.run().figures.calls == 2)
    }

    @Test func `a capture that ends with the BYE has one call`() throws {
        var script = Self.ongoing()
        script.sip(
            Line(milliseconds: 24_050, start: "BYE", sequence: "2 BYE", tags: Self.tags, branch: "z"),
            from: Script.caller, to: Script.callee)
        let record = try Self.course(script)["\(Self.call)/wire:a"]
        #expect(record == ["11 1200", "LEG BYE", "connected", "Call-ID: call-1"])
        #expect(script.run().figures.calls == 1)
    }

    @Test func `of two calls whose media stop at once it is not known which of them a BYE ends`() {
        var script = Self.ongoing()
        let other = Script.Media(
            ssrc: 0xC, from: .init(Script.caller.address, 4_100), to: .init(Script.callee.address, 6_100), start: 0.1,
            packets: 1_200)
        script.media(other)
        script.hangUp(at: 24.2)
        #expect(Set(script.run().records.map(\.call.rawValue)).count == 3)
    }
}
