public import CallModel

/// One call record as text for people.
///
/// The first line holds the verdict and its reason. No line is longer than ``TextStyle/columns``, none ends with a
/// space, the last ends with a newline. Units stand beside every figure, `–` stands for "not known". Whatever a client
/// said is shown with its control characters escaped.
public struct TextReport: Sendable {
    private let context: ReportContext
    private let isColoured: Bool

    /// - Parameters:
    ///   - record: All that is shown; nothing is computed that could change a score.
    ///   - now: The moment that decides whether the call is live, on the collector's clock.
    ///   - style: Width and colours.
    public init(_ record: CallRecord, at now: Timestamp, style: TextStyle = TextStyle()) {
        context = ReportContext(record: record, now: now, columns: style.columns)
        isColoured = style.isColoured
    }

    /// The reports of several records, one after another, a rule between them. Of more than ten the worst ten, behind a list.
    public static func render(_ records: [CallRecord], at now: Timestamp, style: TextStyle = TextStyle()) -> String {
        let rule = "\n" + String(repeating: "─", count: style.columns) + "\n\n"
        let list = RecordList(records, at: now)
        let reports = (list?.worst ?? records).map { TextReport($0, at: now, style: style).render() }
        let parts = list.map { [$0.text(style: style)] + reports } ?? reports
        return parts.joined(separator: rule)
    }

    /// The whole report.
    public func render() -> String {
        let sections: [any ReportSection] = [
            VerdictSection(context: context), IssueSection(context: context), SetupSection(context: context),
            RibbonSection(context: context),
            CostSection(context: context), BasisSection(context: context), StreamSection(context: context),
            WireSection(context: context), CaptureSection(context: context), VantageSection(context: context),
            PathSection(context: context),
            InterruptionSection(context: context), CourseSection(context: context), EventSection(context: context),
            ObserverSection(context: context), DataQualitySection(context: context),
        ]
        return sections.map(\.lines).filter { !$0.isEmpty }
            .map { lines in lines.map { $0.rendered(isColoured: isColoured) + "\n" }.joined() }
            .joined(separator: "\n")
    }
}
