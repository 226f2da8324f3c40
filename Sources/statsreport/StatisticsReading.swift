import CallModel
import CallReport
import ClientStats
import Collector
import Deflate
import Foundation
import StandardStreams

/// One pass over a file of statistics, and what is printed of it.
struct StatisticsReading: ~Copyable {
    let path: String
    let selection: FileSelection
    let addresses: AddressChoice
    let output: OutputOptions
    private var fold = CaptureFold(hasClients: true)
    private var calls = WorstCalls()
    /// Inflated.
    private static let mostBytes = 1 << 30

    init(path: String, selection: FileSelection, addresses: AddressChoice, output: OutputOptions) {
        self.path = path
        self.selection = selection
        self.addresses = addresses
        self.output = output
    }

    /// Whether the file begins as gzip does.
    static func isGzip(_ path: String) -> Bool {
        let handle = FileHandle(forReadingAtPath: path)
        return Gzip.isLikely(Array((try? handle?.read(upToCount: 2)) ?? Data()))
    }

    /// Reads the file and prints.
    mutating func run() throws {
        var reader: ImportReader
        var isWhole = true
        do {
            let file = Array(try Data(contentsOf: URL(filePath: path)))
            let content = try Gzip.contentToCut(of: file, maximumBytes: Self.mostBytes)
            isWhole = content.isWhole
            let context = ParsingContext(receivedAt: Clock.now(), addresses: addresses.policy)
            reader = try ImportReader(content.bytes, in: context)
        } catch {
            // What little comes before a cut may look like anything.
            let reason = InputFile.obstacle(to: path) ?? "\(error)"
            throw ReportError.unrecognised(file: path, reason: isWhole ? reason : "\(DeflateError.truncated)")
        }
        var figures = ImportFigures(name: path, format: "\(reader.format)")
        var progress = ProgressBar(total: Terminal.hasStandardError ? reader.byteCount : nil)
        while let part = reader.next() {
            try take(part, &figures)
            if let bar = progress.advance(to: reader.bytesRead) { Terminal.tell(bar) }
        }
        if Terminal.hasStandardError { Terminal.tell(ProgressBar.erasure) }
        figures.notes = (isWhole ? [] : ["\(DeflateError.truncated); what comes before counts"]) + reader.notes
        try fold.joinSessions()
        figures.calls = fold.openAttempts
        if fold.open.isEmpty, let reason = figures.firstRefusals.first {
            throw ReportError.nothingReadable(file: path, reason: reason)
        }
        try write(figures)
    }

    private mutating func take(_ part: ParsedBody, _ figures: inout ImportFigures) throws {
        for refusal in part.refusals { figures.refuse(refusal.reason, refusal.message) }
        for submission in part.submissions {
            for item in submission.facts {
                figures.count(item.fact)
                try fold.take(
                    item.fact, call: submission.identity.call, observer: submission.observer, names: item.names)
            }
        }
    }

    // MARK: Printing

    private mutating func write(_ figures: ImportFigures) throws {
        if output.format == .json { try StandardOutput.write(CaptureReport.jsonOpening) }
        let isInFull = selection != .worst || fold.openAttempts <= FileCommand.mostCallsInFull
        var shown = 0
        if output.format == .text, selection == .worst, isInFull {
            try StandardOutput.write(
                ImportReport(figures, calls: calls, at: Clock.afterAll).text(withList: false, style: output.style))
            shown = 1
        }
        let claimants = selection.name.map { fold.claimants(of: CallID(rawValue: $0)) } ?? []
        for call in fold.open {
            let summaries = try fold.summaries(of: call)
            for summary in summaries { calls.add(summary) }
            guard selection.includes(summaries) || claimants.contains(call) else { continue }
            switch output.format {
            case .json: for summary in summaries { try write(summary, &shown) }
            case .text where isInFull: try printInFull(call, &shown)
            case .text: break
            }
        }
        try finish(figures, isInFull: isInFull, shown: shown)
    }

    private func write(_ summary: CallSummary, _ shown: inout Int) throws {
        try StandardOutput.write(CaptureReport.json(summary, at: Clock.afterAll, isFirst: shown == 0))
        shown += 1
    }

    private func printInFull(_ call: CallID, _ shown: inout Int) throws {
        if shown > 0 { try StandardOutput.write("\n" + String(repeating: "─", count: output.style.columns) + "\n\n") }
        try StandardOutput.write(TextReport.render(try fold.records(of: call), at: Clock.afterAll, style: output.style))
        shown += 1
    }

    private func finish(_ figures: ImportFigures, isInFull: Bool, shown: Int) throws {
        if case .call(let name) = selection, shown == 0 {
            throw ReportError.noSuchCallInCapture(name, file: path, calls: figures.calls)
        }
        let report = ImportReport(figures, calls: calls, at: Clock.afterAll, hint: "statsreport \(path) --call ID")
        switch output.format {
        case .json: try StandardOutput.write(report.json())
        case .text where !isInFull: try StandardOutput.write(report.text(style: output.style))
        case .text where selection == .worst: break
        case .text:
            for note in figures.firstRefusals + figures.notes { Terminal.tell("\(path): \(note)\n") }
        }
    }
}
