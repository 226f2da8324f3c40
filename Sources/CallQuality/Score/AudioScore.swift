import CallModel
import Foundation

/// The audio part of the score; derivation, sources and evidence are in `docs/score.md`.
///
/// `100 · √(1−d) · (1+c/1.5)^−α · (1+s/3.3)^−β · (1+p/5)^−γ · (1 − Idd/100)` with d the share of time without any sound,
/// c, s and p the concealed, time-stretched and lost percentages. Falls with every impairment.
struct AudioScore {
    let model: ScoreModel
    let totals: AudioTotals
    let roundTripMilliseconds: Double?
    /// Looked up once; `nil` for a codec without figures.
    private let codec: CodecTable.Choice?

    /// An outage on the wire counts as missing sound or as a run of lost packets, whichever costs more: so one more packet
    /// that is lost never costs less.
    init(model: ScoreModel, totals: AudioTotals, roundTripMilliseconds: Double?) {
        self.init(judging: totals, by: model, roundTripMilliseconds)
        guard let runs = totals.withOutagesAsRuns else { return }
        let other = AudioScore(judging: runs, by: model, roundTripMilliseconds)
        if let score = factors?.score, let lower = other.factors?.score, lower < score { self = other }
    }

    private init(judging totals: AudioTotals, by model: ScoreModel, _ roundTripMilliseconds: Double?) {
        self.model = model
        self.totals = totals
        self.roundTripMilliseconds = roundTripMilliseconds
        codec = totals.codec.flatMap { CodecTable.choice(for: $0) }
    }

    /// Whether packets or samples were reported, and time passed.
    private var isScored: Bool {
        totals.activeSeconds > 0 && (totals.counted.packets != nil || totals.counted.samples != nil)
    }

    /// - Returns: `nil` when neither packets nor samples were reported, or no time passed.
    func evaluate() -> PartScore? {
        factors.map { PartScore(score: $0.score, costs: $0.costs, missing: missing) }
    }

    /// What each cause left; `nil` where there is no score.
    var factors: ImpairmentFactors? {
        guard isScored else { return nil }
        var factors = ImpairmentFactors()
        factors.multiply(pow(1 - silentShare, ScoreModel.silenceExponent), causes: silenceCauses)
        let concealed = concealedPercent / ScoreModel.concealmentKneePercent
        factors.multiply(pow(1 + concealed, -model.concealmentExponent), causes: concealmentCauses)
        let stretched = stretchedPercent / ScoreModel.stretchKneePercent
        factors.multiply(pow(1 + stretched, -model.stretchExponent), causes: stretchCauses)
        let lost = lossPercent / ScoreModel.lossKneePercent
        factors.multiply(pow(1 + lost, -model.lossExponent), cause: .loss)
        delay.apply(to: &factors)
        return factors
    }

    private var silentShare: Double {
        min(1, totals.silentSeconds / totals.activeSeconds)
    }

    /// Share of the time that goes to a blackout: beside one all silence does, for sound sets in again little by little.
    private var darkShare: Double {
        totals.darkSeconds > 0 ? silentShare : 0
    }

    /// p: packets the network lost, in percent of those expected; 0 where either is not known.
    var lossPercent: Double {
        guard let packets = totals.counted.packets else { return 0 }
        let lost = max(0, totals.packetsLost ?? 0)
        let expected = lost + packets
        return expected > 0 ? 100 * lost / expected : 0
    }

    /// c: samples made up, in percent; estimated from lost and late packets where the client does not say.
    private var concealedPercent: Double {
        guard let samples = totals.counted.samples, samples > 0, let concealed = totals.counted.concealedSamples else {
            return estimatedConcealedPercent
        }
        return min(100, max(0, 100 * (concealed - totals.forgivenConcealedSamples) / samples))
    }

    /// s: samples inserted or removed, in percent; where the client does not say, what losses make a receiver stretch, or what the
    /// simulated buffer of a probe stretched, whichever is more.
    private var stretchedPercent: Double {
        reportedStretchPercent ?? max(simulatedStretchPercent ?? 0, lossStretchPercent)
    }

    /// `nil` for a probe, and for a client that tells of no samples.
    private var reportedStretchPercent: Double? {
        guard simulatedStretchPercent == nil, let samples = totals.counted.samples, samples > 0 else { return nil }
        let stretched = (totals.counted.stretchedSamples ?? 0) - totals.forgivenStretchedSamples
        return max(0, 100 * stretched / samples)
    }
}

