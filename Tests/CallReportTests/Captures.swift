import CallModel
import CallReport

extension WorstCalls {
    /// What is left of all records of a capture.
    init(of calls: [CallSummary]) {
        self.init()
        for call in calls { add(call) }
    }
}

extension CaptureReport {
    /// The whole JSON text, as a program writes it piece by piece.
    static func wholeJSON(_ figures: CaptureFigures, _ calls: [CallSummary], at now: Timestamp) -> String {
        var text = jsonOpening
        for (index, call) in calls.enumerated() { text += json(call, at: now, isFirst: index == 0) }
        return text + CaptureReport(figures, calls: WorstCalls(of: calls), at: now).json()
    }
}
