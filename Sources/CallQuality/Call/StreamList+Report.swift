import CallModel

// MARK: - A report that they are yet to take

extension StreamList {
    /// When a report had the stream last.
    func lastSeen(_ stream: StreamKey) -> Timestamp? {
        guard let index = index(of: stream, near: 0) else { return nil }
        return self[index].meter.previous.time
    }

    /// Whether one has been told of that brings sound to this end.
    var hasInboundAudio: Bool {
        indices.contains { self[$0].stream.isInboundAudio }
    }

    /// Whether a report comes a moment after another one of its connection, and tells of other streams: one of the same streams
    /// is a report of its own.
    func isPart(_ report: StatsReport, after before: Timestamp?) -> Bool {
        guard let before, report.time.milliseconds(since: before) < ReportParts.milliseconds else { return false }
        let samples = ReportReader(report).samples()
        for sample in samples {
            if let last = lastSeen(sample.key), last >= before { return false }
        }
        return !samples.isEmpty
    }

    /// For how long media came or went since the report before, of the streams of which it is known: of sound, where there is
    /// any, for pictures have no even rate. Of a stream that is new, for how long it has been heard.
    func flowSeconds(until samples: [KeyedSample]) -> [Double] {
        let sounds = samples.filter { $0.key.kind == .audio }
        return (sounds.isEmpty ? samples : sounds).compactMap { stream in
            guard let index = index(of: stream.key, near: 0) else {
                return stream.sample.counters.playedSeconds(of: stream.sample.codec)
            }
            return self[index].meter.flowSeconds(until: stream.sample)
        }
    }

    /// Seconds since the report before for which inbound sound did not come, of the streams of which it is known and
    /// usual; the least first.
    func missingSeconds(until samples: [KeyedSample]) -> [(key: StreamKey, seconds: Double)] {
        var missing: [(key: StreamKey, seconds: Double)] = []
        var place = 0
        for stream in samples where stream.key.isInboundAudio {
            guard let index = index(of: stream.key, near: place) else { continue }
            place = index + 1
            guard let seconds = self[index].meter.missingSeconds(until: stream.sample) else { continue }
            missing.append((stream.key, seconds))
        }
        return missing.count > 1 ? missing.sorted { $0.seconds < $1.seconds } : missing
    }

    /// Seconds since the last report for which nothing of the sound of a connection was played: for so long, and no longer, it
    /// can have been on hold. Engines go on telling of a stream whose speaker has left. Infinite where no stream counts what
    /// it plays.
    func unplayedSeconds(until samples: [KeyedSample], since last: Timestamp?) -> Double {
        var least = Double.infinity
        for stream in samples where stream.key.isInboundAudio {
            guard let seconds = unplayedSeconds(until: stream, since: last) else { continue }
            least = Swift.min(least, seconds)
        }
        return least
    }

    private func unplayedSeconds(until stream: KeyedSample, since last: Timestamp?) -> Double? {
        guard let index = index(of: stream.key, near: 0) else {
            let played = stream.sample.counters.playedSeconds(of: stream.sample.codec)
            guard let last, let played, played > 0 else { return nil }
            return Swift.max(0, stream.sample.time.seconds(since: last) - played)
        }
        return self[index].meter.unplayedSeconds(until: stream.sample)
    }
}
