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
