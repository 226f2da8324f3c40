import CallModel

/// Rows on the scale of G.107. Sources: G.113 (2024) Appendix I unless a row says otherwise.
extension CodecTable {
    private static let g113 = "G.113 App. I"
    private static let withoutBpl = "as measured for G.711 with concealment; G.113 has no Bpl"

    static let g711 = CodecRow(
        name: "G.711 with PLC", band: .narrowband, equipmentImpairment: .published(0, g113),
        lossRobustness: .published(25.1, "G.113 App. I, for packets of 10 ms"))

    static let g726At40 = g726("40", 2)
    static let g726At32 = g726("32", 7)
    static let g726At24 = g726("24", 25)
    static let g726At16 = g726("16", 50)

    private static func g726(_ rate: String, _ points: Double) -> CodecRow {
        CodecRow(
            name: "G.726 \(rate) kbit/s", band: .narrowband, equipmentImpairment: .published(points, g113),
            lossRobustness: .estimate(17, withoutBpl))
    }

    static let g728 = CodecRow(
        name: "G.728 16 kbit/s", band: .narrowband, equipmentImpairment: .published(7, g113),
        lossRobustness: .estimate(17, withoutBpl))

    static let g729 = CodecRow(
        name: "G.729", band: .narrowband, equipmentImpairment: .published(10, g113),
        lossRobustness: .published(19, "G.113 App. I, for G.729A with VAD"), lookAheadMilliseconds: 5)
    /// Annex B is in use unless signalling says no (RFC 4856 §2.1.9).
    static let g729WithSilence = CodecRow(
        name: "G.729A with VAD", band: .narrowband, equipmentImpairment: .published(11, g113),
        lossRobustness: .published(19, g113), lookAheadMilliseconds: 5)

    /// The payload format does not tell the bit rate beforehand; the better one is assumed.
    static let g723At63 = CodecRow(
        name: "G.723.1 6.3 kbit/s", band: .narrowband, equipmentImpairment: .published(15, g113),
        lossRobustness: .published(16.1, "G.113 App. I, with VAD"), packetMilliseconds: 30, lookAheadMilliseconds: 7.5)

    static let gsmEFR = CodecRow(
        name: "GSM-EFR", band: .narrowband, equipmentImpairment: .published(5, g113),
        lossRobustness: .published(10, g113))
    static let gsm = CodecRow(
        name: "GSM-FR", band: .narrowband, equipmentImpairment: .estimate(20, "one tool has it, without a source"),
        lossRobustness: .estimate(10, "as GSM-EFR"))

    private static let noAMR = "as GSM-EFR, its 12.2 kbit/s mode; G.113 has no row for AMR"
    static let amr = CodecRow(
        name: "AMR", band: .narrowband, equipmentImpairment: .estimate(5, noAMR), lossRobustness: .estimate(10, noAMR),
        lookAheadMilliseconds: 5)

    private static let noneSeen = "no published figure was found"
    static let ilbc = CodecRow(
        name: "iLBC", band: .narrowband, equipmentImpairment: .estimate(11, noneSeen),
        lossRobustness: .estimate(25, noneSeen), packetMilliseconds: 30)
    static let speex = CodecRow(
        name: "Speex narrowband", band: .narrowband, equipmentImpairment: .estimate(11, noneSeen),
        lossRobustness: .estimate(19, "23 was measured with one speaker"), lookAheadMilliseconds: 10)

    static let narrowbandOpus = CodecRow(
        name: "Opus narrowband", band: .narrowband,
        equipmentImpairment: .instrumental(11.7, opusPaper + ", VBR 9 kbit/s"),
        lossRobustness: .instrumental(18.9, opusPaper), lookAheadMilliseconds: opusLookAhead)
}
