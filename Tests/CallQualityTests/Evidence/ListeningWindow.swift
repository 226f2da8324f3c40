import CallModel
import Foundation
import TestSupport

@testable import CallQuality

/// Eight seconds of a recorded call: what the client's statistics said, and PESQ of what was really heard.
struct ListeningWindow: Decodable {
    /// The scenario, such as `03-loss5`.
    var scenario: String
    /// Its number within the call: windows of one number have the same words.
    var index: Int
    /// PESQ (ITU-T P.862.2) of the played sound against the sent, 1...4.6.
    var pesq: Double
    /// Packets lost, percent.
    var loss: Double
    /// Samples concealed, percent.
    var concealed: Double
    /// Samples concealed with silence, percent.
    var silent: Double
    /// Samples inserted or removed, percent.
    var stretched: Double
    /// Mean reported jitter, ms.
    var jitter: Double
    var codec: String

    enum CodingKeys: String, CodingKey {
        case scenario = "s"
        case index = "i"
        case pesq, loss, codec
        case concealed = "conc"
        case silent = "sil"
        case stretched = "stretch"
        case jitter = "jit"
    }

    static func all() throws -> [ListeningWindow] {
        let ours = SharedData.packageRoot.appending(path: "SampleData/listening-windows.json")
        return try [SharedData.url("calls/mos_windows.json"), ours].flatMap {
            try JSONDecoder().decode([ListeningWindow].self, from: Data(contentsOf: $0))
        }
    }

    /// Recordings in which nothing was done to the packets: they tell whether silence is taken for a fault, but there is
    /// nothing in them to rank.
    private static let untouched: Set = [
        "70-opus-dtx", "73-pcmu-cn", "75-stream-pause", "76-stream-pause-jump", "79-mute", "80-mute-dtx",
        "83-opus-pauses",
    ]

    var isUntouched: Bool { Self.untouched.contains(scenario) }

    /// PESQ less what it says, in the mean, of the same words in other calls that nothing was done to; `nil` where fewer
    /// than three windows have them.
    func changeFromUndisturbed(among all: [ListeningWindow]) -> Double? {
        let same = all.filter { $0.isUndisturbed && $0.scenario != scenario && $0.index == index }
        return same.count < 3 ? nil : pesq - Line.mean(same.map(\.pesq))
    }

    var isUndisturbed: Bool { isUntouched || ["01-clean", "31-plain-clean"].contains(scenario) }

    /// Whether it is of the recordings that were made first.
    var isOfFirstRecordings: Bool { scenario.prefix { $0.isNumber } < "70" }

    /// The window as the score sees it. PESQ takes delay out, so none is put in.
    var totals: AudioTotals {
        var totals = AudioTotals()
        let samples = 8 * 48_000.0
        totals.counted.packets = 400 * (1 - loss / 100)
        totals.packetsLost = 400 * loss / 100
        totals.counted.samples = samples
        totals.counted.samplesSeconds = 8
        totals.counted.concealedSamples = samples * concealed / 100
        totals.counted.insertedSamples = samples * stretched / 100
        totals.counted.removedSamples = 0
        totals.counted.jitterBufferSeconds = 0
        totals.counted.jitterBufferEmitted = samples
        totals.activeSeconds = 8
        totals.silentSeconds = 8 * silent / 100
        return totals
    }

    var figures: PeerScore.Figures {
        PeerScore.Figures(lossPercent: loss, jitterMilliseconds: jitter, hasForwardErrorCorrection: codec == "opus")
    }

    /// Quality on the scale of the score: R of the E-model for this MOS, 100 where PESQ has its ceiling on a
    /// clean call.
    func target(ceiling: Double) -> Double {
        min(100, 100 * EModel.rating(mos: pesq) / EModel.rating(mos: ceiling))
    }
}
