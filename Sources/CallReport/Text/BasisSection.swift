import CallModel

/// What the audio part of the score was computed from, so that it can be checked.
struct BasisSection: ReportSection {
    let context: ReportContext

    var lines: [Line] {
        guard let basis = context.summary.basis else { return [] }
        let words = BasisWords(basis, isSimulated: context.summary.isFromWire)
        return [Line("Score rests on", .heading) + Line(" (audio; docs/score.md, rules version \(basis.rulesVersion))")]
            + [words.codec, words.sound, words.delay].flatMap { Wrap.list($0, columns: context.columns, hanging: 4) }
            + RatingWords(context.summary.rating, codec: basis.codec).lines(columns: context.columns)
    }
}

/// The basis of a score in words, a list a subject.
private struct BasisWords {
    private let basis: ScoreBasis
    /// Whether the jitter buffer is the probe's model of one.
    private let isSimulated: Bool

    init(_ basis: ScoreBasis, isSimulated: Bool) {
        self.basis = basis
        self.isSimulated = isSimulated
    }

    private var isEstimated: Bool { basis.isRepairAssumed != nil || basis.latePercent != nil }

    var codec: [String] {
        let name = basis.codec.map { "codec \($0.printable)" } ?? "codec not known"
        return [
            name
                + (basis.isRepairAssumed.map {
                    $0 ? ", lost packets taken to be repairable" : ", lost packets not repairable"
                } ?? "")
        ]
    }

    /// The mean run is one of losses where concealment had to be estimated, else one of concealments.
    var sound: [String] {
        let run = basis.meanLossRun.flatMap { $0.isFinite ? " in runs of \(Figures.number($0)) packets" : nil } ?? ""
        let late = basis.latePercent.map { ["late sound \(Figures.percent($0))"] } ?? []
        return ["lost \(Figures.percent(basis.lossPercent))" + (isEstimated ? run : "")] + late + [
            "concealed \(Figures.percent(basis.concealedPercent))" + (isEstimated ? " (estimated)" : run),
            "stretched \(Figures.percent(basis.stretchedPercent))", "silent \(Figures.percent(basis.silentPercent))",
        ]
    }

    var delay: [String] {
        let parts = [basis.networkDelayMilliseconds, basis.bufferDelayMilliseconds, basis.codecDelayMilliseconds]
        let total = parts.reduce(0) { $0 + ($1 ?? 0) }
        let network = basis.networkDelayMilliseconds.map { Figures.number($0, "ms") } ?? "not measured"
        return [
            "delay \(Figures.number(total, "ms")): network \(network)",
            "jitter buffer \(Figures.number(basis.bufferDelayMilliseconds, "ms"))\(isSimulated ? " (simulated)" : "")",
            "codec \(Figures.number(basis.codecDelayMilliseconds, "ms"))",
        ]
    }
}
