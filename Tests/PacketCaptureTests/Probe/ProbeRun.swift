import CallModel
import Foundation
import PacketCapture
import RTPMeter

/// A whole capture sent through a probe: what it told, and how each end's record of each call stood in the end.
struct ProbeRun {
    /// One end of a call.
    struct Record: Hashable, CustomStringConvertible {
        var call: CallID
        var observer: ObserverID
        var description: String { "\(call.rawValue)/\(observer.rawValue)" }
    }

    /// One thing that a probe told; the fact is nil where a call ended.
    struct Told: Hashable {
        var call: CallID
        var observer: ObserverID?
        var fact: Fact?
    }

    /// All that was told, in order.
    private(set) var told: [Told] = []
    private(set) var figures = ProbeFigures()
    /// The records, in the order in which they first spoke.
    private(set) var records: [Record] = []
    /// The reports of each record, in order.
    private(set) var reports: [Record: [WireReport]] = [:]
    /// The events of each record, in order.
    private(set) var events: [Record: [CallEvent]] = [:]

    /// Sends a capture file through.
    init(_ file: URL, options: ProbeOptions = ProbeOptions()) throws {
        var capture = try CaptureFile(path: file.path)
        var probe = WireProbe(linkType: capture.linkType, options: options)
        _ = capture.forEachFrame { frame, wireLength, time in
            probe.take(frame, wireLength: wireLength, at: time)
            return .more
        }
        self.init(ending: &probe)
    }

    /// Ends a probe and takes what it told.
    init(ending probe: inout WireProbe) {
        probe.finish()
        figures = probe.figures
        for item in probe.takeOutput() { note(item) }
    }

    private mutating func note(_ item: ProbeOutput) {
        guard case .fact(let call, let observer, let fact) = item else {
            if case .ended(let call) = item { told.append(Told(call: call)) }
            return
        }
        told.append(Told(call: call, observer: observer, fact: fact))
        let record = Record(call: call, observer: observer)
        if reports[record] == nil, events[record] == nil { records.append(record) }
        switch fact {
        case .wire(let report): reports[record, default: []].append(report)
        case .event(let event): events[record, default: []].append(event)
        case .report: break
        }
    }

    /// The last report of each record that has one.
    var lastReports: [(record: Record, report: WireReport)] {
        records.compactMap { record in reports[record]?.last.map { (record, $0) } }
    }

    /// Every stream as it stood in the end.
    var streams: [ReportedStream] { lastReports.flatMap(\.report.streams) }
}

/// A stream in a report.
typealias ReportedStream = WireStream

extension ReportedStream {
    /// A count; -1 when it is absent.
    func count(_ figure: WireFigure) -> Int { self[figure].map { Int($0) } ?? -1 }

    /// Every packet that came: each number once, its repetitions, and those that stood alone.
    var packets: Int {
        count(.packetsReceived) + count(.packetsDuplicated) + count(.packetsRecordedTwice) + count(.packetsRejected)
    }

    /// What came again, whoever repeated it.
    var repeated: Int { count(.packetsDuplicated) + count(.packetsRecordedTwice) }
}