// MARK: - Without concealment figures

extension AudioScore {
    /// Of the packets lost at random, the share that is heard as concealed. Taken from our recordings with 5 and 15 %
    /// of loss, which a test holds it against; `docs/score.md`.
    private var concealedShareOfLoss: Double {
        guard totals.codec.map({ $0.hasRedundancy }) ?? true else { return 0.9 }
        guard totals.counted.outageSeconds != nil, let run = meanLossRun, run >= 1 else { return 0.35 }
        // Redundancy lies in the next packet (RFC 6716 §2.1.7): of a run only the last one can be repaired. With RED that is there
        // once more in whole, and with it its own redundancy for the one before, which a share of 1 - 1/run of the runs has.
        let repaired = Self.repairedShareOfLastLost
        return totals.codec?.isRED == true ? 1 - (1 + repaired * (1 - 1 / run)) / run : (run - repaired) / run
    }

    /// Of the packets before one that arrived, the share that is not heard as concealed: r·(1 − share concealed), r the mean run,
    /// of our recordings with random loss in which no late packets were concealed, too; `ClientAgreementTests` holds it.
    private static let repairedShareOfLastLost = 0.78

    private var estimatedConcealedPercent: Double {
        let silent = 100 * silentShare
        return min(100, max(silent, concealedLossPercent + latePercent))
    }

    /// Packets that the network lost and that are heard as concealed, in percent of those expected.
    private var concealedLossPercent: Double { concealedShareOfLoss * lossPercent }

    /// What the simulated jitter buffer of a probe stretched; `nil` for a client.
    private var simulatedStretchPercent: Double? {
        totals.counted.stretchedSeconds.map { min(100, max(0, 100 * $0 / totals.activeSeconds)) }
    }

    /// Made-up sound is fitted in between the packets around it: each time a receiver stretches so much, in packets. Taken from our
    /// recordings with loss in which little else made clients stretch, as s·r/c; `ClientAgreementTests` holds it against others.
    private static let stretchedPacketsPerRun = 0.1

    private var lossStretchPercent: Double { stretchPercent(ofLost: concealedLossPercent) }

    private func stretchPercent(ofLost concealed: Double) -> Double {
        // Without redundancy Opus makes up whole packets itself, and nothing is to be fitted in (our recordings of Firefox).
        if let codec = totals.codec, codec.isOpus, !codec.hasRedundancy { return 0 }
        // A client that tells of no samples tells of no runs that go with them.
        let run = (reportedStretchPercent ?? simulatedStretchPercent).flatMap { _ in meanLossRun }
        return Self.stretchedPacketsPerRun * concealed / max(1, run ?? 1)
    }

    /// What came too late: by the simulated jitter buffer of a probe, else `packetsDiscarded`, else an estimate from jitter (`docs/score.md`).
    private var latePercent: Double {
        if let seconds = totals.counted.lateSeconds {
            return min(100, max(0, 100 * seconds / totals.activeSeconds))
        }
        if let discarded = totals.counted.packetsDiscarded, let packets = totals.counted.packets, packets > 0 {
            return 100 * max(0, discarded) / packets
        }
        guard let jitter = meanJitterMilliseconds else { return 0 }
        return 1.2 * (1 - exp(-max(0, jitter - 10) / 15))
    }

    private var meanJitterMilliseconds: Double? {
        totals.jitterReports > 0 ? 1000 * totals.jitterSeconds / Double(totals.jitterReports) : nil
    }
}

// MARK: - Attribution

extension AudioScore {
    /// Concealment of up to this many packets' length in a row is no burst.
    private static let longestSinglePackets = 2.0
    /// Length of a packet of audio, unless signalling says otherwise (RFC 3551 §4.2).
    static let ordinaryPacketSeconds = 0.020

    /// How the cost of missing sound is dealt: what was a blackout, what the network lost, the rest came late.
    private var silenceCauses: KeyValuePairs<QualityCause, Double> {
        let lost = min(silentShare - darkShare, lossPercent / 100)
        return [.blackout: darkShare, .loss: lost, .late: silentShare - darkShare - lost]
    }

    /// How the cost of concealment is dealt: what was a blackout, what the network lost, the rest came late.
    private var concealmentCauses: KeyValuePairs<QualityCause, Double> {
        let concealed = concealedPercent
        guard concealed > 0 else { return [:] }
        let silent = min(concealed, 100 * darkShare)
        let lost = concealedLoss
        let burst = lost * burstShare
        return [.blackout: silent, .loss: lost - burst, .burst: burst, .late: concealed - silent - lost]
    }

