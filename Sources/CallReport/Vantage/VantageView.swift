import CallModel

/// One observer's record of a call, in the time of the record that is reported on.
struct VantageView {
    let summary: CallSummary
    let intervals: [MediaInterval]
    /// To be added to this observer's times.
    let shiftMilliseconds: Int64

    /// The observer of the record that is reported on.
    init(own record: CallRecord) {
        (summary, intervals, shiftMilliseconds) = (record.summary, record.intervals, 0)
    }

    /// Another observer. Its clock is taken as it is, unless its record then lies mostly elsewhere, and both observers'
    /// clocks are known against the collector's: then by these.
    init(_ other: CallSummary, intervals: [MediaInterval], beside own: CallSummary) {
        (summary, self.intervals) = (other, intervals)
        let shorter = min(Self.length(of: own), Self.length(of: other))
        var shift: Int64 = 0
        if Self.overlap(own, other, shift: 0) < shorter / 2,
            let ownOffset = own.dataQuality.clockOffsetMilliseconds,
            let otherOffset = other.dataQuality.clockOffsetMilliseconds
        {
            let difference = otherOffset.subtractingReportingOverflow(ownOffset)
            let known = difference.overflow ? 0 : difference.partialValue
            if Self.overlap(own, other, shift: known) > Self.overlap(own, other, shift: 0) { shift = known }
        }
        shiftMilliseconds = shift
    }

    private static func length(of summary: CallSummary) -> Int64 {
        summary.lastActivity.milliseconds(since: summary.start)
    }

    private static func overlap(_ own: CallSummary, _ other: CallSummary, shift: Int64) -> Int64 {
        let end = min(own.lastActivity, other.lastActivity.advanced(byMilliseconds: shift))
        return max(0, end.milliseconds(since: max(own.start, other.start.advanced(byMilliseconds: shift))))
    }

    /// Whether this saw packets pass, and was none of the ends.
    var isProbe: Bool { summary.sensor != nil || summary.isFromWire }

    /// The sensor of a probe's record, without the end that it stands for: `wire` of `wire:callee`.
    var sensor: String {
        let name = summary.key.observer.rawValue
        return name.lastIndex(of: ":").map { String(name[..<$0]) } ?? name
    }

    /// The end that a record stands for, by its name: `callee` of `wire:callee` and of `callee`.
    var end: String {
        let name = summary.key.observer.rawValue
        return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    func time(_ time: Timestamp) -> Timestamp { time.advanced(byMilliseconds: shiftMilliseconds) }

    /// The stream's rows, in the order of time.
    func intervals(of stream: StreamKey) -> [MediaInterval] { intervals.filter { $0.stream == stream } }

    /// The last moment that any row reaches.
    var lastRowEnd: Timestamp? { intervals.map(\.end).max().map(time) }

    /// Whether it received packets of this kind.
    func receives(_ kind: MediaKind) -> Bool {
        summary.streams.contains { $0.stream.kind == kind && $0.stream.direction == .inbound && $0.packets ?? 0 > 0 }
    }
}
