import CallModel

/// For how long the media of a stream flow, by its packets.
extension StreamMeter {
    /// So many packets a second have sound that does not pause; of 60 ms each they are 17.
    private static let leastSoundRate = 15.0

    /// Seconds up to the next report for which the usual packets of sound did not come; `nil` when none are usual.
    @inline(__always)
    func missingSeconds(until sample: StreamSample) -> Double? {
        guard let liveRate, liveRate >= Self.leastSoundRate, let packets = sample.counters.packets,
            let before = previous.counters.packets
        else { return nil }
        return max(0, sample.time.seconds(since: previous.time) - (packets - before) / liveRate)
    }

    /// Seconds for which media have come or gone up to the next report, by its counters; `nil` where that is not known, 0 where
    /// they began anew.
    func flowSeconds(until sample: StreamSample) -> Double? {
        guard !sample.counters.hasRestarted(since: previous.counters) else { return 0 }
        let counted = sample.counters.difference(since: previous.counters)
        let played = counted.samples.map { $0 / sample.counters.sampleRate(of: sample.codec) }
        let passed = zip(counted.packets, liveRate).map { $0 / $1 }
        return [played, passed].compactMap { $0 }.max()
    }

    /// Seconds up to the next report for which the stream was not played; `nil` where that is not counted, or nothing of it ever
    /// was.
    func unplayedSeconds(until sample: StreamSample) -> Double? {
        guard sample.counters.samples ?? 0 > 0, !sample.counters.hasRestarted(since: previous.counters) else {
            return nil
        }
        return unplayedSeconds(
            of: sample.counters.difference(since: previous.counters), in: sample.time.seconds(since: previous.time),
            codec: sample.codec)
    }

    /// Whether the playout clock of a span was so far behind that the stream was on hold.
    func isHold(_ deficit: Double, in seconds: Double) -> Bool {
        deficit > max(Self.leastHoldSeconds, 0.05 * seconds)
    }

    /// Seconds of a span for which the playout clock stood still, 0 where they are no more than scheduling; `nil` where it is
    /// not counted.
    func unplayedSeconds(of counted: CounterSet, in seconds: Double, codec: CodecDescription?) -> Double? {
        counted.samples.map { samples in
            let unplayed = seconds - samples / counted.sampleRate(of: codec, after: previous.codec)
            return isHold(unplayed, in: seconds) ? unplayed : 0
        }
    }

    /// Seconds of a span of sound that its packets leave free at most, at the highest rate that they have had.
    func secondsWithoutSound(_ delta: StreamDelta) -> Double {
        let most = max(1 / AudioScore.ordinaryPacketSeconds, mostRate ?? 0)
        return max(0, delta.seconds - (delta.firstArrivals ?? 0) / most)
    }

    /// Seconds of a hold in which media came as ever: by the length of the packets, where it is known, else by how many came
    /// last. `agreedSeconds` of the span nobody expected media, as the client says: pictures of a hold that the playout of the
    /// sound tells of do not come.
    func flowingHoldSeconds(_ delta: StreamDelta, silent: Double, agreedSeconds: Double) -> Double {
        guard delta.heldSeconds > silent, let packets = delta.counted.packets, packets > 0 else { return 0 }
        let most = delta.heldSeconds - silent
        if stream.kind == .audio, let length = delta.sample.packetSeconds {
            return min(most, max(0, packets * length - delta.activeSeconds))
        }
        guard stream.kind == .audio || agreedSeconds >= delta.heldSeconds else { return 0 }
        // Of pictures that have only begun no rate is known.
        guard let rate = liveRate ?? (stream.kind == .audio ? 1 / AudioScore.ordinaryPacketSeconds : nil), rate > 0
        else { return most }
        let flowing = packets / rate
        return flowing > Self.mostOfLiveRate * delta.activeSeconds ? min(most, flowing - delta.activeSeconds) : 0
    }

    /// Seconds of the span beside those of the sound that came, as a probe counts its packets; all of it for pictures, and
    /// where the length of a packet is not known.
    func silentSeconds(_ delta: StreamDelta) -> Double {
        guard stream.kind == .audio, let packets = delta.counted.packets, let length = delta.sample.packetSeconds else {
            return delta.seconds
        }
        return max(0, delta.seconds - packets * length)
    }

    /// Seconds for which a picture did not come while its sender had stopped the sound, as a probe sees it: who holds a call stops
    /// both, and who mutes goes on showing.
    func pausedBesideSound(_ delta: StreamDelta, _ connection: ConnectionState) -> Double {
        guard stream.kind == .video, connection.soundPausedSeconds > 0, let packets = delta.counted.packets else {
            return 0
        }
        let sent = packets + max(0, delta.counted.packetsLost ?? 0)
        let missing = sent == 0 ? delta.seconds : liveRate.map { delta.seconds - sent / $0 } ?? 0
        return isHold(missing, in: delta.seconds) ? min(connection.soundPausedSeconds, missing) : 0
    }
}
