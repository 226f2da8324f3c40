import RTPMeter
import Testing

@testable import PacketCapture

/// Calls that describe the same session at the same place: legs only where one host was given it and passes it on.
@Suite struct DescriptionHopsTests {
    private typealias Line = SIPScript.Line

    private static let caller = SIPScript.caller
    private static let callee = SIPScript.callee
    private static let proxy = host(5)
    private static let agent = host(6)
    private static let offer = SIPScript.audio(4000)

    private static func host(_ number: UInt32, port: UInt16 = 5060) -> Endpoint {
        Endpoint(address: IPAddress(v4: 0xC000_0200 + number), port: port)
    }

    /// INVITEs that describe the same session, in this order, a millisecond apart.
    private static func relations(
        _ invites: [(call: String, from: Endpoint, to: Endpoint)], isRefused: Bool = false
    ) throws -> [String] {
        var script = SIPScript()
        for (index, invite) in invites.enumerated() {
            let flow = Flow(source: invite.from, destination: invite.to)
            try script.play(
                Line(
                    milliseconds: Int64(index), start: "INVITE", sequence: "1 INVITE", branch: "\(index)",
                    callID: invite.call, sdp: offer, flow: flow))
        }
        return script.course.filter { $0.hasPrefix("related") }
    }

    @Test func `legs that pass the description on are joined while both are up`() throws {
        var script = SIPScript()
        let onward = Flow(source: Self.callee, destination: Self.agent)
        try script.play(
            Line(milliseconds: 0, start: "INVITE", sequence: "1 INVITE", sdp: Self.offer),
            Line(
                milliseconds: 1, start: "INVITE", sequence: "1 INVITE", callID: "call-2", sdp: Self.offer, flow: onward),
            Line(milliseconds: 2, start: "SIP/2.0 486 B", sequence: "1 INVITE", isFromCallee: true),
            Line(
                milliseconds: 3, start: "INVITE", sequence: "1 INVITE", callID: "call-3", sdp: Self.offer, flow: onward)
        )
        #expect(script.course.filter { $0.hasPrefix("related") } == ["related 2 1 media"])
    }

    @Test func `an answer that is passed back joins the legs, too`() throws {
        var script = SIPScript()
        let onward = Flow(source: Self.callee, destination: Self.agent)
        let answer = SIPScript.audio(6000)
        func answered(_ call: String, at milliseconds: Int64, _ flow: Flow) -> Line {
            Line(
                milliseconds: milliseconds, start: "SIP/2.0 200 OK", sequence: "1 INVITE", tags: (call, "x"),
                callID: call, sdp: answer, isFromCallee: true, flow: flow.reversed)
        }
        func asked(_ call: String, at milliseconds: Int64, _ flow: Flow, _ port: Int) -> Line {
            Line(
                milliseconds: milliseconds, start: "INVITE", sequence: "1 INVITE", tags: (call, nil), callID: call,
                sdp: SIPScript.audio(port), flow: flow)
        }
        let inward = Flow(source: Self.caller, destination: Self.callee)
        try script.play(
            asked("call-1", at: 0, inward, 4000), asked("call-2", at: 1, onward, 4002),
            answered("call-2", at: 2, onward), answered("call-1", at: 3, inward))
        #expect(script.course.filter { $0.hasPrefix("related") } == ["related 1 2 media"])
    }

    @Test(
        arguments: [
            // A proxy in front of the agent that opens the second leg.
            [
                ("call-1", caller, proxy), ("call-1", proxy, agent), ("call-2", agent, proxy),
                ("call-2", proxy, callee),
            ],
            // An agent of two addresses.
            [("call-1", caller, proxy), ("call-2", agent, callee), ("call-2", callee, host(7))],
            // All on one host.
            [
                ("call-1", host(1, port: 5070), host(1, port: 5071)),
                ("call-2", host(1, port: 5071), host(1, port: 5072)),
            ],
            // A connection from a port of its own.
            [("call-1", host(1, port: 40_001), agent), ("call-2", host(6, port: 40_002), callee)],
            // Captured in the other order, as by two interfaces.
            [("call-2", agent, callee), ("call-1", caller, agent)],
        ] as [[(String, Endpoint, Endpoint)]])
    private func `a leg over several hops is found`(invites: [(String, Endpoint, Endpoint)]) throws {
        #expect(try Self.relations(invites) == ["related 2 1 media"])
    }

    @Test func `an agent that asks two targets opens two legs of one call`() throws {
        let invites = [
            ("call-1", Self.caller, Self.agent), ("call-2", Self.agent, Self.callee),
            ("call-3", Self.agent, Self.proxy),
        ]
        #expect(try Self.relations(invites) == ["related 2 1 media", "related 3 1 media"])
    }

    @Test(
        arguments: [
            // A load generator names one session and one port in all of its calls.
            [("call-1", caller, callee), ("call-2", caller, callee), ("call-3", caller, callee)],
            // From a port for each call.
            [("call-1", host(1, port: 5_070), callee), ("call-2", host(1, port: 5_071), callee)],
            // On one host.
            [
                ("call-1", host(1, port: 5_070), host(1, port: 5_071)),
                ("call-2", host(1, port: 5_070), host(1, port: 5_071)),
            ],
            // To several targets.
            [("call-1", caller, callee), ("call-2", caller, proxy)],
            // Two phones of one private address, behind translators of their own.
            [("call-1", caller, callee), ("call-2", proxy, callee)],
            // Through an agent that passes all of it on: nothing tells which leg belongs to which.
            [
                ("call-1", caller, agent), ("call-2", caller, agent), ("call-3", agent, callee),
                ("call-4", agent, callee),
            ],
        ] as [[(String, Endpoint, Endpoint)]])
    private func `calls that only describe the same session are no legs`(
        invites: [(String, Endpoint, Endpoint)]
    ) throws {
        #expect(try Self.relations(invites) == [])
    }

    @Test func `a description that says nothing says nothing later, either`() throws {
        var script = SIPScript()
        let inward = Flow(source: Self.caller, destination: Self.agent)
        let onward = Flow(source: Self.agent, destination: Self.callee)
        func invite(_ call: String, at milliseconds: Int64, _ flow: Flow) -> Line {
            Line(
                milliseconds: milliseconds, start: "INVITE", sequence: "1 INVITE", tags: (call, nil), callID: call,
                sdp: Self.offer, flow: flow)
        }
        try script.play(
            invite("call-1", at: 0, inward), invite("call-2", at: 1, inward),
            Line(
                milliseconds: 2, start: "SIP/2.0 486 B", sequence: "1 INVITE", tags: ("call-1", "x"), callID: "call-1",
                isFromCallee: true, flow: inward.reversed),
            invite("call-3", at: 3, inward), invite("call-4", at: 4, onward))
        #expect(script.course.filter { $0.hasPrefix("related") } == [])
    }
}
