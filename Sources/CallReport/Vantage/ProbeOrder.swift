import CallModel

/// How the probes lie on one way, by all streams that flow along it: one stream alone may tell too little.
struct ProbeOrder {
    private var evidence: [ObserverID: Evidence] = [:]

    /// What tells how far a probe is from the sender.
    private struct Evidence {
        /// The largest ``PathPoint/missing(of:)`` of any stream.
        var missing = 0
        /// Jitter beyond that of the probe that has least, in ms, of each stream of sound and of pictures.
        var sound: [Double] = []
        var pictures: [Double] = []
        /// The first packet after that of the probe that saw it first, in ms, of each stream.
        var lags: [Int64] = []
    }

    /// - Parameter streams: who saw each of the streams that flow one way.
    init(_ streams: [[StreamSighting]]) {
        for sightings in streams where sightings.count(where: { $0.place == .probe }) > 1 { take(sightings) }
    }

    private mutating func take(_ sightings: [StreamSighting]) {
        guard let common = StreamSighting.commonSpan(of: sightings) else { return }
        let points = sightings.map { PathPoint($0, in: common) }
        let largest = points.compactMap(\.packets).max() ?? 0
        let probes = zip(sightings, points).filter { $0.0.place == .probe }
        let leastJitter = probes.compactMap(\.1.jitterMilliseconds).min() ?? 0
        let first = probes.compactMap { $0.0.firstPacketAt }.min()
        for (sighting, point) in probes {
            guard let observer = point.observer else { continue }
            var known = evidence[observer] ?? Evidence()
            known.missing = max(known.missing, point.missing(of: largest))
            if let jitter = point.jitterMilliseconds, sighting.isSound { known.sound.append(jitter - leastJitter) }
            if let jitter = point.jitterMilliseconds, !sighting.isSound { known.pictures.append(jitter - leastJitter) }
            if let first, let own = sighting.firstPacketAt { known.lags.append(own.milliseconds(since: first)) }
            evidence[observer] = known
        }
    }

    /// Where a probe lies among others: what sorts before is nearer to the sender. Jitter of pictures, which leave in bursts,
    /// counts where there is no sound.
    func rank(of observer: ObserverID?) -> (missing: Int, jitter: Int, lag: Int64) {
        guard let known = observer.flatMap({ evidence[$0] }) else { return (0, 0, 0) }
        let jitters = known.sound.isEmpty ? known.pictures : known.sound
        let jitter = jitters.reduce(0, +) / Double(max(1, jitters.count))
        let lag = known.lags.map { Double($0) }.reduce(0, +) / Double(max(1, known.lags.count))
        return (
            known.missing, Int(min(1_000, jitter / StreamPath.leastJitterMilliseconds)),
            Int64(min(1e15, max(0, lag)).rounded())
        )
    }
}

extension PathPoint {
    /// The share that is missing there of as many packets as were seen anywhere, in half percents; 0 where the difference
    /// would be none as loss, or may lie outside of the common time.
    func missing(of largest: Double) -> Int {
        let fewer = largest - min(largest, max(0, packets ?? 0))
        let limit = max(StreamPath.leastPercent / 100 * largest, 3 + uncertainPackets)
        return fewer > limit ? Int((200 * fewer / max(1, largest)).rounded()) : 0
    }
}
