import ArgumentParser
import CallModel
import CallReport
import Collector
import Foundation
import PacketCapture
import StandardStreams

/// One pass over a capture, in one file or in those that it was rotated into, and what is printed of it.
struct CaptureReading: ~Copyable {
    let paths: [String]
    let selection: FileSelection
    let addresses: AddressChoice
    let output: OutputOptions
    private var fold = CaptureFold(hasClients: false)
    private var calls = WorstCalls()
    /// Full records, as long as they are few.
    private var full: [CallRecord] = []
    private var callsEnded = 0
    private var shown = 0
    /// How often the progress is looked at.
    private static let framesPerRound = 65_536

    /// - Throws: ``CaptureError`` of a file that is one of several.
    init(
        paths: [String], selection: FileSelection, addresses: AddressChoice, output: OutputOptions
    ) throws(CaptureError) {
        self.paths = try CaptureFile.inOrder(paths)
        self.selection = selection
        self.addresses = addresses
        self.output = output
    }

    /// Reads the files and prints.
    mutating func run(filter: String?) throws {
        let first = try CaptureFile(path: paths[0], filter: filter)
        var probe = WireProbe(linkType: first.linkType, options: ProbeOptions(tellsAddresses: addresses == .full))
        if output.format == .json { try StandardOutput.write(CaptureReport.jsonOpening) }
        var linkTypes: Set<LinkType?> = []
        var breakages: [String] = []
        try read(first, into: &probe, &linkTypes, &breakages)
        for path in paths.dropFirst() {
            try read(CaptureFile(path: path, filter: filter), into: &probe, &linkTypes, &breakages)
        }
        while probe.finishSome() { try take(probe.takeOutput()) }
        try take(probe.takeOutput())
        for call in fold.open { try conclude(call) }
        if Terminal.hasStandardError { Terminal.tell(ProgressBar.erasure) }
        let linkType = linkTypes.count == 1 ? linkTypes.first.flatMap(\.self) : nil
        try finish(figures(of: probe.figures, linkType: linkType?.words, breakages))
    }

    private mutating func read(
        _ opened: consuming CaptureFile, into probe: inout WireProbe, _ linkTypes: inout Set<LinkType?>,
        _ breakages: inout [String]
    ) throws {
        var file = opened
        probe.mayLackTimes = file.mayLackTimes
        if let statistics = file.statistics { probe.note(ofWholeFile: statistics) }
        var progress = ProgressBar(total: Terminal.hasStandardError ? file.byteCount : nil)
        var end = FrameLoopEnd.stopped
        while end == .stopped {
            var left = Self.framesPerRound
            end = try file.forEachFrame { frame, wireLength, time, linkType, coming in
                probe.expect(coming)
                while probe.prepare(for: time) { try take(probe.takeOutput()) }
                if probe.take(frame, wireLength: wireLength, at: time, as: linkType) { try take(probe.takeOutput()) }
                left -= 1
                return left > 0 ? .more : .enough
            }
            if let bar = progress.advance(to: file.bytesRead) { Terminal.tell(bar) }
        }
        if case .broken(let error) = end { breakages.append("\(error)") }
        linkTypes.insert(file.commonLinkType)
    }

    private mutating func take(_ output: [ProbeOutput]) throws {
        for item in output {
            switch item {
            case .fact(let call, let observer, let fact): try fold.take(fact, call: call, observer: observer)
            case .ended(let call): try conclude(call)
            }
        }
    }

    /// Shows a call that has ended, or keeps what will be shown of it.
    private mutating func conclude(_ call: CallID) throws {
        defer { fold.forget(call) }
        let records = isInFull ? try fold.records(of: call) : []
        let summaries = isInFull ? records.map(\.summary) : try fold.summaries(of: call)
        for summary in summaries { calls.add(summary) }
        guard !summaries.isEmpty, selection.includes(summaries) else { return }
        callsEnded += 1
        switch (output.format, selection) {
        case (.json, _): try write(summaries)
        case (.text, .worst): full = callsEnded <= FileCommand.mostCallsInFull ? full + records : []
        case (.text, .all): try printInFull(records)
        case (.text, .call): try printInFull(fold.records(of: call))
        }
    }

