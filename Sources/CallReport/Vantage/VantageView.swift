import CallModel

/// One observer's record of a call, in the time of the record that is reported on.
struct VantageView {
    let summary: CallSummary
    private let rows: Rows
    /// To be added to this observer's times.
    let shiftMilliseconds: Int64

    /// The observer of the record that is reported on.
    init(own record: CallRecord) {
        (summary, rows, shiftMilliseconds) = (record.summary, Rows(record.summary, record.intervals), 0)
    }

    /// Another observer. Its clock is taken as it is, unless its record then lies mostly elsewhere, and both observers'
    /// clocks are known against the collector's: then by these.
    init(_ other: CallSummary, intervals: [MediaInterval], beside own: CallSummary) {
        (summary, rows) = (other, Rows(other, intervals))
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
    var isProbe: Bool { rows.isProbe }

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
    func intervals(of stream: StreamKey) -> [MediaInterval] { rows.intervals[stream] ?? [] }

    /// What it saw of the stream that another observer knows under a key.
    func streams(like stream: StreamKey) -> [StreamSummary] { rows.streams[Source(stream)] ?? [] }

    /// The first moment of the first row.
    var firstRowStart: Timestamp? { rows.start.map(time) }

    /// The last moment that any row reaches.
    var lastRowEnd: Timestamp? { rows.end.map(time) }

    /// The last moment that any row reaches, or until when a probe watched.
    var lastWatched: Timestamp? {
        rows.end.map { time(max($0, summary.sensor?.watchedUntil ?? $0)) }
    }

    /// Whether it received packets of this kind.
    func receives(_ kind: MediaKind) -> Bool { rows.received.contains(kind) }
}

extension VantageView {
    /// What one stream is known by to all who see it.
    private struct Source: Hashable {
        let kind: MediaKind
        let source: String

        init(_ stream: StreamKey) { (kind, source) = (stream.kind, stream.source) }
    }

    /// What was seen, by stream: a call may have thousands.
    private struct Rows {
        /// In the order of time.
        let intervals: [StreamKey: [MediaInterval]]
        let streams: [Source: [StreamSummary]]
        let start: Timestamp?
        let end: Timestamp?
        let isProbe: Bool
        let received: Set<MediaKind>

        init(_ summary: CallSummary, _ intervals: [MediaInterval]) {
            self.intervals = Dictionary(grouping: intervals, by: \.stream)
            streams = Dictionary(grouping: summary.streams) { Source($0.stream) }
            (start, end) = (intervals.first?.start, intervals.map(\.end).max())
            isProbe = summary.sensor != nil || summary.isFromWire
            let inbound = summary.streams.filter { $0.stream.direction == .inbound && $0.packets ?? 0 > 0 }
            received = Set(inbound.map(\.stream.kind))
        }
    }
}
