import CallModel
import Foundation
import PacketCapture
import TestSupport
import Testing

/// Round trips by the checks of ICE, where RTCP cannot be read.
@Suite struct WireProbeCheckTests {
    private typealias Script = ProbeScript
    private typealias Calls = WireProbeCallTests

    /// Binding, as a request and as a success.
    private enum Message: UInt16 { case request = 0x0001, success = 0x0101, indication = 0x0011, error = 0x0111 }

    /// A check of who is named, or a message without a name.
    private static func stun(_ type: Message, transaction: UInt8, isNamed: Bool = true) -> [UInt8] {
        let software: [UInt8] = [0x80, 0x22, 0, 3, 0x61, 0x62, 0x63, 0]
        let attributes = software + (isNamed ? [0, 6, 0, 4, 0x61, 0x3A, 0x62, 0x63] : [])
        let type = [UInt8(type.rawValue >> 8), UInt8(type.rawValue & 0xFF)]
        return type + [0, UInt8(attributes.count), 0x21, 0x12, 0xA4, 0x42] + [UInt8](repeating: transaction, count: 12)
            + attributes
    }

    /// A check of one end, and its answer so much later; all of it `copies` times, 1 ms apart.
    private static func check(
        ofCallee: Bool, at seconds: Double, answeredAfter delay: Double, transaction: UInt8, isNamed: Bool = true,
        answer: Message = .success, copies: Int = 1, into script: inout ProbeScript
    ) {
        let (there, back) = ofCallee ? (Calls.callerMedia, Calls.calleeMedia) : (Calls.calleeMedia, Calls.callerMedia)
        for copy in 0..<copies {
            let shift = 0.001 * Double(copy)
            script.udp(
                stun(.request, transaction: transaction, isNamed: isNamed), from: there, to: back, at: seconds + shift)
            script.udp(
                stun(answer, transaction: transaction, isNamed: false), from: back, to: there,
                at: seconds + delay + shift)
        }
    }

