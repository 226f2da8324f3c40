import CallModel
import JSONText
import RTPMeter
import TestSupport
import Testing

@testable import PacketCapture

/// Dialogs of real captures against what tshark (the stored printouts and truth files) read in them.
@Suite(SharedData.required) struct SIPCaptureTests {
    /// The calls of a capture: their events as `type@milliseconds`, counted from the call's first.
    struct Course: Hashable {
        var callID: String
        var events: [String]
    }

    static func notices(_ path: String) throws -> [SIPNotice] {
        var dialogs = SIPDialogs()
        var notices: [SIPNotice] = []
        for seen in try SIPCaptureReader(path).messages() {
            notices += dialogs.take(seen.message, flow: seen.flow, at: seen.time)
        }
        return notices + dialogs.finish()
    }

    static func courses(_ notices: [SIPNotice]) -> [Course] {
        var order: [CallRef] = []
        var events: [CallRef: [CallEvent]] = [:]
        for case .event(let call, let event) in notices {
            if events[call] == nil { order.append(call) }
            events[call, default: []].append(event)
        }
        return order.map { call in
            let all = events[call] ?? []
            let start = all.first?.time ?? Timestamp(milliseconds: 0)
            return Course(
                callID: call.callID,
                events: all.map { "\($0.type)@\($0.time.milliseconds(since: start))" })
        }
    }

    // MARK: Our own captures, against tshark's list of SIP messages

    static let recordings = [
        "s1-loopback-clean", "s3-sipp-10calls-loss2.caller", "s3-sipp-10calls-loss2.callee", "s4-busy486.caller",
        "s4-busy486.callee", "s5-baresip-pcma-clean.caller", "s5-baresip-pcma-clean.callee",
        "s6-baresip-pcma-loss5-jitter30.caller", "s6-baresip-pcma-loss5-jitter30.callee",
        "s9-baresip-oneway-audio.caller", "s9-baresip-oneway-audio.callee",
        "s12-linphone-rtcpxr-loss5-jitter20.caller", "s12-linphone-rtcpxr-loss5-jitter20.callee",
    ]

    /// The courses that tshark's list says: lines `seconds,source,destination,Call-ID,method,status,CSeq`.
    static func listed(_ name: String) throws -> [Course] {
        var order: [String] = []
        var events: [String: [(type: String, milliseconds: Int64)]] = [:]
        var isList = false
        for line in try SharedData.lines("sip/\(name).tshark.txt").map({ String(decoding: $0, as: UTF8.self) }) {
            if line.hasPrefix("== ") { isList = line == "== sip" }
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard isList, fields.count == 7, let type = type(fields[4], fields[5], fields[6]) else { continue }
            let known = events[fields[3]] ?? []
            if known.isEmpty { order.append(fields[3]) }
            // The ACK of a refusal is no event, nor is what is sent again.
            if type == "ACK", !known.contains(where: { $0.type == "200" }) { continue }
            if known.contains(where: { $0.type == type }) { continue }
            let digits = fields[0].filter { $0 != "." }
            let nanoseconds = try #require(Int64(digits))
            events[fields[3], default: []].append((type, nanoseconds / 1_000_000))
        }
        return order.map { call in
            let all = events[call] ?? []
            return Course(callID: call, events: all.map { "\($0.type)@\($0.milliseconds - all[0].milliseconds)" })
        }
    }

    private static func type(_ method: String, _ status: String, _ sequence: String) -> String? {
        guard !sequence.hasSuffix("PUBLISH") else { return nil }
        if sequence.hasSuffix("BYE") { return status.isEmpty ? "BYE" : "BYE \(status)" }
        return method.isEmpty ? status : method
    }

    @Test(arguments: recordings) func `a recorded call has the events that tshark lists, to the millisecond`(
        _ name: String
    ) throws {
        let packed = ["sip/\(name).pcap", "sip/\(name).pcap.gz"]
        let path = try #require(packed.first { (try? SharedData.bytes($0)) != nil })
        let notices = try Self.notices(path)
        #expect(Self.courses(notices) == (try Self.listed(name)))
    }

    @Test func `ten calls at once are started and hung up ten times`() throws {
        let notices = try Self.notices("sip/s3-sipp-10calls-loss2.caller.pcap.gz")
        var started = 0
        var hungUp = 0
        for notice in notices {
            if case .started(_, _, isComplete: true) = notice { started += 1 }
            if case .ended(_, _, .bye(by: .caller)) = notice { hungUp += 1 }
        }
        #expect([started, hungUp] == [10, 10])
    }

