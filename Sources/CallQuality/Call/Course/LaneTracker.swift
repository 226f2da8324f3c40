import CallModel

/// Keeps the spans in which a condition held.
struct LaneTracker: Archivable {
    private(set) var lanes: [CallLane] = []
    /// How many gave way to later ones.
    private(set) var leftOut = 0
    /// The places of the lanes that are open, by kind.
    private var open: [String: Int] = [:]

    /// A second beginning inside a span is part of it, unless it names something else.
    mutating func begin(_ kind: CallLane.Kind, at time: Timestamp, value: String? = nil) {
        if let place = open[kind.rawValue] {
            guard lanes[place].value != value else { return }
            end(kind, at: time)
        }
        if lanes.count >= CallLane.mostKept { makeRoom() }
        open[kind.rawValue] = lanes.count
        lanes.append(CallLane(kind: kind, span: TimeSpan(start: time, end: nil), value: value))
    }

    /// The one that ended first goes, at first of what only is shown: what excuses is asked for soon after it.
    private mutating func makeRoom() {
        let ended = lanes.enumerated().compactMap { place, lane in
            lane.span.end.map { (weight: lane.kind.weight, end: $0, place: place) }
        }
        guard let place = ended.min(by: { $0 < $1 })?.place else { return }
        lanes.remove(at: place)
        open = open.mapValues { $0 > place ? $0 - 1 : $0 }
        leftOut += 1
    }

    /// - Returns: how long the span was, in milliseconds; `nil` when none was open.
    @discardableResult
    mutating func end(_ kind: CallLane.Kind, at time: Timestamp) -> Int64? {
        guard let place = open.removeValue(forKey: kind.rawValue) else { return nil }
        lanes[place].span.end = time
        return time.milliseconds(since: lanes[place].span.start)
    }

    /// A hold by one end, or both, takes the place of the one before.
    mutating func hold(by holder: CallHolder?, at time: Timestamp) {
        let kind = CallLane.Kind(holder: holder)
        for other in CallLane.Kind.allCases where other.isHold && other != kind { end(other, at: time) }
        begin(kind, at: time)
    }

    /// Ends every hold, and what else keeps a call from being active.
    mutating func release(at time: Timestamp) {
        for kind in CallLane.Kind.allCases where kind.isHold || kind == .interrupted { end(kind, at: time) }
    }

    /// The hold this end made is over.
    mutating func resume(at time: Timestamp) {
        for kind in [CallLane.Kind.held, .heldLocally, .interrupted] { end(kind, at: time) }
    }

    /// The call is over, and with it everything that held.
    mutating func endAll(at time: Timestamp) {
        for kind in CallLane.Kind.allCases { end(kind, at: time) }
    }

    /// Seconds of `start`...`end` in which nobody could expect media of a kind; open spans reach to `end`.
    func excusedSeconds(of kind: MediaKind, from start: Timestamp, to end: Timestamp) -> Double {
        overlap(from: start, to: end) { $0.isExcused(for: kind) }
    }

    /// The parts of `start`...`end` in which an event told of a hold, in order of time; those that touch are one.
    func holds(from start: Timestamp, to end: Timestamp) -> [TimeSpan] {
        parts(from: start, to: end) { $0.isHold }
    }

    /// Seconds as ``excusedSeconds(of:from:to:)``, without holds.
    func interruptedSeconds(of kind: MediaKind, from start: Timestamp, to end: Timestamp) -> Double {
        overlap(from: start, to: end) { $0.isExcused(for: kind) && !$0.isHold }
    }

    /// Seconds of `start`...`end` in which this end meant to send no sound.
    func quietSeconds(from start: Timestamp, to end: Timestamp) -> Double {
        overlap(from: start, to: end) { $0 == .microphoneMuted || $0 == .interrupted || $0.isHold }
    }

    private func overlap(from start: Timestamp, to end: Timestamp, _ isMeant: (CallLane.Kind) -> Bool) -> Double {
        parts(from: start, to: end, isMeant).reduce(0) { $0 + ($1.end ?? end).seconds(since: $1.start) }
    }

    /// The parts of `start`...`end` in which one of these held; open spans reach to `end`.
    private func parts(from start: Timestamp, to end: Timestamp, _ isMeant: (CallLane.Kind) -> Bool) -> [TimeSpan] {
        let meant = lanes.filter { isMeant($0.kind) && $0.span.start < end && ($0.span.end ?? end) > start }
        return meant.sorted { $0.span.start < $1.span.start }.reduce(into: []) { parts, lane in
            let part = TimeSpan(start: max(lane.span.start, start), end: min(lane.span.end ?? end, end))
            guard let last = parts.last?.end, part.start <= last else { return parts.append(part) }
            parts[parts.count - 1].end = max(last, part.end ?? last)
        }
    }
}

extension CallLane.Kind {
    fileprivate init(holder: CallHolder?) {
        switch holder {
        case nil: self = .held
        case .local: self = .heldLocally
        case .remote: self = .heldRemotely
        case .both: self = .heldByBoth
        }
    }

    /// What weighs more is kept for longer.
    fileprivate var weight: Int {
        switch self {
        case .microphoneMuted, .cameraOff, .audioDevice: 0
        case .networkUnreachable, .signallingLost: 1
        case .held, .heldLocally, .heldRemotely, .heldByBoth, .interrupted, .background, .farEndMuted,
            .farEndVideoOff:
            2
        }
    }
}

// MARK: - Archive

extension LaneTracker {
    func write(to archive: inout ArchiveWriter) {
        archive.put(lanes, open, leftOut)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        (lanes, open, leftOut) = try archive.get()
    }
}