    /// A call of 9 s with sound in both directions.
    private static func call(_ checks: (inout ProbeScript) -> Void) -> ProbeRun {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth())
        script.media(Calls.back())
        checks(&script)
        script.hangUp(at: 10.5)
        return script.run()
    }

    /// What is told of the caller's and of the callee's sound: milliseconds to the receiver, round trips and their sum.
    private static func told(_ run: ProbeRun) -> [[Int?]] {
        [Calls.toCallee, Calls.toCaller].map { record in
            let stream = run.reports[record]?.last?.streams.first
            return [.receiverRoundTripTime, .totalRoundTripTime].map { figure in
                stream?[figure].map { Int((1_000 * $0).rounded()) }
            } + [stream?[.roundTripTimeMeasurements].map { Int($0) }]
        }
    }

    @Test func `both halves are put together, of the latest check of either end`() {
        let run = Self.call { script in
            Self.check(ofCallee: true, at: 2, answeredAfter: 0.04, transaction: 1, into: &script)
            Self.check(ofCallee: false, at: 3, answeredAfter: 0.01, transaction: 2, into: &script)
            Self.check(ofCallee: true, at: 4, answeredAfter: 0.06, transaction: 3, into: &script)
        }
        #expect(Self.told(run) == [[60, 70, 1], [10, 50, 1]])
        #expect(run.figures.otherPackets == ["STUN": 6])
    }

    @Test func `a half is no round trip`() {
        let run = Self.call { script in
            for index: UInt8 in 1...4 {
                Self.check(
                    ofCallee: true, at: Double(index) + 1, answeredAfter: 0.04, transaction: index, into: &script)
            }
        }
        #expect(Self.told(run) == [[40, nil, nil], [nil, nil, nil]])
    }

    @Test func `sound that goes one way has one by the checks of both`() {
        var script = Script()
        script.setUp(offer: Calls.offer, answer: Calls.answer)
        script.media(Calls.forth())
        Self.check(ofCallee: false, at: 3, answeredAfter: 0.01, transaction: 1, into: &script)
        Self.check(ofCallee: true, at: 4, answeredAfter: 0.04, transaction: 2, into: &script)
        script.hangUp(at: 10.5)
        #expect(Self.told(script.run()) == [[40, 50, 1], [nil, nil, nil]])
    }

    @Test func `what a mirror port shows twice is measured once`() {
        let run = Self.call { script in
            Self.check(ofCallee: false, at: 3, answeredAfter: 0.01, transaction: 1, copies: 2, into: &script)
            Self.check(ofCallee: true, at: 4, answeredAfter: 0.04, transaction: 2, copies: 2, into: &script)
        }
        #expect(Self.told(run) == [[40, 50, 1], [10, nil, nil]])
    }

    @Test(arguments: ["asked again", "asks a server", "refused", "another's answer", "late"])
    func `what is not surely the answer to one check measures nothing`(_ what: String) {
        let run = Self.call { script in
            Self.check(ofCallee: false, at: 3, answeredAfter: 0.01, transaction: 1, into: &script)
            switch what {
            case "asked again":
                let request = Self.stun(.request, transaction: 2)
                script.udp(request, from: Calls.callerMedia, to: Calls.calleeMedia, at: 3.5)
                Self.check(ofCallee: true, at: 4, answeredAfter: 0.04, transaction: 2, into: &script)
            case "asks a server":
                Self.check(
                    ofCallee: true, at: 4, answeredAfter: 0.04, transaction: 2, isNamed: false, into: &script)
            case "refused":
                Self.check(
                    ofCallee: true, at: 4, answeredAfter: 0.04, transaction: 2, answer: .error, into: &script)
            case "another's answer":
                let (request, answer) = (Self.stun(.request, transaction: 2), Self.stun(.success, transaction: 3))
                script.udp(request, from: Calls.callerMedia, to: Calls.calleeMedia, at: 4)
                script.udp(answer, from: Calls.calleeMedia, to: Calls.callerMedia, at: 4.04)
            default: Self.check(ofCallee: true, at: 0.1, answeredAfter: 10.1, transaction: 2, into: &script)
            }
        }
        #expect(Self.told(run) == [[nil, nil, nil], [10, nil, nil]])
    }

    @Test func `what RTCP has measured, checks do not change`() {
        let run = Self.call { script in
            // A sender report of the caller at 2 s, and the callee's report that names it 100 ms later, held for 40 ms.
            let clock: [UInt8] = [0, 0, 0, 1, 0, 2, 0, 0]
            let report = [0x80, 200, 0, 6, 0, 0, 0, 0xA] + clock + [UInt8](repeating: 0, count: 12)
            script.udp(report, from: Calls.callerMedia, to: Calls.calleeMedia, at: 2)
            let block: [UInt8] = [0, 0, 0, 0xA, 0, 0, 0, 0, 0, 0, 4, 0x10, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0x0A, 0x3D]
            script.udp(
                [0x81, 201, 0, 7, 0, 0, 0, 0xB] + block, from: Calls.calleeMedia, to: Calls.callerMedia, at: 2.1)
            Self.check(ofCallee: false, at: 3, answeredAfter: 0.01, transaction: 1, into: &script)
            Self.check(ofCallee: true, at: 4, answeredAfter: 0.5, transaction: 2, into: &script)
        }
        #expect(Self.told(run) == [[60, nil, nil], [10, 70, 1]])
    }

    /// The path of each recording takes as long as its router was told, one way; the rest is the machine's.
    @Test(
        SharedData.required,
        arguments: [
            ("01-clean", 5.0), ("03-loss5", 20), ("05-delay100", 100), ("06-delay300", 300), ("16-h264", 20),
            ("40-chromium-firefox-clean", 20), ("60-chromium-aiortc-loss5", 20),
        ])
    func `of recorded calls that are encrypted it is twice the way there`(
        _ recording: (name: String, oneWayMilliseconds: Double)
    ) throws {
        let captures = RecordedCall.End.allCases.compactMap { RecordedCall.shared(recording.name, $0).capture }
        let streams = try captures.flatMap { try ProbeRun($0).streams }.filter { $0.role == .primary }
        #expect(!streams.isEmpty)
        for stream in streams {
            let (sum, count) = (stream[.totalRoundTripTime], stream[.roundTripTimeMeasurements])
            let mean = try 1_000 * #require(sum) / #require(count)
            #expect(abs(mean - 2 * recording.oneWayMilliseconds) < 10, "\(stream.id)")
            #expect(try #require(count) >= 10)
        }
    }
}