    // MARK: Captures of others, against their truth files

    static let truths = [
        "ndpi-FAX-Call-t38-CA-TDM-SIP-FB-1.pcap", "ndpi-sip.pcap", "ndpi-gre.pcapng", "ndpi-sip_hello.pcapng",
        "pcpp-sdp.pcap", "pcpp-sip_reqs.pcap", "heplify-ipip0.pcap", "sngrep-aaa.pcap", "sngrep-ipip.pcap",
        "sngrep-ipv6frag.pcap", "suricata-sdp.pcap", "wireshark-sip.pcapng", "zeek-wireshark.pcap",
    ]

    /// First times of a call's messages in milliseconds, as the truth file names them.
    private static let truthNames = ["t_invite": "INVITE", "t_100": "100", "t_bye": "BYE"]

    @Test(arguments: truths) func `the calls of a capture are those of its truth file`(_ name: String) throws {
        let truth = try JSONValue(parsing: try SharedData.bytes("captures/truth/\(name).json"))
        guard case .array(let listed) = truth.members?["sip_calls"] else {
            Issue.record("\(name) lists no calls")
            return
        }
        let calls = listed.compactMap(\.members).filter(Self.isCall)
        let notices = try Self.notices("captures/\(name)")
        var found: [String: [String: Int64]] = [:]
        for case .event(let call, let event) in notices {
            let first = found[call.callID]?[event.type] ?? event.time.milliseconds
            found[call.callID, default: [:]][event.type] = min(first, event.time.milliseconds)
        }
        #expect(Set(found.keys) == Set(calls.compactMap { $0["call_id"]?.text }))
        for call in calls {
            for (member, type) in Self.truthNames {
                guard let seconds = call[member]?.number else { continue }
                let time = try #require(found[call["call_id"]?.text ?? ""]?[type], "\(name) \(type)")
                #expect(abs(Double(time) - seconds * 1000) <= 1.01, "\(name) \(type)")
            }
        }
    }

    private static func isCall(_ call: JSONObject) -> Bool {
        let names = (call["methods"]?.members ?? [:]).map(\.key) + (call["status"]?.members ?? [:]).map(\.key)
        return names.contains { name in ["INVITE", "ACK", "BYE", "CANCEL"].contains { name.hasSuffix($0) } }
    }

    /// Read by hand from the messages of the captures.
    static let courses: [(capture: String, courses: [Course])] = [
        (
            "sngrep-aaa.pcap",
            [
                Course(
                    callID: "105090259-446faf7a@192.168.1.2",
                    events: ["INVITE@0", "100@2217", "CANCEL@34120", "408@36773"]),
                Course(
                    callID: "85216695-42dcdb1d@192.168.1.2",
                    events: ["INVITE@0", "407@1654", "INVITE@34129", "403@34334"]),
                Course(
                    callID: "24487391-449bf2a0@192.168.1.2",
                    events: ["INVITE@0", "407@154", "INVITE@51334", "100@51509", "403@51528"]),
                Course(
                    callID: "11894297-4432a9f8@192.168.1.2",
                    events: ["INVITE@0", "407@158", "INVITE@17420", "100@17592", "183@17846", "480@17889"]),
            ]
        ),
        (
            "ndpi-FAX-Call-t38-CA-TDM-SIP-FB-1.pcap",  // T.38 is asked for and refused; every hop is in the capture
            [
                Course(
                    callID: "00e9d4a500e9d48-0015-0001-0000-0000@10.35.40.25",
                    events: [
                        "INVITE@0", "100@1", "180@169", "200@6841", "ACK@6845", "reINVITE@8885",
                        "reINVITE 200@8899", "reINVITE@43442", "reINVITE 488@43529", "reINVITE@43548",
                        "reINVITE 200@43690", "BYE@83728", "BYE 200@83793",
                    ]),
                Course(
                    callID: "SD4909701-9ff11bf72eb4a347c92974d8fbbc2668-ao8o3i1",
                    events: [
                        "INVITE@0", "100@61", "180@162", "200@6831", "ACK@6857", "reINVITE@8877",
                        "reINVITE 200@8943", "reINVITE@43443", "reINVITE 488@43521", "reINVITE@43544",
                        "reINVITE 200@43682", "BYE@83723", "BYE 200@83785",
                    ]),
            ]
        ),
        (
            "sngrep-ipv6frag.pcap",  // two callees answer with 183, and each gets an UPDATE
            [
                Course(
                    callID: "71846-1647924829-397430@fd17:625c:f037:2:a00:27ff:feb9:1521",
                    events: [
                        "INVITE@0", "100@1", "183@323", "UPDATE@326", "183@830", "UPDATE@837", "200@3840",
                        "ACK@4605", "BYE@164608", "BYE 200@164613",
                    ])
            ]
        ),
        (
            "sngrep-ipip.pcap",
            [Course(callID: "1RLuVzzBClYCf2", events: ["INVITE@0", "183@10", "200@1660", "BYE@33672"])]
        ),
        (
            "pcpp-sip_reqs.pcap",  // three calls of which one message each was captured, and an ACK of a 487
            [
                Course(callID: "12013223@200.57.7.195", events: ["INVITE@0"]),
                Course(callID: "2091060b-146f-e011-809a-0019cb53db77@admind-desktop", events: ["CANCEL@0"]),
                Course(callID: "1-4247@10.0.2.20", events: ["BYE@0"]),
            ]
        ),
        (
            "wireshark-sip.pcapng",
            [Course(callID: "7f00000113ce0000047b000cd140@127.0.0.1", events: ["INVITE@0", "100@4", "181@27"])]
        ),
    ]

