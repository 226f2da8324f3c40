import CallModel
import TestSupport
import Testing

@testable import CallQuality

/// What must hold of a score for any input at all.
@Suite struct ScorePropertyTests {
    private static let rounds: Range<UInt64> = 0..<7_000
    private static let tolerance = 1e-9

    /// The ways in which audio can be worse.
    enum AudioImpairment: CaseIterable {
        case lost, discarded, concealed, inserted, removed, dark, buffered, jitter

        func worsen(_ totals: inout AudioTotals, by much: Double) {
            let samples = 48_000 * much
            switch self {
            case .lost: totals.packetsLost? += 50 * much
            case .discarded: totals.counted.packetsDiscarded? += 50 * much
            case .concealed: totals.counted.concealedSamples? += samples
            case .inserted: totals.counted.insertedSamples? += samples
            case .removed: totals.counted.removedSamples? += samples
            case .dark: totals.silentSeconds += much
            case .buffered: totals.counted.jitterBufferSeconds? += samples * much
            case .jitter: totals.jitterSeconds += totals.jitterReports > 0 ? much / 10 : 0
            }
        }
    }

    /// The ways in which video can be worse.
    enum VideoImpairment: CaseIterable {
        case lost, frozen, freezes, slower, smaller, coarser

        func worsen(_ totals: inout VideoTotals, by much: Double) {
            switch self {
            case .lost: totals.packetsLost? += 50 * much
            case .frozen: totals.counted.frozenSeconds? += much
            case .freezes: totals.counted.freezes? += much
            case .slower: totals.frameRateShareSeconds /= 1 + much
            case .smaller: totals.resolutionShareSeconds /= 1 + much
            case .coarser: totals.quantizerShareFrames += much
            }
        }
    }

    @Test(arguments: AudioImpairment.allCases)
    func `audio that is worse in one respect never scores higher`(_ impairment: AudioImpairment) {
        for seed in Self.rounds {
            var random = RandomTotals(seed: seed)
            let totals = random.audio()
            let roundTrip = random.roundTrip()
            var worse = totals
            impairment.worsen(&worse, by: random.share(of: 4))
            let before = score(totals, roundTrip)
            let after = score(worse, roundTrip)
            #expect((before == nil) == (after == nil))
            #expect(after?.score ?? 0 <= (before?.score ?? 0) + Self.tolerance, "seed \(seed)")
        }
    }

    @Test func `a longer round trip never raises the score`() {
        for seed in Self.rounds {
            var random = RandomTotals(seed: seed)
            let totals = random.audio()
            let roundTrip = random.share(of: 1_000)
            let before = score(totals, roundTrip)?.score ?? 0
            let after = score(totals, roundTrip + random.share(of: 1_000))?.score ?? 0
            #expect(after <= before + Self.tolerance, "seed \(seed)")
        }
    }

    @Test(arguments: VideoImpairment.allCases)
    func `video that is worse in one respect never scores higher`(_ impairment: VideoImpairment) {
        for seed in Self.rounds {
            var random = RandomTotals(seed: seed)
            let totals = random.video()
            let delay = random.delay()
            var worse = totals
            impairment.worsen(&worse, by: random.share(of: 4))
            let before = VideoScore(totals: totals, oneWayDelay: delay).evaluate()
            let after = VideoScore(totals: worse, oneWayDelay: delay).evaluate()
            #expect((before == nil) == (after == nil))
            #expect(after?.score ?? 0 <= (before?.score ?? 0) + Self.tolerance, "seed \(seed)")
        }
    }

    @Test func `a part that is worse never raises the score of both`() {
        for seed in Self.rounds {
            var random = RandomTotals(seed: seed)
            let audio = random.part([.loss, .late, .stretch, .delay])
            let video = random.part([.freeze, .resolution, .delay])
            let both = CombinedScore.combine(audio: audio, video: video)?.score ?? 0
            var worse = audio
            worse.score = max(0, audio.score - random.share(of: 100))
            let worseAudio = CombinedScore.combine(audio: worse, video: video)?.score ?? 0
            #expect(worseAudio <= both + Self.tolerance, "seed \(seed)")
            worse = video
            worse.score = max(0, video.score - random.share(of: 100))
            let worseVideo = CombinedScore.combine(audio: audio, video: worse)?.score ?? 0
            #expect(worseVideo <= both + Self.tolerance, "seed \(seed)")
        }
    }

    @Test func `every score is a number from 0 to 100 and its costs explain what it lacks`() {
        for seed in Self.rounds {
            var random = RandomTotals(seed: seed)
            let audio = score(random.audio(), random.roundTrip())
            let video = VideoScore(totals: random.video(), oneWayDelay: random.delay()).evaluate()
            for part in [audio, video, CombinedScore.combine(audio: audio, video: video)].compactMap({ $0 }) {
                #expect((0...100).contains(part.score), "seed \(seed)")
                #expect(part.costs.values.allSatisfy { $0 >= 0 && $0.isFinite }, "seed \(seed): \(part.costs)")
                let costs = part.costs.values.reduce(0, +)
                #expect(abs(100 - part.score - costs) < 1e-6, "seed \(seed): \(part)")
            }
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
    func `nonsense from a client makes no nonsense of the score`(_ nonsense: Double) {
        for counter in CounterSet.Counter.allCases {
            var audio = AudioTotals()
            audio.activeSeconds = 10
            audio.counted.packets = 500
            audio.counted.samples = 480_000
            audio.counted[counter] = nonsense
            audio.packetsLost = nonsense
            var video = VideoTotals()
            video.activeSeconds = 10
            video.counted.frames = 150
            video.codec = CodecDescription(mimeType: "video/VP8")
            video.counted[counter] = nonsense
            let delay = OneWayDelay(network: nonsense, jitterBuffer: 20, codec: 20)
            for part in [score(audio, nonsense), VideoScore(totals: video, oneWayDelay: delay).evaluate()] {
                #expect(part.map { (0...100).contains($0.score) } ?? true, "\(counter)")
            }
        }
    }

    @Test func `without impairment the score is 100, and nothing less rounds to it`() {
        var totals = AudioTotals()
        totals.activeSeconds = 10
        totals.counted.packets = 500
        totals.counted.samples = 480_000
        totals.counted.concealedSamples = 0
        #expect(score(totals, 20)?.rounded == 100)
        totals.counted.concealedSamples = 480_000 * 0.02
        let imperfect = score(totals, 20)
        #expect(imperfect.map { $0.score < 100 && $0.rounded < 100 } == true)
        #expect(PartScore.rounded(99.7) == 99)
        #expect(PartScore.rounded(99.96) == 100)
    }

    @Test func `without packets and samples there is no score`() {
        var totals = AudioTotals()
        totals.activeSeconds = 10
        #expect(score(totals, 20) == nil)
        totals.counted.packets = 500
        totals.activeSeconds = 0
        #expect(score(totals, 20) == nil)
        #expect(CombinedScore.combine(audio: nil, video: nil) == nil)
    }

    private func score(_ totals: AudioTotals, _ roundTrip: Double?) -> PartScore? {
        AudioScore(model: .current, totals: totals, roundTripMilliseconds: roundTrip).evaluate()
    }
}
