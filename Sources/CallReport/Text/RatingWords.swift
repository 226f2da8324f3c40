import CallModel

/// R and the mean opinion scores of the audio in words, and what they were computed from.
struct RatingWords {
    private let rating: TransmissionRating?
    private let codec: String?

    /// - Parameters:
    ///   - rating: What to show; `nil` says why there is none.
    ///   - codec: What the score knows of the codec.
    init(_ rating: TransmissionRating?, codec: String?) {
        self.rating = rating
        self.codec = codec
    }

    func lines(columns: Int) -> [Line] {
        guard let rating else { return Wrap.lines(absence, columns: columns, hanging: 4) }
        return [ratings(rating), inputs(rating)].flatMap { Wrap.list($0, columns: columns, hanging: 4) }
    }

    /// `R 91.2 of 129`; `R – of 129`: the scale stands beside the figure, for R of another scale is another thing.
    static func rFactor(_ rating: TransmissionRating?) -> String {
        guard let rating else { return Figures.unknown }
        return "\(figure(rating.rFactor, places: 1)) of \(Figures.number(rating.band.largestRating))"
    }

    /// A mean opinion score with its two places.
    static func opinion(_ mos: Double?) -> String {
        figure(mos, places: 2)
    }

    private static func figure(_ value: Double?, places: Int) -> String {
        value.flatMap { $0.isFinite ? Figures.fixed($0, places: places) : nil } ?? Figures.unknown
    }

    private var absence: String {
        "R and MOS –: "
            + (codec.map { "none were computed for \($0.printable)" } ?? "the codec is not known")
    }

    private func ratings(_ rating: TransmissionRating) -> [String] {
        [
            "R \(Self.rFactor(rating)) (\(rating.band.rawValue), \(rating.band.recommendation))",
            "MOS-LQ \(Self.opinion(rating.mosLQ))", "MOS-CQ \(Self.opinion(rating.mosCQ))",
        ]
    }

    private func inputs(_ rating: TransmissionRating) -> [String] {
        // G.107.2 has no burst ratio.
        let burst = rating.band == .fullband ? [] : ["burst ratio \(Figures.number(rating.burstRatio))"]
        let doubt = rating.isEstimate ? " (estimated or assumed)" : ""
        return [
            "codec row \(rating.codecRow.printable)\(doubt): Ie \(Figures.number(rating.equipmentImpairment))",
            "Bpl \(Figures.percent(rating.lossRobustness))", "loss heard \(Figures.percent(rating.lossPercent))",
        ] + burst + ["delay \(Figures.number(rating.oneWayDelayMilliseconds, "ms"))"]
    }
}