    @Test(arguments: courses) func `a capture has the courses that a reader finds`(
        _ capture: String, _ courses: [Course]
    ) throws {
        let found = Self.courses(try Self.notices("captures/\(capture)"))
        #expect(found == courses)
    }

    @Test func `the two legs of a border controller are found to be one call`() throws {
        let notices = try Self.notices("captures/ndpi-FAX-Call-t38-CA-TDM-SIP-FB-1.pcap")
        var relations: [String] = []
        for case .related(let call, let other, let relation) in notices {
            relations.append("\(call.number) \(other.number) \(relation)")
        }
        #expect(relations == ["1 2 tags"])
    }

    @Test func `what is sent again is counted and told once`() throws {
        var dialogs = SIPDialogs()
        let seen = try SIPCaptureReader("sip/s9-baresip-oneway-audio.caller.pcap.gz").messages()
        var notices: [SIPNotice] = []
        for item in seen { notices += dialogs.take(item.message, flow: item.flow, at: item.time) }
        guard case .started(let call, _, _) = notices.first else {
            Issue.record("no call")
            return
        }
        // The way back is broken: BYE goes out eleven times.
        #expect(dialogs.counters(of: call) == SIPCallCounters(messages: 15, retransmissions: 10))
    }

    @Test func `a proxy's copies are told from what is sent again`() throws {
        var dialogs = SIPDialogs()
        var call: CallRef?
        for item in try SIPCaptureReader("captures/sngrep-ipv6frag.pcap").messages() {
            for case .started(let ref, _, _) in dialogs.take(item.message, flow: item.flow, at: item.time) {
                call = ref
            }
        }
        let counters = try #require(call.flatMap { dialogs.counters(of: $0) })
        #expect(counters == SIPCallCounters(messages: 32, retransmissions: 1, otherHops: 15))
    }

    @Test func `damaged messages of a call are followed without harm`() throws {
        var random = RandomSource(seed: 11)
        let seen = try SIPCaptureReader("captures/sngrep-ipv6frag.pcap").messages()
        let texts = seen.map { item in
            SIPScript.text(
                .init(
                    milliseconds: 0, start: item.message.status.map { "SIP/2.0 \($0) X" } ?? item.message.method,
                    sequence: "\(item.message.sequence) \(item.message.method)",
                    tags: (item.message.fromTag ?? "", item.message.toTag), branch: item.message.topBranch ?? "",
                    sdp: item.message.body.isEmpty ? nil : String(decoding: item.message.body, as: UTF8.self)))
        }
        var dialogs = SIPDialogs()
        var events = 0
        for _ in 0..<40 {
            for (item, text) in zip(seen, texts) {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                guard let message = try? SIPMessage(parsing: bytes) else { continue }
                events += dialogs.take(message, flow: item.flow, at: item.time).count
            }
        }
        #expect(events > 10 && dialogs.count < 32 * 40)
    }
}
