import CallModel
import Foundation

/// The video part of the score: a product of what motion, resolution, quantisation, loss and delay leave.
///
/// Shapes and constants after ITU-T P.1203.1, P.1203.3 and G.1070 as `docs/score.md` derives them.
struct VideoScore {
    let totals: VideoTotals
    /// One-way delay in ms.
    let oneWayDelay: OneWayDelay

    /// - Returns: `nil` when no time passed or nothing was reported.
    func evaluate() -> PartScore? {
        factors.map { PartScore(score: $0.score, costs: $0.costs, missing: missing) }
    }

    /// What each cause left; `nil` where there is no score.
    var factors: ImpairmentFactors? {
        guard totals.activeSeconds > 0, totals.counted.packets != nil || totals.counted.frames != nil else {
            return nil
        }
        var factors = ImpairmentFactors()
        let stopped = totals.frameRateSeconds - totals.frameRateShareSeconds
        let isStill = freezeCost >= frameRateCost || totals.darkSeconds > stopped / 2
        factors.multiply(1 - max(freezeCost, frameRateCost), cause: isStill ? .freeze : .frameRate)
        factors.multiply(1 - resolutionCost, cause: .resolution)
        factors.multiply(1 - blockinessCost, cause: .blockiness)
        factors.multiply(exp(-lossExponent), cause: .videoLoss)
        oneWayDelay.apply(to: &factors)
        return factors
    }

    // MARK: Motion

    /// P.1203.3 stalling, its end point forced to 1: a picture that stands still all the time is worth nothing. It counts the
    /// stallings of a session; here they are those of ten seconds of one picture, so that neither more pictures nor longer
    /// spans make the same freezes worse.
    var freezeCost: Double {
        let counted = [\CounterSet.frozenSeconds, \.stillSeconds].compactMap { totals.counted[keyPath: $0] }
        guard !counted.isEmpty else { return 0 }
        let frozen = counted.reduce(0, +)
        let share = min(1, max(0, frozen + (totals.counted.pausedSeconds ?? 0)) / totals.activeSeconds)
        let count = max(0, (totals.counted.freezes ?? 0) + (totals.counted.pauses ?? 0))
        let still = (1 - exp(-share / 0.919)) / (1 - exp(-1 / 0.919))
        let sessions = max(1, totals.activeSeconds / Self.sessionSeconds)
        return 1 - (1 - still) * exp(-count / sessions / 9.352)
    }

    private static let sessionSeconds = 10.0

    /// G.1070 shape for the frame rate (H.264, VGA width).
    var frameRateCost: Double {
        guard totals.frameRateSeconds > 0 else { return 0 }
        let share = totals.frameRateShareSeconds / totals.frameRateSeconds
        guard share > 0 else { return 1 }
        let logarithm = log(min(1, share))
        return 1 - exp(-logarithm * logarithm / (2 * 1.15 * 1.15))
    }

    // MARK: Picture

    /// P.1203.1 upscaling, against the largest picture of the call.
    private var resolutionCost: Double {
        guard totals.resolutionSeconds > 0 else { return 0 }
        let share = totals.resolutionShareSeconds / totals.resolutionSeconds
        guard share > 0 else { return 0 }
        return min(1, max(0, 0.7261 * log10(0.32 * (1 / share - 1) + 1)))
    }

    /// P.1203.1 quantisation; up to half of the codec's range costs nothing (own choice), nor do frames of which nothing is
    /// known.
    private var blockinessCost: Double {
        guard totals.quantizedFrames > 0 else { return 0 }
        let known = min(1, totals.quantizedFrames / (totals.counted.frames ?? totals.quantizedFrames))
        func quality(_ share: Double) -> Double { 4.66 - 0.07 * exp(4.06 * share) }
        let share = min(1, max(0, totals.quantizerShareFrames / totals.quantizedFrames))
        return known * min(1, max(0, (quality(0.5) - quality(share)) / (quality(0.5) - 1)))
    }

    // MARK: Loss

    /// Percent of loss that leave 1/e; twice as many where lost packets are mostly repaired.
    private static let (lossTolerance, repairedLossTolerance) = (10.0, 20.0)

    /// Lost packets are mostly repaired where freezes, which they cause else, are told apart, and where retransmissions or, on the
    /// wire, repair packets went beside them; but for an outage, which counts by its time: who hears nothing of the far end soon
    /// sends less, and less is lost than missing.
    private var lossExponent: Double {
        let isRepaired =
            totals.counted.frozenSeconds != nil || totals.counted.retransmittedPackets != nil || totals.isRepaired
        let tolerance = isRepaired ? Self.repairedLossTolerance : Self.lossTolerance
        let outage = min(100, max(0, 100 * (totals.counted.outageSeconds ?? 0) / totals.activeSeconds))
        return outage / Self.lossTolerance + max(0, lossPercent - outage) / tolerance
    }

    /// Lost for good, retransmissions not counted as received; of the share of the time in which no picture came and no
    /// packet counts as lost, all. 0 where it is not known how many were received, or lost.
    private var lossPercent: Double {
        let lost = max(0, totals.packetsLost ?? 0)
        let received = totals.counted.packets.map { max(0, $0 - (totals.counted.retransmittedPackets ?? 0)) }
        let expected = received.map { lost + $0 } ?? 0
        let counted = expected > 0 ? 100 * lost / expected : 0
        let share = min(1, max(0, totals.uncountedOutageSeconds / totals.activeSeconds))
        return counted + share * (100 - counted)
    }

    private var missing: [String] {
        var missing: [String] = []
        if totals.counted.frozenSeconds == nil {
            missing.append("totalFreezesDuration")
        } else if totals.counted.freezes == nil {
            missing.append("freezeCount")
        }
        if totals.counted.frames == nil { missing.append("framesDecoded") }
        if totals.counted.packets == nil { missing.append("packetsReceived") }
        if totals.packetsLost == nil { missing.append("packetsLost") }
        return missing
    }
}
