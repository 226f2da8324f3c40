import CallModel

/// A detector of something that lasts: a value, the level that raises an issue and the lower one that clears it.
///
/// Evidence is counted in seconds and not in reports, so that reports of every second and of every ten seconds find the
/// same: an issue needs ``evidenceSeconds`` (k) of the last ``windowSeconds`` (n).
///
/// A class, for every report of every stream hands all of them around.
final class LevelDetector: Sendable {
    /// How the window becomes one value.
    enum Form: Sendable {
        /// Sum of the amounts over sum of the bases, times `scale`; k seconds must have been measured.
        case share(scale: Double)
        /// The level itself, which must have been reached for k seconds.
        case level
    }

    let kind: IssueKind
    /// Which streams it looks at; `nil` for both.
    let media: MediaKind?
    let direction: MediaDirection?
    let unit: CallIssue.Unit
    let form: Form
    /// From this value on there is an issue, and below ``clear`` there is none any more.
    let raise: Double
    let clear: Double
    /// From these values on it is a warning, and critical.
    let warning: Double
    let critical: Double
    /// k.
    let evidenceSeconds: Double
    /// n.
    let windowSeconds: Double
    /// What comes again within this time is the same issue.
    let coolDownSeconds: Double
    /// Packets that must be missing in the window meanwhile, in percent.
    let leastLossPercent: Double
    /// What the amounts of the window must come to at least: few of a few say little.
    let leastAmount: Double
    /// The W3C members that are read.
    let members: [String]
    /// Where the levels come from.
    let source: String
    /// What a sample says; `nil` where it says nothing, or nothing fresh.
    let reading: @Sendable (IssueSample) -> IssueReading?
    /// What to show for it: amount and base over the whole span, and the worst value.
    let evidence: @Sendable (LevelRecord) -> [CallIssue.Evidence]

    /// Names the detector in the state of a call.
    let id: String

    init(
        kind: IssueKind, media: MediaKind?, direction: MediaDirection?, unit: CallIssue.Unit, form: Form,
        raise: Double, clear: Double, warning: Double, critical: Double, evidenceSeconds: Double,
        windowSeconds: Double, coolDownSeconds: Double = 20, leastLossPercent: Double = 0, leastAmount: Double = 0,
        idSuffix: String = "", members: [String], source: String,
        reading: @escaping @Sendable (IssueSample) -> IssueReading?,
        evidence: @escaping @Sendable (LevelRecord) -> [CallIssue.Evidence]
    ) {
        (self.kind, self.media, self.direction) = (kind, media, direction)
        (self.unit, self.form, self.members, self.source) = (unit, form, members, source)
        (self.raise, self.clear, self.warning, self.critical) = (raise, clear, warning, critical)
        (self.evidenceSeconds, self.windowSeconds) = (evidenceSeconds, windowSeconds)
        (self.coolDownSeconds, self.leastLossPercent, self.leastAmount) =
            (coolDownSeconds, leastLossPercent, leastAmount)
        (self.reading, self.evidence) = (reading, evidence)
        id = [kind.rawValue, media?.rawValue ?? "", direction?.rawValue ?? ""].joined(separator: "/") + idSuffix
    }

    func severity(of worst: Double) -> IssueSeverity {
        worst >= critical ? .critical : worst >= warning ? .warning : .notice
    }

    /// The value of one reading by itself.
    func value(_ reading: IssueReading) -> Double? {
        switch form {
        case .level: reading.amount
        case .share(let scale): reading.base > 0 ? scale * max(0, reading.amount) / reading.base : nil
        }
    }
}
