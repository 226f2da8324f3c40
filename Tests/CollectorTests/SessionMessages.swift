import CallModel
import ClientStats
import Collector
import SQLiteStore

/// A message as a client or a probe posts it.
struct Message {
    var call: CallID?
    var body: String
    var parse: @Sendable ([UInt8], ParsingContext) throws(ClientStatsError) -> ParsedBody
    /// On the collector's clock, in ms since ``start``.
    var receivedAt: Int64

    static let start: Int64 = 1_795_230_000_000

    /// The facts it holds.
    func submissions() throws -> [Submission] {
        let context = ParsingContext(call: call, receivedAt: Timestamp(milliseconds: Self.start + receivedAt))
        return try parse(Array(body.utf8), context).submissions
    }

    /// An event so many ms after the start; `members` are JSON with a comma at the end.
    static func event(
        _ action: String, _ type: String, at time: Int64, call: String? = nil, session: String? = nil,
        _ members: String = ""
    ) -> Message {
        let ids = [call.map { #""callId":"\#($0)","# }, session.map { #""sessionId":"\#($0)","# }].compactMap { $0 }
        return Message(
            body: #"{\#(members)\#(ids.joined())"action":"\#(action)","type":"\#(type)","time":\#(start + time)}"#,
            parse: EventsBody.parse, receivedAt: time + 40)
    }

    /// A report of 50 packets a second up to so many ms after the start.
    static func statistics(
        at time: Int64, path: String, ssrc: UInt32 = 7, members: String = ""
    ) -> Message {
        let object = """
            {"id":"IT\(ssrc)","type":"inbound-rtp","kind":"audio","ssrc":\(ssrc),"timestamp":\(start + time),\
            "packetsReceived":\(max(0, time / 20)),"packetsLost":\(time / 1000),"jitter":0.004}
            """
        return Message(
            call: CallID(rawValue: path), body: #"{\#(members)"statistics":[\#(object)]}"#, parse: StatsBody.parse,
            receivedAt: time + 40)
    }

    /// What a probe saw of a call, up to so many ms after the start.
    static func wire(
        at time: Int64, call: String, observer: String = "wire:callee", ssrc: UInt32 = 7, from first: Int64 = 1000
    ) -> Message {
        Message(
            body: """
                {"callId":"\(call)","observer":"\(observer)","time":\(start + time),"streams":[{"ssrc":\(ssrc),\
                "kind":"audio","payloadType":0,"firstPacketAt":\(start + first),"lastPacketAt":\(start + time),\
                "packetsReceived":\(time / 20),"packetsLost":0}]}
                """, parse: WireBody.parse, receivedAt: time + 10)
    }

    /// A SIP message that a probe saw; `members` are JSON with a comma at the end.
    static func sip(
        _ type: String, at time: Int64, call: String, observer: String = "wire:callee", _ members: String = ""
    ) -> Message {
        Message(
            body: """
                {\(members)"callId":"\(call)","observer":"\(observer)","action":"sip","type":"\(type)","seq":\(time),\
                "time":\(start + time)}
                """, parse: WireBody.parse, receivedAt: time + 10)
    }
}

extension CollectorFixture {
    func post(_ messages: Message...) async throws { try await post(messages) }

    func post(_ messages: [Message]) async throws {
        for message in messages {
            for outcomes in try await collector.submit(try message.submissions()) {
                guard outcomes.allSatisfy({ $0 == .accepted || $0 == .repeated }) else {
                    throw NotTaken(body: message.body, outcomes: outcomes)
                }
            }
        }
    }

    struct NotTaken: Error {
        var body: String
        var outcomes: [FactOutcome]
    }

    /// The records of the calls in the list, as `call/observer/attempt`, sorted.
    func listed() async throws -> [String] {
        try await store.calls(CallQuery(now: clock.now)).calls.map { $0.summary.key.text }.sorted()
    }

    /// The summary of a record, after everything accepted was folded in.
    func summary(_ call: String, observer: String = "client", attempt: Int = 1) async throws -> CallSummary? {
        let key = CallKey.of(call, observer: observer, attempt: attempt)
        try await collector.settle(key.identity)
        return try await store.summaries(of: key.identity).first { $0.summary.key == key }?.summary
    }

    /// What is stored of a record, after everything accepted was folded in.
    func record(_ call: String, observer: String = "client", attempt: Int = 1) async throws -> CallRecord? {
        let key = CallKey.of(call, observer: observer, attempt: attempt)
        try await collector.settle(key.identity)
        return try await store.record(key)
    }
}

extension CallKey {
    static func of(_ call: String, observer: String = "client", attempt: Int = 1) -> CallKey {
        CallKey(
            identity: CallIdentity(tenant: .default, call: CallID(rawValue: call)),
            observer: ObserverID(rawValue: observer), attempt: attempt)
    }

    var text: String { "\(identity.call.rawValue)/\(observer.rawValue)/\(attempt)" }
}
