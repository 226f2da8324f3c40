import Foundation

@testable import CallQuality

/// Scores of other programs, from their published descriptions, for comparison on the same figures.
///
/// All are on a scale of their own; only their order and their shape are compared. Delay is what a formula adds of its
/// own; the network's is left out, for the listening figures know none.
enum PeerScore: String, CaseIterable {
    case packetLoss = "packet loss alone"
    case codedEModel = "E-model, G.711 with PLC (G.113)"
    case coleRosenbluth = "Cole and Rosenbluth 2001"
    case liveKit = "LiveKit connection quality"
    case twilio = "Twilio Voice MOS"
    case jitsi = "Jitsi Meet connection quality"
    case rtcscore = "rtcscore"
    case rtpengine = "rtpengine, fullband"

    /// What the formulas are given.
    struct Figures {
        var lossPercent: Double
        var jitterMilliseconds: Double
        var hasForwardErrorCorrection: Bool
    }

    func score(_ figures: Figures) -> Double {
        let loss = figures.lossPercent
        switch self {
        case .packetLoss: return -loss
        // R = 93.2 − Ie,eff; Ie 0, Bpl 25.1 (ITU-T G.107 §7.5, G.113 App. I).
        case .codedEModel: return mos(93.2 - 95 * loss / (loss + 25.1))
        // "Voice over IP performance monitoring", CCR 31(2): R = 94.2 − 0.024d − 30 ln(1 + 15e) for G.711.
        case .coleRosenbluth: return mos(94.2 - 0.024 * delay(figures) - 30 * log(1 + 0.15 * loss))
        // Documentation of connection quality: RTT/2 + 2·jitter as delay, 8 points a percent of loss with Opus, a
        // third less with FEC; not below 30.
        case .liveKit:
            let delay = 2 * figures.jitterMilliseconds
            return max(30, 100 - delay / 40 - loss * (figures.hasForwardErrorCorrection ? 5.3 : 8))
        // Documentation of call metrics: R = 94.768 − latency/40 − 2.5 a percent, latency = RTT + 2·jitter + 10.
        case .twilio: return mos(94.768 - (2 * figures.jitterMilliseconds + 10) / 40 - 2.5 * loss)
        // Documented steps of loss, 2/4/6/8/12 %.
        case .jitsi:
            return [(2, 100.0), (4, 70), (6, 50), (8, 30), (12, 10)].first { loss <= $0.0 }?.1 ?? 0
        // Its description: R = 100 − 0.03·delay − (Ie + (100 − Ie)·P/(P + Bpl)), Ie from 24 kbit/s, Bpl 10, with FEC 20.
        case .rtcscore:
            let equipment = 55 - 4.6 * log(24_000)
            let robustness = figures.hasForwardErrorCorrection ? 20.0 : 10
            return mos(100 - 0.03 * delay(figures) - equipment - (100 - equipment) * loss / (loss + robustness))
        // Its manual: ITU-T G.107.2 with Ie 10.2 and Bpl 4.3.
        case .rtpengine: return mos((148 - 10.2 - (132 - 10.2) * loss / (loss + 4.3)) / 1.48)
        }
    }

    private func delay(_ figures: Figures) -> Double {
        20 + max(20, 4 * figures.jitterMilliseconds)
    }

    /// ITU-T G.107 Annex B, clamped below R = 6.5 where it would rise again.
    private func mos(_ rating: Double) -> Double {
        EModel.mos(rating: min(100, max(6.5, rating)))
    }
}
