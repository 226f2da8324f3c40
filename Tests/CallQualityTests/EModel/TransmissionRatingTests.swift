import CallModel
import Foundation
import TestSupport
import Testing

@testable import CallQuality

/// R and mean opinion scores for what an audio score rests on.
@Suite struct TransmissionRatingTests {
    private func basis(
        concealed: Double = 0, run: Double? = nil, network: Double? = 20, buffer: Double = 40, codec: Double = 20
    ) -> ScoreBasis {
        ScoreBasis(
            rulesVersion: 0, codec: nil, isRepairAssumed: nil, lossPercent: 99, meanLossRun: run, latePercent: nil,
            concealedPercent: concealed, stretchedPercent: 0, silentPercent: 0, networkDelayMilliseconds: network,
            bufferDelayMilliseconds: buffer, codecDelayMilliseconds: codec)
    }

    private func rated(_ basis: ScoreBasis, _ mimeType: String = "audio/PCMU") -> TransmissionRating? {
        TransmissionRating(basis, choice: CodecTable.choice(for: CodecDescription(mimeType: mimeType)))
    }

    @Test func `a clean call of G.711 has the default R, 93,2, and a mean opinion score of 4,41`() throws {
        let rating = try #require(rated(basis()))
        #expect(abs(rating.listeningRFactor - 93.2062) < 1e-4)
        #expect(abs(rating.mosLQ - 4.4094) < 1e-4)
        #expect((rating.band, rating.codecRow, rating.isEstimate) == (.narrowband, "G.711 with PLC", false))
        #expect((rating.rFactor, rating.mosCQ) == (rating.listeningRFactor, rating.mosLQ))
        #expect(rating.oneWayDelayMilliseconds == 80)
    }

    /// Computed from the formulas outside the product: Ie,eff at 4 %: 95 · 4/(4 + 25.1); Idd of 250 ms.
    @Test func `loss costs listening, and delay conversation as well`() throws {
        let rating = try #require(rated(basis(concealed: 4, network: 190)))
        #expect(abs(rating.listeningRFactor - (93.206208 - 13.058419)) < 1e-4)
        #expect(abs(try #require(rating.rFactor) - (93.206208 - 13.058419 - 8.916710)) < 1e-4)
        #expect(try #require(rating.mosCQ) < rating.mosLQ)
        #expect((rating.lossPercent, rating.burstRatio) == (4, 1))
    }

    @Test func `each band has its own scale`() throws {
        let wideband = try #require(rated(basis(), "audio/G722"))
        #expect((wideband.band, wideband.listeningRFactor, wideband.isEstimate) == (.wideband, 116, true))
        let fullband = try #require(
            TransmissionRating(
                basis(concealed: 2),
                choice: CodecTable.choice(
                    for: CodecDescription(mimeType: "audio/opus", formatParameters: "maxaveragebitrate=31000"))))
        #expect((fullband.band, fullband.isEstimate) == (.fullband, false))
        #expect(abs(fullband.listeningRFactor - (148 - 16.8 - (132 - 16.8) * 2 / 12.4)) < 1e-9)
    }

    @Test func `without a measured round trip there is no R of a conversation`() throws {
        let rating = try #require(rated(basis(network: nil)))
        #expect((rating.rFactor, rating.mosCQ, rating.oneWayDelayMilliseconds) == (nil, nil, nil))
        #expect(rating.mosLQ > 4.4)
    }

    @Test(arguments: ["audio/telephone-event", "audio/L16", "", "video/VP8"])
    func `a codec without figures has no rating`(mimeType: String) {
        #expect(rated(basis(), mimeType) == nil)
        #expect(TransmissionRating(basis(), choice: nil) == nil)
    }

    @Test func `what is no number is not known, and what cannot be is cut`() throws {
        #expect(rated(basis(concealed: .nan)) == nil)
        #expect(rated(basis(concealed: .infinity)) == nil)
        #expect(try #require(rated(basis(buffer: .nan))).rFactor == nil)
        #expect(try #require(rated(basis(concealed: -5))).lossPercent == 0)
        let dead = try #require(rated(basis(concealed: 4_000, run: .infinity)))
        #expect((dead.lossPercent, dead.burstRatio) == (100, 1))
        #expect(dead.mosLQ < 1.2)
    }

    @Test func `the burst ratio stays where the model is stated`() throws {
        #expect(try #require(rated(basis(concealed: 10, run: 1.25))).burstRatio == 1.125)
        #expect(try #require(rated(basis(concealed: 10, run: 40))).burstRatio == 2)
        #expect(try #require(rated(basis(concealed: 10, run: 0.2))).burstRatio == 1)
        let single = try #require(rated(basis(concealed: 10, run: 1)))
        let bursts = try #require(rated(basis(concealed: 10, run: 3)))
        #expect(bursts.listeningRFactor < single.listeningRFactor)
    }

    @Test func `more loss or delay never raises a rating, and all stay on their scale`() throws {
        for seed: UInt64 in 0..<300 {
            var random = RandomTotals(seed: seed)
            let codec = ["audio/PCMU", "audio/G722", "audio/opus", "audio/AMR-WB", "audio/iLBC"][Int(seed % 5)]
            let (loss, network) = (random.share(of: 100), random.share(of: 2_000))
            let before = try #require(rated(basis(concealed: loss, network: network), codec))
            let worse = try #require(
                rated(basis(concealed: loss + random.share(of: 20), network: network + random.share(of: 500)), codec))
            let pairs = [
                (before.rFactor, worse.rFactor), (before.listeningRFactor, worse.listeningRFactor),
                (before.mosLQ, worse.mosLQ), (before.mosCQ, worse.mosCQ),
            ]
            #expect(pairs.allSatisfy { ($0.1 ?? -1) <= ($0.0 ?? 0) && ($0.1 ?? -1) >= 0 }, "seed \(seed)")
            #expect(before.listeningRFactor <= before.band.largestRating + 0.01 && before.mosLQ <= 4.5)
        }
    }
}

/// The rating as the fold derives it, of the recordings that the package ships.
@Suite struct DerivedRatingTests {
    @Test func `every window with an audio score has a rating, and the call has one`() throws {
        let folder = SharedData.packageRoot.appending(path: "SampleData/10-outage5s")
        let record = try #require(try RecordedCall(folder, end: .caller).record())
        let rating = try #require(record.summary.rating)
        #expect((rating.band, rating.isEstimate) == (.fullband, true))
        #expect(rating.codecRow == "Opus super-wideband 32 kbit/s")
        #expect(rating.oneWayDelayMilliseconds != nil && rating.rFactor != nil)
        let windows = record.windows + record.scores
        #expect(windows.contains { $0.rating != nil })
        #expect(windows.allSatisfy { ($0.rating != nil) == ($0.audioScore != nil) })
        let worst = try #require(record.windows.min { ($0.audioScore ?? 101) < ($1.audioScore ?? 101) })
        let ratings = record.windows.compactMap(\.rating?.listeningRFactor)
        #expect(worst.rating?.listeningRFactor == ratings.min(), "the window of the outage")
    }
}
