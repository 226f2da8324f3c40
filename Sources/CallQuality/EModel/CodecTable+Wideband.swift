import CallModel

/// Rows on the scales of G.107.1 and G.107.2.
extension CodecTable {
    /// Alahmadi, Počta, Melvin 2021: Ie and Bpl of Opus by an instrumental model of listening quality.
    static let opusPaper = "Alahmadi, Počta and Melvin 2021"
    /// libopus by default: 26.5 ms with a frame of 20 ms.
    static let opusLookAhead = 6.5

    static let g722 = CodecRow(
        name: "G.722 64 kbit/s", band: .wideband,
        equipmentImpairment: .estimate(13, "G.113 App. IV from memory; a planning guide prints 14"),
        lossRobustness: .estimate(6, "4.3 was measured with frames repeated; none is published"))

    static let widebandOpus = CodecRow(
        name: "Opus wideband", band: .wideband, equipmentImpairment: .instrumental(20, opusPaper + ", VBR 13 kbit/s"),
        lossRobustness: .instrumental(19.5, opusPaper), lookAheadMilliseconds: opusLookAhead)
}

// MARK: - AMR-WB

extension CodecTable {
    /// The modes by their number (RFC 4867).
    static let wideAMRModes: [(kilobitsPerSecond: String, row: CodecRow)] = [
        wideAMR("6.60", .published(56, diotic), amrRobustness), wideAMR("8.85", .published(41, diotic), amrRobustness),
        wideAMR("12.65", .published(20, diotic), .published(4.3, dioticLoss)),
        wideAMR("14.25", .estimate(18, fromMonotic), amrRobustness),
        wideAMR("15.85", .published(17, diotic), amrRobustness),
        wideAMR("18.25", .estimate(13, fromMonotic), amrRobustness),
        wideAMR("19.85", .estimate(11, fromMonotic), amrRobustness),
        wideAMR("23.05", .published(8, diotic), .published(4.6, dioticLoss)),
        wideAMR("23.85", .published(10, diotic), .published(4.9, dioticLoss)),
    ]
    /// 12.65 kbit/s, the usual upper mode of mobile telephony.
    static let usualWideAMRMode = 2

    // Heard with both ears throughout: Bpl is published for that alone, and the two must not be mixed.
    private static let diotic = "G.113 (2024) Table IV.3, diotic"
    private static let dioticLoss = "G.113 (2024) Table IV.4, diotic"
    private static let fromMonotic = "Table IV.1 (monotic) and 8, the mean difference of the modes in both tables"
    private static let amrRobustness = CodecFigure.estimate(4.5, "between the modes that have one")

    private static func wideAMR(
        _ rate: String, _ impairment: CodecFigure, _ robustness: CodecFigure
    ) -> (kilobitsPerSecond: String, row: CodecRow) {
        let row = CodecRow(
            name: "AMR-WB \(rate) kbit/s", band: .wideband, equipmentImpairment: impairment,
            lossRobustness: robustness, lookAheadMilliseconds: 5)
        return (rate, row)
    }
}

// MARK: - Fullband

extension CodecTable {
    static let evsRates: [(kilobitsPerSecond: Double, row: CodecRow)] = [
        evs(9.6, 22.7, 13), evs(13.2, 17.1, 11.7), evs(16.4, 10.8, 10.3), evs(24.4, 7.2, 11.4), evs(32, 8.7, 9.3),
        evs(48, 10.2, 9.6),
    ]
    /// 24.4 kbit/s, the usual upper rate of mobile telephony.
    static let usualEVSRate = 3

    private static func evs(
        _ rate: Double, _ impairment: Double, _ robustness: Double
    ) -> (kilobitsPerSecond: Double, row: CodecRow) {
        let source = "G.113 (2024) App. V"
        let row = CodecRow(
            name: "EVS super-wideband \(rate) kbit/s", band: .fullband,
            equipmentImpairment: .published(impairment, source), lossRobustness: .published(robustness, source),
            lookAheadMilliseconds: 12)
        return (rate, row)
    }

    /// Opus with variable bit rate and random loss; above 14 kHz nobody has published a figure.
    static let superWidebandOpus: [(kilobitsPerSecond: Double, impairment: Double, robustness: Double)] = [
        (16, 30.2, 11.8), (25, 20.2, 11.3), (31, 16.8, 10.4), (40, 10.7, 9.8),
    ]
    /// What browsers aim at for one channel of speech when nothing bounds them.
    static let usualOpusKilobits = 32.0
}