    /// Whether the call that ends next is shown in full for all that is known before it is folded; time series are large.
    private var isInFull: Bool {
        switch (output.format, selection) {
        case (.text, .worst): callsEnded < FileCommand.mostCallsInFull
        case (.text, .all): true
        case (.text, .call), (.json, _): false
        }
    }

    private mutating func write(_ summaries: [CallSummary]) throws {
        for summary in summaries {
            try StandardOutput.write(CaptureReport.json(summary, at: Clock.afterAll, isFirst: shown == 0))
            shown += 1
        }
    }

    private mutating func printInFull(_ records: [CallRecord]) throws {
        if shown > 0 { try StandardOutput.write("\n" + String(repeating: "─", count: output.style.columns) + "\n\n") }
        try StandardOutput.write(TextReport.render(records, at: Clock.afterAll, style: output.style))
        shown += records.count
    }

    private mutating func finish(_ figures: CaptureFigures) throws {
        if case .call(let name) = selection, shown == 0 {
            let files = paths.joined(separator: " ")
            throw ReportError.noSuchCallInCapture(name, file: files, calls: figures.calls)
        }
        let file = paths.count == 1 ? paths[0] : "FILE …"
        let hint = full.isEmpty && calls.records > 0 ? "statsreport \(file) --call ID" : nil
        let report = CaptureReport(figures, calls: calls, at: Clock.afterAll, hint: hint)
        switch output.format {
        case .json: try StandardOutput.write(report.json())
        case .text where selection == .worst:
            try StandardOutput.write(report.text(style: output.style))
            shown = full.count
            if !full.isEmpty { try printInFull(full) }
        case .text:
            for note in figures.notes { Terminal.tell("\(name): \(note)\n") }
        }
    }

    private var name: String {
        paths.count == 1 ? paths[0] : "\(paths[0]) to \(paths[paths.count - 1]) (\(paths.count) files)"
    }

    private func figures(of probe: ProbeFigures, linkType: String?, _ breakages: [String]) -> CaptureFigures {
        var figures = CaptureFigures(name: name)
        figures.linkType = linkType
        figures.frames = probe.frames
        figures.firstFrameAt = probe.firstFrameAt
        figures.lastFrameAt = probe.lastFrameAt
        figures.rtpPackets = probe.rtpPackets
        figures.rtcpPackets = probe.rtcpPackets
        figures.sipMessages = probe.sipMessages
        figures.streams = probe.streams
        figures.calls = probe.calls
        figures.otherPackets = probe.otherPackets
        if probe.rejectedRTPPackets > 0 { figures.otherPackets["like RTP, in no stream"] = probe.rejectedRTPPackets }
        figures.refusals = probe.refused
        figures.notes += breakages
        if probe.holes > 0 {
            let holes = "\(probe.holes) hole\(probe.holes == 1 ? "" : "s")"
            figures.notes.append("The capture has \(holes): nothing was recorded while many streams flowed")
        }
        if probe.clockSteps > 0 {
            let times = "\(probe.clockSteps) time\(probe.clockSteps == 1 ? "" : "s")"
            figures.notes.append(
                "The clock of the capture was set forward, \(times): all streams went on as if no time had passed; the "
                    + "pauses of senders there are none, and calls are longer by them")
        }
        if probe.framesWithoutTime > 0 {
            let frames = "\(probe.framesWithoutTime) frame\(probe.framesWithoutTime == 1 ? "" : "s")"
            figures.notes.append(
                "\(frames) without a time (simple packet blocks of pcapng): jitter, lengths and whatever else depends on "
                    + "arrival say nothing")
        }
        if probe.framesOutOfOrder > 0 {
            let frames = "\(probe.framesOutOfOrder) frame\(probe.framesOutOfOrder == 1 ? "" : "s")"
            figures.notes.append(
                "The capture is not in order of time: \(frames) more than 1 s behind; outages and losses there may be "
                    + "the file's; reordercap puts it in order")
        }
        return figures
    }
}
