import CallModel
import TestSupport

@testable import CallQuality

/// Random but possible inputs of the score.
struct RandomTotals {
    private var random: RandomSource

    init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    mutating func audio() -> AudioTotals {
        var totals = AudioTotals()
        totals.activeSeconds = .random(in: 0.5...20, using: &random)
        totals.silentSeconds = chance(0.3) ? .random(in: 0...1, using: &random) * totals.activeSeconds : 0
        totals.codec = codec()
        let samples = totals.activeSeconds * totals.sampleRate
        totals.counted.packets = maybe(50 * totals.activeSeconds)
        totals.packetsLost = maybe(share(of: 50 * totals.activeSeconds) - 1)
        totals.counted.packetsDiscarded = maybe(share(of: 10))
        totals.counted.samples = maybe(samples)
        totals.counted.concealedSamples = maybe(share(of: samples))
        totals.counted.concealmentEvents = maybe(share(of: 20))
        totals.counted.insertedSamples = maybe(share(of: samples / 4))
        totals.counted.removedSamples = maybe(share(of: samples / 4))
        totals.counted.jitterBufferEmitted = maybe(samples)
        totals.counted.jitterBufferSeconds = maybe(samples * share(of: 0.5))
        totals.forgivenConcealedSamples = chance(0.2) ? share(of: samples / 2) : 0
        if chance(0.8) {
            totals.jitterReports = 3
            totals.jitterSeconds = share(of: 0.3)
        }
        return totals
    }

    mutating func roundTrip() -> Double? {
        maybe(share(of: 1_500))
    }

    mutating func video() -> VideoTotals {
        var totals = VideoTotals()
        totals.activeSeconds = .random(in: 0.5...20, using: &random)
        totals.counted.packets = maybe(200 * totals.activeSeconds)
        totals.counted.retransmittedPackets = maybe(share(of: 20))
        totals.packetsLost = maybe(share(of: 400) - 1)
        totals.counted.frames = maybe(15 * totals.activeSeconds)
        totals.quantizedFrames = chance(0.5) ? 15 * totals.activeSeconds : 0
        totals.quantizerShareFrames = totals.quantizedFrames * share(of: 1)
        if chance(0.7) {
            totals.counted.frozenSeconds = share(of: totals.activeSeconds)
            totals.counted.freezes = share(of: 5)
        }
        totals.frameRateSeconds = totals.activeSeconds
        totals.frameRateShareSeconds = totals.activeSeconds * (0.02 + share(of: 0.98))
        totals.resolutionSeconds = totals.activeSeconds
        totals.resolutionShareSeconds = totals.activeSeconds * (0.02 + share(of: 0.98))
        return totals
    }

    mutating func delay() -> OneWayDelay {
        OneWayDelay(network: maybe(share(of: 800)), jitterBuffer: share(of: 500), codec: 26.5)
    }

    mutating func part(_ causes: [QualityCause]) -> PartScore {
        var factors = ImpairmentFactors()
        for cause in causes where chance(0.6) { factors.multiply(.random(in: 0...1, using: &random), cause: cause) }
        return PartScore(score: factors.score, costs: factors.costs, missing: [])
    }

    /// Skewed to small values, which are the usual ones.
    mutating func share(of most: Double) -> Double {
        let share = Double.random(in: 0...1, using: &random)
        return share * share * share * most
    }

    mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    private mutating func maybe(_ value: Double) -> Double? {
        chance(0.85) ? value : nil
    }

    private mutating func codec() -> CodecDescription? {
        let codecs = [
            nil, CodecDescription(mimeType: "audio/PCMA"),
            CodecDescription(mimeType: "audio/opus", formatParameters: "minptime=10;useinbandfec=1"),
        ]
        return codecs[Int.random(in: codecs.indices, using: &random)]
    }
}
