import CallModel
import RTPMeter

@testable import PacketCapture

/// Writes the messages of a call and plays them to ``SIPDialogs``.
struct SIPScript {
    static let caller = Endpoint(address: IPAddress(v4: 0xC000_0201), port: 5060)
    static let callee = Endpoint(address: IPAddress(v4: 0xC000_0202), port: 5060)

    /// One message: who sends it when, its first line and CSeq, and what else it has.
    struct Line {
        var milliseconds: Int64
        var start: String
        var sequence: String
        var tags: (from: String, to: String?) = ("caller-tag", nil)
        var branch = "1"
        var callID = "call-1"
        var sdp: String?
        var headers: [String] = []
        var isFromCallee = false
        var flow: Flow?
    }

    var dialogs = SIPDialogs()
    private(set) var notices: [SIPNotice] = []

    static func text(_ line: Line) -> String {
        let body = line.sdp ?? ""
        let fields =
            [
                line.start.hasPrefix("SIP") ? line.start : "\(line.start) sip:bob@example.com SIP/2.0",
                "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK\(line.branch)",
                "From: <sip:alice@example.com>;tag=\(line.tags.from)",
                "To: <sip:bob@example.com>" + (line.tags.to.map { ";tag=\($0)" } ?? ""),
                "Call-ID: \(line.callID)", "CSeq: \(line.sequence)",
            ] + line.headers + (body.isEmpty ? [] : ["Content-Type: application/sdp"])
            + ["Content-Length: \(body.utf8.count)"]
        return fields.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    mutating func play(_ lines: Line...) throws {
        for line in lines {
            let message = try SIPMessage(parsing: Array(Self.text(line).utf8))
            let there = Flow(source: Self.caller, destination: Self.callee)
            let flow = line.flow ?? (line.isFromCallee ? there.reversed : there)
            notices += dialogs.take(
                message, flow: flow, at: ArrivalTime(nanoseconds: line.milliseconds * 1_000_000))
        }
    }

    mutating func finish() {
        notices += dialogs.finish()
    }

    mutating func pass(to milliseconds: Int64) {
        notices += dialogs.expire(at: ArrivalTime(nanoseconds: milliseconds * 1_000_000))
    }

    /// The notices as words: events as `type@milliseconds`, the others by name.
    var course: [String] {
        notices.compactMap { notice in
            switch notice {
            case .started(let call, _, let isComplete):
                isComplete && call.attempt == 1 ? nil : "started \(call.attempt) \(isComplete)"
            case .event(_, let event):
                "\(event.type)@\(event.time.milliseconds)"
                    + (["HOLD", "RESUME", "DIRECTION"].contains(event.type)
                        ? " \(event.members["end"]?.text ?? "")" : "")
                    + (event.members["receives"]?.truth.map { " \($0)" } ?? "")
            case .media: nil
            case .moved(let call, let end, _, _): "moved \(call.number) \(end)"
            case .related(let call, let other, let relation): "related \(call.number) \(other.number) \(relation)"
            case .ended(_, let time, let ending): "ended@\(time.nanoseconds / 1_000_000) \(ending)"
            case .forgotten: "forgotten"
            }
        }
    }

    /// A description of one audio line.
    static func audio(_ port: Int, _ attributes: String..., address: String = "192.0.2.1") -> String {
        let lines = ["v=0", "o=- \(port) 1 IN IP4 192.0.2.1", "s=-", "c=IN IP4 \(address)", "t=0 0"]
        return (lines + ["m=audio \(port) RTP/AVP 0"] + attributes).joined(separator: "\r\n") + "\r\n"
    }
}
