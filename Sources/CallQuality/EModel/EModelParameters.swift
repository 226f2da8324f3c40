/// What the narrowband E-model takes: ITU-T G.107 (06/2015) Table 3, with its defaults.
///
/// The symbols stand in the comments; loudness ratings and noise are planning values that no statistics tell.
struct EModelParameters: Hashable {
    /// SLR, in dB.
    var sendLoudness = 8.0
    /// RLR, in dB.
    var receiveLoudness = 2.0
    /// STMR: how much of their own voice talkers hear by the side of the ear, in dB.
    var sidetoneMasking = 15.0
    /// LSTR, in dB; `nil`: STMR + Dr.
    var listenerSidetone: Double?
    /// Ds of the telephone at the send side.
    var sendD = 3.0
    /// Dr of the telephone at the receive side.
    var receiveD = 3.0
    /// TELR: how much weaker the talker's echo is than the voice, in dB.
    var talkerEchoLoudness = 65.0
    /// WEPL: loss of the path of the listener's echo, in dB.
    var weightedEchoPathLoss = 110.0
    /// T: mean one-way delay of the echo path, in ms.
    var echoDelayMilliseconds = 0.0
    /// Tr: round trip in the four-wire loop, in ms; `nil`: 2 · T.
    var roundTripMilliseconds: Double?
    /// Ta: absolute delay from mouth to ear, in ms; `nil`: T.
    var oneWayMilliseconds: Double?
    /// qdu: quantising distortion units.
    var quantisingDistortion = 1.0
    /// Ie, Bpl, Ppl and BurstR.
    var equipment = EquipmentImpairment()
    /// Nc: noise of the circuit at the 0 dBr point, in dBm0p.
    var circuitNoise = -70.0
    /// Nfor: noise floor at the receive side, in dBmp.
    var noiseFloor = -64.0
    /// Ps: room noise at the send side, in dB(A).
    var sendRoomNoise = 35.0
    /// Pr: room noise at the receive side, in dB(A).
    var receiveRoomNoise = 35.0
    /// A: what people forgive for the advantage of access; at most 5 in a building, 10 in a vehicle, 20 by satellite.
    var advantage = 0.0
    /// sT and mT.
    var delaySensitivity = DelayImpairment.Sensitivity.ordinary
}

// MARK: - Ranges

extension EModelParameters {
    /// A parameter by its symbol, and the values for which the Recommendation states the model.
    struct Range: Sendable {
        var symbol: String
        var permitted: ClosedRange<Double>
        var value: @Sendable (EModelParameters) -> Double
    }

    /// Table 3 of G.107 (06/2015); for Nfor it gives no range.
    static let ranges: [Range] = [
        Range(symbol: "SLR", permitted: 0...18) { $0.sendLoudness },
        Range(symbol: "RLR", permitted: -5...14) { $0.receiveLoudness },
        Range(symbol: "STMR", permitted: 10...20) { $0.sidetoneMasking },
        Range(symbol: "LSTR", permitted: 13...23) { $0.listenerSidetone ?? $0.sidetoneMasking + $0.receiveD },
        Range(symbol: "Ds", permitted: -3...3) { $0.sendD },
        Range(symbol: "Dr", permitted: -3...3) { $0.receiveD },
        Range(symbol: "TELR", permitted: 5...65) { $0.talkerEchoLoudness },
        Range(symbol: "WEPL", permitted: 5...110) { $0.weightedEchoPathLoss },
        Range(symbol: "T", permitted: 0...500) { $0.echoDelayMilliseconds },
        Range(symbol: "Tr", permitted: 0...1000) { $0.roundTripMilliseconds ?? 2 * $0.echoDelayMilliseconds },
        Range(symbol: "Ta", permitted: 0...500) { $0.oneWayMilliseconds ?? $0.echoDelayMilliseconds },
        Range(symbol: "qdu", permitted: 1...14) { $0.quantisingDistortion },
        Range(symbol: "Ie", permitted: 0...40) { $0.equipment.codec },
        Range(symbol: "Bpl", permitted: 4.3...40) { $0.equipment.lossRobustness },
        Range(symbol: "Ppl", permitted: 0...20) { $0.equipment.lossPercent },
        Range(symbol: "BurstR", permitted: 1...8) { $0.equipment.burstRatio },
        Range(symbol: "Nc", permitted: -80 ... -40) { $0.circuitNoise },
        Range(symbol: "Ps", permitted: 35...85) { $0.sendRoomNoise },
        Range(symbol: "Pr", permitted: 35...85) { $0.receiveRoomNoise },
        Range(symbol: "A", permitted: 0...20) { $0.advantage },
        Range(symbol: "sT", permitted: 0.4...1) { $0.delaySensitivity.slope },
        Range(symbol: "mT", permitted: 20...150) { $0.delaySensitivity.leastPerceivedMilliseconds },
    ]

    /// The symbols of the parameters that lie outside of what the model is stated for, in the order of the table.
    ///
    /// The formulas have values there too, which nobody vouches for.
    var outOfRange: [String] {
        Self.ranges.filter { !$0.permitted.contains($0.value(self)) }.map(\.symbol)
    }
}
