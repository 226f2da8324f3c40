/// Something that went wrong in a call, from when to when, how bad it became, and why it is thought so.
public struct CallIssue: Hashable, Sendable, Codable {
    /// What went wrong.
    public var kind: IssueKind
    /// How much it matters.
    public var severity: IssueSeverity
    /// The stream it happened on; `nil` where it concerns the whole call.
    public var stream: StreamKey?
    /// From when to when, to the interval of the reports or better; its end is the last that was seen of it.
    public var span: TimeSpan
    /// Whether nothing tells that it was over by then.
    public var isOpen: Bool
    /// The worst value, after the definition of the kind (`docs/issues.md`); `nil` where there is none.
    public var worst: Measure?
    /// What it was concluded from.
    public var evidence: [Evidence]
    /// What it probably comes from, by what happened at the same time; `nil` where nothing tells.
    public var cause: IssueCause?

    public init(
        kind: IssueKind, severity: IssueSeverity, stream: StreamKey? = nil, span: TimeSpan, isOpen: Bool = false,
        worst: Measure? = nil, evidence: [Evidence] = [], cause: IssueCause? = nil
    ) {
        self.kind = kind
        self.severity = severity
        self.stream = stream
        self.span = span
        self.isOpen = isOpen
        self.worst = worst
        self.evidence = evidence
        self.cause = cause
    }

    /// Whether the network has to do with it, by its kind or by its likely cause.
    public var isOfNetwork: Bool { kind.isOfNetwork || cause?.isOfNetwork == true }

    /// Whether it is a loss that a probe could not see: the receiver's RTCP tells of it
    /// ([RFC 3550 §6.4.1](https://www.rfc-editor.org/rfc/rfc3550#section-6.4.1)).
    public var isBehindProbe: Bool { evidence.first?.member == WireFigure.packetsLostBehind.name }
}

extension CallIssue {
    /// A value with its unit.
    public struct Measure: Hashable, Sendable, Codable {
        /// How much.
        public var value: Double
        /// Of what.
        public var unit: Unit

        public init(_ value: Double, _ unit: Unit) {
            self.value = value
            self.unit = unit
        }
    }

    /// The units of ``Measure``.
    public enum Unit: String, Hashable, Sendable, Codable, CaseIterable {
        case percent, milliseconds, seconds, decibels, count
    }

    /// A member of the statistics, or an event, and what it said over the span.
    public struct Evidence: Hashable, Sendable, Codable {
        /// The W3C member, or the event's type.
        public var member: String
        /// What it came to: counters as the difference over the span, in W3C units; `nil` for an event, or a text.
        public var value: Double?
        /// What it said in words, such as a codec; `nil` for a number.
        public var text: String?

        public init(_ member: String, _ value: Double?) {
            self.member = member
            self.value = value
        }

        public init(_ member: String, text: String?) {
            self.member = member
            self.text = text
        }
    }
}

extension CallIssue {
    /// Whether it is sound that went one way only, and this end heard nothing.
    public var isNothingHeard: Bool {
        guard kind == .oneWayAudio else { return false }
        let isUnreached = cause == .destinationUnreachable && evidence.first?.member == "packetsReceived"
        return cause == .farEndSendsNothing || isUnreached
    }

    /// The order of a report: most severe first, then by time; the rest only makes the order definite.
    public static func areInReportOrder(_ left: CallIssue, _ right: CallIssue) -> Bool {
        if left.severity != right.severity { return left.severity > right.severity }
        if left.span.start != right.span.start { return left.span.start < right.span.start }
        if left.kind != right.kind { return left.kind.place < right.kind.place }
        switch (left.stream, right.stream) {
        case (let left?, let right?): return left < right
        case (nil, .some): return true
        default: return false
        }
    }

    /// The order in which issues are kept: most severe first, then the longest, then as in a report.
    public static func isWeightier(_ left: CallIssue, _ right: CallIssue) -> Bool {
        if left.severity != right.severity { return left.severity > right.severity }
        let lengths = (left.span.milliseconds ?? .max, right.span.milliseconds ?? .max)
        return lengths.0 == lengths.1 ? areInReportOrder(left, right) : lengths.0 > lengths.1
    }
}

extension IssueKind {
    /// What is heard most comes first.
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
