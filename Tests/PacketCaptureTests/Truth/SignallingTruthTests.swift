import CallModel
import Foundation
import PacketCapture
import TestSupport
import Testing

@Suite(SharedData.required) struct SignallingTruthTests {
    @Test(arguments: TsharkReading.names)
    func `calls are told as tshark printed their messages`(name: String) throws {
        let reading = try TsharkReading(name)
        let run = try ProbeRun(reading.capture)
        let found = SetupTimes.all(in: run)
        #expect(Set(found.keys) == Set(reading.calls.keys))
        for (call, expected) in reading.calls {
            let times = try #require(found[call])
            #expect(times.steps == expected.steps, "\(call)")
            let apart = zip(times.milliseconds, expected.milliseconds).map { abs($0 - $1) }.max() ?? 0
            #expect(apart <= 1, "\(call): \(times.milliseconds), tshark \(expected.milliseconds)")
            #expect(times.ends == expected.ends, "\(call)")
        }
    }

    @Test(arguments: CaptureTruth.names)
    func `setup times of a capture are those of the reference`(name: String) throws {
        let truth = try CaptureTruth(name)
        let found = SetupTimes.all(in: try ProbeRun(truth.url))
        for dialog in truth.dialogs where dialog.requests["INVITE"] != nil {
            let times = try #require(found[dialog.callID], "\(dialog.callID)")
            for (step, milliseconds) in dialog.milliseconds {
                let time = times.milliseconds(to: step)
                #expect(
                    abs((time ?? -1) - milliseconds) <= 1,
                    "\(dialog.callID): \(step) \(milliseconds), found \(time ?? -1)")
            }
        }
    }
}

/// When the steps of a call's setup and end first happened, in ms after its INVITE.
struct SetupTimes {
    /// In order of time: `INVITE`, `100`, `180`, `200`, `ACK`, `BYE`…
    private(set) var steps: [String] = []
    private(set) var milliseconds: [Double] = []
    /// Who said it.
    private(set) var ends: [String] = []

    mutating func note(_ step: String, at time: Double, by end: String) {
        guard !steps.contains(step) else { return }
        steps.append(step)
        milliseconds.append(time)
        ends.append(end)
    }

    /// By the reference's names: `180` is 183 too.
    func milliseconds(to step: String) -> Double? {
        let names = step == "180" ? ["180", "183"] : [step.uppercased()]
        return zip(steps, milliseconds).first { names.contains($0.0) }?.1
    }

    /// The steps that messages of a setup are; others are left out.
    static let known: Set<String> = [
        "INVITE", "100", "180", "183", "200", "ACK", "CANCEL", "BYE", "486", "487", "488", "404", "401", "407",
    ]

    /// What a probe told, by Call-ID.
    static func all(in run: ProbeRun) -> [String: SetupTimes] {
        var calls: [String: SetupTimes] = [:]
        var begins: [String: Timestamp] = [:]
        for record in run.records where record.observer.rawValue == "wire:caller" {
            for event in run.events[record] ?? [] where event.action == "sip" {
                guard known.contains(event.type) else { continue }
                let call = record.call.rawValue
                let begin = begins[call] ?? event.time
                begins[call] = begin
                let end = event.members["end"]?.text ?? ""
                calls[call, default: SetupTimes()].note(
                    event.type, at: Double(event.time.milliseconds - begin.milliseconds), by: end)
            }
        }
        return calls
    }
}

/// Every SIP message of one of our own captures, as tshark printed it when it was taken.
struct TsharkReading {
    let capture: URL
    /// By Call-ID.
    private(set) var calls: [String: SetupTimes] = [:]

    /// The printouts there are; empty without the shared data.
    static let names: [String] = {
        let all = try? FileManager.default.contentsOfDirectory(atPath: SharedData.url("sip").path)
        return (all ?? []).filter { $0.hasSuffix(".tshark.txt") }.sorted()
    }()

    init(_ name: String) throws {
        let stem = String(name.dropLast(".tshark.txt".count))
        let plain = SharedData.url("sip/\(stem).pcap")
        capture = FileManager.default.fileExists(atPath: plain.path) ? plain : SharedData.url("sip/\(stem).pcap.gz")
        let text = String(decoding: try SharedData.bytes("sip/\(name)"), as: UTF8.self)
        var begins: [String: (time: Double, caller: Substring)] = [:]
        let lines = text.split(separator: "\n").drop { $0 != "== sip" }.dropFirst().prefix { !$0.hasPrefix("==") }
        for line in lines { note(line, &begins) }
    }

    /// Time, source, destination, Call-ID, method, status, CSeq.
    private mutating func note(_ line: Substring, _ begins: inout [String: (time: Double, caller: Substring)]) {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count == 7, let time = Double(fields[0]) else { return }
        let call = String(fields[3])
        let isInvite = fields[4] == "INVITE"
        guard let begin = begins[call] ?? (isInvite ? (time, fields[1]) : nil) else { return }
        let isRepeated = isInvite && begins[call] != nil
        begins[call] = begin
        guard !isRepeated, fields[4] != "" || fields[6].hasSuffix("INVITE") else { return }
        let step = fields[4].isEmpty ? String(fields[5]) : String(fields[4])
        // The ACK of a refusal belongs to its transaction, hop by hop (RFC 3261 §17.1.1.3); it is no step of the call.
        let isRefused = (calls[call]?.steps ?? []).contains { (Int($0) ?? 0) >= 300 }
        guard step != "ACK" || !isRefused else { return }
        // Over the loopback the addresses do not tell the ends apart; there the caller sends all requests.
        let isCallers = fields[1] == fields[2] ? !fields[4].isEmpty : fields[1] == begin.caller
        let end = isCallers ? "caller" : "callee"
        calls[call, default: SetupTimes()].note(step, at: 1000 * (time - begin.time), by: end)
    }
}
