import Foundation

/// ITU-T G.107 (06/2015): `R = Ro − Is − Id − Ie,eff + A`. Equations by their section.
struct NarrowbandEModel: Hashable {
    let parameters: EModelParameters

    init(_ parameters: EModelParameters = EModelParameters()) {
        self.parameters = parameters
    }

    /// R, the transmission rating: 93.2 with all defaults; not cut to 0...100.
    var rating: Double {
        basicSignalToNoise - simultaneousImpairment - delayImpairment - equipmentImpairment + parameters.advantage
    }

    /// MOS-CQE: what people would say of a conversation, 1...4.5.
    var mos: Double { EModel.mos(rating: rating) }

    /// Ie,eff (§7.5).
    var equipmentImpairment: Double { parameters.equipment.effective() }
}

// MARK: - Noise, §7.2

extension NarrowbandEModel {
    /// Ro: signal over all noise.
    var basicSignalToNoise: Double { 15 - 1.5 * (parameters.sendLoudness + noise) }

    /// No: the powers of all noise added, in dBm0p.
    var noise: Double {
        let sources = [
            parameters.circuitNoise, sendNoise, receiveNoise, parameters.noiseFloor + parameters.receiveLoudness,
        ]
        return 10 * log10(sources.reduce(0) { $0 + pow(10, $1 / 10) })
    }

    /// OLR, in dB.
    private var overallLoudness: Double { parameters.sendLoudness + parameters.receiveLoudness }

    /// Nos: what the room at the send side brings in.
    private var sendNoise: Double {
        let masked = parameters.sendRoomNoise - overallLoudness - parameters.sendD - 14
        return parameters.sendRoomNoise - parameters.sendLoudness - parameters.sendD - 100 + 0.004 * masked * masked
    }

    /// Nor: what the room at the receive side brings in, with Pre, its noise heard by the sidetone.
    private var receiveNoise: Double {
        let sidetone = parameters.listenerSidetone ?? parameters.sidetoneMasking + parameters.receiveD
        let heard = parameters.receiveRoomNoise + 10 * log10(1 + pow(10, (10 - sidetone) / 10))
        return parameters.receiveLoudness - 121 + heard + 0.008 * (heard - 35) * (heard - 35)
    }
}

// MARK: - What comes with the voice, §7.3

extension NarrowbandEModel {
    /// Is.
    var simultaneousImpairment: Double { loudnessImpairment + sidetoneImpairment + quantisingImpairment }

    /// Iolr: too loud.
    var loudnessImpairment: Double {
        let loudness = (overallLoudness + 0.2 * (64 + noise - parameters.receiveLoudness)) / 8
        return 20 * (pow(1 + pow(loudness, 8), 1 / 8) - loudness)
    }

    /// Ist: sidetone that is not as it should be; echo within 10 ms or so is sidetone.
    var sidetoneImpairment: Double {
        let echo = exp(-parameters.echoDelayMilliseconds / 4) * pow(10, -parameters.talkerEchoLoudness / 10)
        let masking = -10 * log10(pow(10, -parameters.sidetoneMasking / 10) + echo)
        func root(_ value: Double, _ exponent: Double) -> Double { pow(1 + pow(value, exponent), 1 / exponent) }
        return 12 * root((masking - 13) / 6, 8) - 28 * root((masking + 1) / 19.4, 35)
            - 13 * root((masking - 3) / 33, 13) + 29
    }

    /// Iq: quantising distortion.
    var quantisingImpairment: Double {
        let signal = 37 - 15 * log10(parameters.quantisingDistortion)
        let weight = 1.07 + 0.258 * signal + 0.0602 * signal * signal
        let y = (basicSignalToNoise - 100) / 15 + 46 / 8.4 - weight / 9
        let z = 46.0 / 30 - weight / 40
        return 15 * log10(1 + pow(10, y) + pow(10, z))
    }
}

// MARK: - Delay and echo, §7.4

extension NarrowbandEModel {
    /// Id.
    var delayImpairment: Double { talkerEchoImpairment + listenerEchoImpairment + absoluteDelayImpairment }

    /// Idte: what talkers hear of themselves.
    var talkerEchoImpairment: Double {
        let echo = EchoImpairment.talker(
            ratingWithoutEcho: -1.5 * (noise - parameters.receiveLoudness), echoRating: 80 + 2.5 * (echoLoudness - 14),
            delayMilliseconds: parameters.echoDelayMilliseconds)
        // Echo so soon is sidetone, and sidetone so weak does not hide it.
        let points = parameters.echoDelayMilliseconds < 1 ? 0 : echo
        guard parameters.sidetoneMasking > 20 else { return points }
        return (points * points + sidetoneImpairment * sidetoneImpairment).squareRoot()
    }

    /// TERV, TERVs where the sidetone is strong.
    private var echoLoudness: Double {
        let loudness = EchoImpairment.loudness(
            talkerEchoLoudness: parameters.talkerEchoLoudness, delayMilliseconds: parameters.echoDelayMilliseconds)
        return parameters.sidetoneMasking < 9 ? loudness + sidetoneImpairment / 2 : loudness
    }

    /// Idle: what listeners hear twice.
    var listenerEchoImpairment: Double {
        EchoImpairment.listener(
            ratingWithoutEcho: basicSignalToNoise, echoPathLoss: parameters.weightedEchoPathLoss,
            roundTripMilliseconds: parameters.roundTripMilliseconds ?? 2 * parameters.echoDelayMilliseconds)
    }

    /// Idd: conversation gets slow.
    var absoluteDelayImpairment: Double {
        DelayImpairment.points(
            oneWayMilliseconds: parameters.oneWayMilliseconds ?? parameters.echoDelayMilliseconds,
            parameters.delaySensitivity)
    }
}