    /// What was made up of lost packets, but for blackouts, in percent.
    private var concealedLoss: Double {
        let concealed = concealedPercent
        return min(concealed - min(concealed, 100 * darkShare), lossPercent)
    }

    /// How the cost of stretching is dealt: what losses made necessary, the rest is of an uneven stream. For a probe its simulated
    /// buffer tells of that; a client, which counts both together, tells how much of what was lost it made up.
    private var stretchCauses: KeyValuePairs<QualityCause, Double> {
        let reported = reportedStretchPercent.map { max(0, $0 - stretchPercent(ofLost: concealedLoss)) }
        let uneven = reported ?? simulatedStretchPercent ?? 0
        return [.stretch: uneven, .loss: stretchedPercent - uneven]
    }

    /// Share of the lost audio that was missing in runs, from the mean length of a concealment.
    private var burstShare: Double {
        guard let packets = meanLossRun
        else { return 0 }
        return max(0, 1 - Self.longestSinglePackets / max(packets, Self.longestSinglePackets))
    }

    /// Mean length of a concealment or, where that is not reported, of a loss, in packets.
    private var meanLossRun: Double? {
        guard let events = totals.counted.concealmentEvents, events > 0 else { return nil }
        guard let concealed = totals.counted.concealedSamples else {
            return totals.packetsLost.map { max(0, $0) / events }
        }
        return concealed / events / totals.sampleRate / totals.packetSeconds
    }
}

// MARK: - Delay

extension AudioScore {
    var delay: OneWayDelay {
        OneWayDelay(
            network: roundTripMilliseconds.map { $0 / 2 }, jitterBuffer: jitterBufferMilliseconds,
            codec: 1000 * totals.packetSeconds + (codec?.row.lookAheadMilliseconds ?? 0))
    }

    /// Mean stay in the jitter buffer; five times the jitter where it is not reported (`docs/score.md`).
    private var jitterBufferMilliseconds: Double {
        if let delay = totals.counted.jitterBufferSeconds, let emitted = totals.counted.jitterBufferEmitted, emitted > 0
        {
            return max(0, 1000 * delay / emitted)
        }
        return max(1000 * totals.packetSeconds, 5 * (meanJitterMilliseconds ?? 0))
    }

    /// What the score rests on; `nil` when there is none.
    var basis: ScoreBasis? {
        guard isScored else { return nil }
        let isEstimated = totals.counted.concealedSamples == nil
        let delay = delay
        return ScoreBasis(
            rulesVersion: ScoreModel.rulesVersion, codec: totals.codec?.mimeType,
            isRepairAssumed: isEstimated ? totals.codec?.hasRedundancy ?? true : nil, lossPercent: lossPercent,
            meanLossRun: meanLossRun, latePercent: isEstimated ? latePercent : nil, concealedPercent: concealedPercent,
            stretchedPercent: stretchedPercent, silentPercent: 100 * silentShare,
            networkDelayMilliseconds: delay.network, bufferDelayMilliseconds: delay.jitterBuffer,
            codecDelayMilliseconds: delay.codec)
    }

    /// R, MOS-LQ and MOS-CQ of what the score rests on; `nil` when there is none, or nothing is known of the codec.
    var rating: TransmissionRating? {
        basis.flatMap { TransmissionRating($0, choice: codec) }
    }

    private var missing: [String] {
        var missing = Array(totals.silenceDoubts)
        func note(_ member: String) { if !totals.silenceDoubts.contains(member) { missing.append(member) } }
        if totals.counted.concealedSamples == nil {
            note("concealedSamples")
        } else {
            if totals.counted.silentConcealedSamples == nil { note("silentConcealedSamples") }
            if totals.counted.samples == nil { note("totalSamplesReceived") }
        }
        if totals.counted.removedSamples == nil {
            note("removedSamplesForAcceleration")
        } else if totals.counted.insertedSamples == nil, totals.counted.stretchedSeconds == nil {
            note("insertedSamplesForDeceleration")
        }
        if totals.counted.jitterBufferSeconds == nil { note("jitterBufferDelay") }
        if totals.counted.packets == nil { note("packetsReceived") }
        if totals.packetsLost == nil { note("packetsLost") }
        if roundTripMilliseconds == nil { note("roundTripTime") }
        return missing
    }
}
