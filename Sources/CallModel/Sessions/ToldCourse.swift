/// What was told of single calls under the id of a session, where it may be of one observer's: how far it goes on without
/// a break.
struct ToldCourse {
    /// What facts say of the beginning and the end of a call.
    private struct Bounds {
        var opens: Bool
        var ends: Bool

        init(_ fact: Fact) { (opens, ends) = (fact.opensCall, fact.endsCall) }
    }

    /// All that was told at one time. The fact of it that is met first decides: who looks ahead meets the first.
    private struct Moment {
        var time: Timestamp
        var first: Bounds
        var last: Bounds
    }

    private var moments: [Moment] = []
    /// For every moment the one up to which it goes on from there.
    private var latest: [Int] = []
    /// For every moment the one from which it goes on up to there.
    private var earliest: [Int] = []

    /// - Parameter facts: in order of their keys.
    init(_ facts: [Fact]) {
        for fact in facts {
            let bounds = Bounds(fact)
            if moments.last?.time == fact.time {
                moments[moments.count - 1].last = bounds
            } else {
                moments.append(Moment(time: fact.time, first: bounds, last: bounds))
            }
        }
        latest = Array(moments.indices)
        earliest = latest
        for (place, next) in zip(moments.indices, moments.indices.dropFirst()).reversed()
        where !moments[place].first.ends && isContinued(moments[place].time, at: next) {
            latest[place] = latest[next]
        }
        for (place, next) in zip(moments.indices, moments.indices.dropFirst())
        where !moments[next].last.opens && isPreceded(moments[next].time, at: place) {
            earliest[next] = earliest[place]
        }
    }

    private func isContinued(_ time: Timestamp, at place: Int) -> Bool {
        let moment = moments[place]
        return moment.time.milliseconds(since: time) <= SessionShare.silenceMilliseconds && !moment.first.opens
    }

    private func isPreceded(_ time: Timestamp, at place: Int) -> Bool {
        let moment = moments[place]
        return time.milliseconds(since: moment.time) <= SessionShare.silenceMilliseconds && !moment.last.ends
    }

    /// Up to when it goes on after a time, and whether a call ends there; `nil` when it does not go on.
    func end(after time: Timestamp, before limit: Timestamp?) -> (time: Timestamp, isOver: Bool)? {
        let next = moments.firstPlace { $0.time > time }
        guard next < moments.count, isContinued(time, at: next) else { return nil }
        let past = limit.map { limit in moments.firstPlace { $0.time >= limit } } ?? moments.count
        guard next < past else { return nil }
        let last = moments[min(latest[next], past - 1)]
        return (last.time, last.first.ends)
    }

    /// From when it goes on up to a time; `nil` when it does not.
    func start(before time: Timestamp, after limit: Timestamp?) -> Timestamp? {
        let previous = moments.firstPlace { $0.time >= time } - 1
        guard previous >= 0, isPreceded(time, at: previous) else { return nil }
        let first = limit.map { limit in moments.firstPlace { $0.time > limit } } ?? 0
        guard previous >= first else { return nil }
        return moments[max(earliest[previous], first)].time
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first place of what is so, in a collection in which that comes last; its end when nothing is.
    func firstPlace(where isSo: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isSo(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
