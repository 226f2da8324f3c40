import CallModel

/// The codecs that the E-model has figures for, each figure with where it is from. `docs/e-model.md` shows them all.
enum CodecTable {
    /// The row for a codec, and how sure that is.
    struct Choice: Hashable {
        var row: CodecRow
        /// Whether nothing said which bit rate or mode of the codec it was, or which codec at all.
        var isAssumed = false
    }

    /// The row for a codec as negotiated; `nil` for one without figures.
    static func choice(for codec: CodecDescription) -> Choice? {
        let name = codec.mimeType.lowercased()
        let slash = name.utf8.lastIndex(of: UInt8(ascii: "/"))
        let subtype = slash.map { String(name[name.utf8.index(after: $0)...]) } ?? name
        guard var choice = choice(named: subtype, codec) else { return nil }
        choice.isAssumed = choice.isAssumed || codec.isGuess
        return choice
    }

    private static func choice(named name: String, _ codec: CodecDescription) -> Choice? {
        // Most have no parameters that matter, and need not be read.
        var parameters: FormatParameters { FormatParameters(codec.formatParameters) }
        return switch name {
        case "opus": mayBoundOpus(codec.formatParameters) ? opus(parameters) : usualOpus
        // What RED carries is not told with it; browsers pack Opus.
        case "red": usualOpus
        case "amr-wb": wideAMR(parameters)
        case "evs": evs(parameters)
        case "g723": Choice(row: g723At63, isAssumed: true)
        case "g729": Choice(row: parameters["annexb"] == "no" ? g729 : g729WithSilence)
        case "speex": codec.clockRate == 8_000 ? Choice(row: speex, isAssumed: true) : nil
        default: single[name].map { Choice(row: $0) }
        }
    }

    private static let single: [String: CodecRow] = [
        "pcmu": g711, "pcma": g711, "g722": g722, "g728": g728, "gsm": gsm, "gsm-efr": gsmEFR, "amr": amr,
        "ilbc": ilbc, "g726-40": g726At40, "g726-32": g726At32, "g726-24": g726At24, "g726-16": g726At16,
        "aal2-g726-40": g726At40, "aal2-g726-32": g726At32, "aal2-g726-24": g726At24, "aal2-g726-16": g726At16,
    ]

    /// All rows that do not depend on a bit rate in between, as the documentation shows them.
    static let all: [CodecRow] =
        [
            g711, g726At40, g726At32, g726At24, g726At16, g728, g729, g729WithSilence, g723At63, gsmEFR, gsm, amr, ilbc,
            speex, g722,
        ] + wideAMRModes.map(\.row) + evsRates.map(\.row) + [narrowbandOpus, widebandOpus]
        + superWidebandOpus.map { opusRow(kilobitsPerSecond: $0.kilobitsPerSecond) }
}

// MARK: - Modes

extension CodecTable {
    /// A `mode-set` of one mode tells the bit rate (RFC 4867 §8.2).
    private static func wideAMR(_ parameters: FormatParameters) -> Choice {
        let told = parameters["mode-set"].flatMap { Int($0) }
        guard let told, wideAMRModes.indices.contains(told) else {
            return Choice(row: wideAMRModes[usualWideAMRMode].row, isAssumed: true)
        }
        return Choice(row: wideAMRModes[told].row)
    }

    /// `br` with one bit rate (3GPP TS 26.445 Annex A); a range does not tell which.
    private static func evs(_ parameters: FormatParameters) -> Choice {
        let told = parameters["br"].flatMap { Double($0) }
        if let told, let rate = evsRates.first(where: { $0.kilobitsPerSecond == told }) { return Choice(row: rate.row) }
        return Choice(row: evsRates[usualEVSRate].row, isAssumed: true)
    }

    /// Opus by what its fmtp bounds (RFC 7587 §6.1): the playback rate, and the bit rate.
    private static func opus(_ parameters: FormatParameters) -> Choice {
        let rates = [parameters.number("maxplaybackrate"), parameters.number("sprop-maxcapturerate")].compactMap { $0 }
        let rate = rates.min() ?? 48_000
        if rate <= 8_000 { return Choice(row: narrowbandOpus, isAssumed: true) }
        if rate <= 16_000 { return Choice(row: widebandOpus, isAssumed: true) }
        guard let bits = parameters.number("maxaveragebitrate") else {
            return Choice(row: opusRow(kilobitsPerSecond: usualOpusKilobits), isAssumed: true)
        }
        return Choice(row: opusRow(kilobitsPerSecond: bits / 1000))
    }

    private static let usualOpus = opus(FormatParameters(nil))

    /// Whether parameters may have one that ``opus(_:)`` looks for: all of these have an x in their names, which few others
    /// have.
    private static func mayBoundOpus(_ parameters: String?) -> Bool {
        parameters?.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    }

    /// Between the bit rates of the paper on a straight line, beyond them as at the last.
    static func opusRow(kilobitsPerSecond rate: Double) -> CodecRow {
        let rates = superWidebandOpus
        let bounded = min(max(rate, rates[0].kilobitsPerSecond), rates[rates.count - 1].kilobitsPerSecond)
        let upper = rates.firstIndex { $0.kilobitsPerSecond >= bounded } ?? rates.count - 1
        let (low, high) = (rates[max(0, upper - 1)], rates[upper])
        let span = high.kilobitsPerSecond - low.kilobitsPerSecond
        let share = span > 0 ? (bounded - low.kilobitsPerSecond) / span : 1
        return CodecRow(
            name: "Opus super-wideband \(Int(bounded.rounded())) kbit/s", band: .fullband,
            equipmentImpairment: .instrumental(low.impairment + share * (high.impairment - low.impairment), opusPaper),
            lossRobustness: .instrumental(low.robustness + share * (high.robustness - low.robustness), opusPaper),
            lookAheadMilliseconds: opusLookAhead)
    }
}
