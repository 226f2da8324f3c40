import CallModel
import Foundation
import TestSupport

@testable import CallQuality

/// One coded speech file with lost packets, and PESQ of what its decoder made of it (`../shared/data/score`).
struct CodecSample {
    /// The setting of the codec, such as `opus_wb24_fec`.
    var setting: String
    /// Which speaker, such as `en0`.
    var speech: String
    var frames: Double
    var lost: Double
    var bursts: Double
    /// PESQ (ITU-T P.862), 1...4.6.
    var pesq: Double

    /// Settings whose decoder conceals as deployed ones do. GSM and AMR-NB do not in that experiment, and the others
    /// have one speaker only.
    static let settings = [
        "pcmu_plc", "pcmu_noplc", "g729", "opus_nb12", "opus_wb24", "opus_wb24_fec", "amrwb2385", "g722",
    ]

    static func all() throws -> [CodecSample] {
        try ["a", "b", "results"].flatMap { part -> [CodecSample] in
            let lines = try SharedData.lines("score/pesq_\(part).csv").map { String(decoding: $0, as: UTF8.self) }
            let columns = lines[0].trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ",").map(
                String.init)
            return lines.dropFirst().compactMap { line in
                let fields = line.trimmingCharacters(in: .whitespacesAndNewlines)
                    .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                let row = Dictionary(zip(columns, fields)) { first, _ in first }
                guard let setting = row["codec"], let speech = row["sample"], let frames = number(row["frames"]),
                    let lost = number(row["lost"]), let bursts = number(row["bursts"]), let pesq = number(row["pesq"])
                else { return nil }
                return CodecSample(
                    setting: setting, speech: speech, frames: frames, lost: lost, bursts: bursts, pesq: pesq)
            }
        }.filter { settings.contains($0.setting) }
    }

    private static func number(_ text: String?) -> Double? {
        text.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }

    var hasForwardErrorCorrection: Bool { setting.hasSuffix("_fec") }

    var lossPercent: Double { 100 * lost / frames }

    /// As a client reports it: in-band FEC repairs the last packet of a run from the one that follows.
    var asReported: AudioTotals {
        var totals = asCounted
        let samples = frames * 0.020 * totals.sampleRate
        let concealed = hasForwardErrorCorrection ? lost - bursts : lost
        totals.counted.samples = samples
        totals.counted.samplesSeconds = totals.activeSeconds
        totals.counted.concealedSamples = concealed * 0.020 * totals.sampleRate
        totals.counted.insertedSamples = 0
        totals.counted.removedSamples = 0
        totals.counted.outageSeconds = nil
        return totals
    }

    /// As a probe counts it: packets and runs of lost ones.
    var asCounted: AudioTotals {
        var totals = AudioTotals()
        totals.activeSeconds = frames * 0.020
        totals.counted.packets = frames - lost
        totals.packetsLost = lost
        totals.counted.concealmentEvents = bursts
        totals.counted.outageSeconds = 0
        totals.counted.lateSeconds = 0
        totals.counted.jitterBufferSeconds = 0
        totals.counted.jitterBufferEmitted = 1
        totals.codec = CodecDescription(
            mimeType: setting.hasPrefix("opus") ? "audio/opus" : "audio/PCMU",
            formatParameters: hasForwardErrorCorrection ? "useinbandfec=1" : "useinbandfec=0")
        return totals
    }

    var figures: PeerScore.Figures {
        PeerScore.Figures(
            lossPercent: lossPercent, jitterMilliseconds: 0, hasForwardErrorCorrection: hasForwardErrorCorrection)
    }
}
