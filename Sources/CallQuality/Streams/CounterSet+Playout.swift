import CallModel

/// How long samples of sound last.
extension CounterSet {
    /// Rates at which sound is played.
    private static let playoutRates: [Double] = [
        8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000,
    ]

    /// Audio samples a second of the playout; that of the codec where it cannot be told. Chromium counts seconds from when its
    /// receiver was made, and samples from the first packet on: what such a span gives is no rate. Where the codec took the place
    /// of another, `before`, it lies between their rates.
    func sampleRate(of codec: CodecDescription?, after before: CodecDescription? = nil) -> Double {
        let usual = codec?.playoutRate ?? 48_000
        guard let samples, let samplesSeconds, samples > 0, samplesSeconds > 0 else { return usual }
        let rate = samples / samplesSeconds
        if Self.playoutRates.contains(where: { abs(rate - $0) < 0.01 * $0 }) { return rate }
        return Self.isBetween(rate, before?.playoutRate ?? usual, usual) ? rate : usual
    }

    private static func isBetween(_ rate: Double, _ one: Double, _ other: Double) -> Bool {
        one < rate && rate < other || other < rate && rate < one
    }

    /// By what numbers of samples are multiplied, so that those of spans with other rates can be added: as if all were played
    /// at 48 kHz. Only a rate that is told exactly, by a second and more, is another than the codec's: see ``sampleRate(of:after:)``.
    func samplesScale(of codec: CodecDescription?, after before: CodecDescription? = nil) -> Double {
        guard let samples, samples > 0 else { return 1 }
        let usual = codec?.playoutRate ?? 48_000
        let told = samplesSeconds.flatMap { $0 > 0 ? samples / $0 : nil }
        if let told, Self.isBetween(told, before?.playoutRate ?? usual, usual) { return 48_000 / told }
        let rate = samplesSeconds.flatMap { seconds in
            seconds < 1 ? nil : Self.playoutRates.first { abs(samples / seconds - $0) < 0.001 * $0 }
        }
        return usual > 0 ? 48_000 / (rate ?? usual) : 1
    }

    /// The same, with numbers of samples multiplied by `scale`, and the sums over samples, too.
    func scalingSamples(by scale: Double) -> CounterSet {
        guard scale != 1 else { return self }
        var scaled = self
        for counter in Self.sampleCounters { scaled[counter] = self[counter].map { scale * $0 } }
        return scaled
    }

    private static let sampleCounters: [Counter] = [
        .samples, .concealedSamples, .silentConcealedSamples, .insertedSamples, .removedSamples, .jitterBufferSeconds,
        .jitterBufferEmitted,
    ]

    /// Seconds of sound that were played; `nil` where samples are not counted.
    func playedSeconds(of codec: CodecDescription?) -> Double? {
        zip(samples, samplesSeconds).map { samples, _ in samples / sampleRate(of: codec) }
    }
}
