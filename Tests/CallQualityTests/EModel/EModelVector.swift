import Foundation
import TestSupport

@testable import CallQuality

/// One row of a file of test vectors: what goes in, what comes out, how exactly.
struct EModelVector: Decodable {
    var id: String
    var kind: String
    var input: [String: Double]
    var expected: [String: Double]
    var tolerance: Double

    private struct File: Decodable {
        var rows: [EModelVector]
    }

    static func rows(of file: URL) throws -> [EModelVector] {
        try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).rows
    }

    /// The rows that `Scripts/emodel-vectors` computes.
    static let own = SharedData.packageRoot.appending(path: "Tests/CallQualityTests/EModel/vectors.json")

    /// The rows beside the checkout: published statements, and other programs.
    static let shared = SharedData.packageRoot.deletingLastPathComponent()
        .appending(path: "shared/tools/score/vectors.json")
}

/// Why a row could not be computed: the row is of a kind, or has a member, that nobody told the test of.
struct UnknownVectorMember: Error {
    var name: String
}

// MARK: - What the product makes of a row

extension EModelVector {
    /// Every figure that the model has for the row, by the names of ``expected``.
    func computed() throws -> [String: Double] {
        switch kind {
        case "nb": try narrowband
        case "wb", "wb_speech_quality_g1070": try wideband
        case "fb", "fb_rtpengine": try fullband
        case "ie_eff", "wb_ie_eff": try effectiveEquipment
        case "wb_ie_to_mos": try rating(WidebandEModel(equipment: EquipmentImpairment(codec: only("Ie_wb"))))
        case "r_to_mos": try ["MOS": EModel.mos(rating: only("R"))]
        case "mos_to_r": try ["R": EModel.rating(mos: only("MOS"))]
        case "wb_r_to_mos": try ["MOS": WidebandEModel.mos(rating: only("R"))]
        case "fb_r_to_mos": try ["MOS": FullbandEModel.mos(rating: only("R"))]
        case "cole_rosenbluth_id":
            try ["Id": DelayImpairment.coleRosenbluthPoints(oneWayMilliseconds: only("d"))]
        case "burst_ratio":
            ["BurstR": EquipmentImpairment.burstRatio(meanRun: input["L"] ?? .nan, lossPercent: input["Ppl"] ?? .nan)]
        default: throw UnknownVectorMember(name: kind)
        }
    }

    private func only(_ name: String) throws -> Double {
        guard input.count == 1, let value = input[name] else { throw UnknownVectorMember(name: "\(input.keys)") }
        return value
    }

    private func rating(_ model: WidebandEModel) -> [String: Double] {
        [
            "R": model.rating, "Q": model.rating, "MOS": model.mos, "Ie_eff": model.equipment.effective(),
            "Idte": model.talkerEchoImpairment, "Idle": model.listenerEchoImpairment,
            "Idd": model.absoluteDelayImpairment,
        ]
    }

    private var effectiveEquipment: [String: Double] {
        get throws {
            var equipment = EquipmentImpairment()
            for (name, value) in input where !equipment.set(name, value) { throw UnknownVectorMember(name: name) }
            let points = equipment.effective()
            let model = kind == "wb_ie_eff" ? WidebandEModel(equipment: equipment) : nil
            return ["Ie_eff": points, "MOS": model?.mos ?? .nan, "R": model?.rating ?? .nan]
        }
    }

    private var narrowband: [String: Double] {
        get throws {
            var parameters = EModelParameters()
            for (name, value) in input where !parameters.set(name, value) { throw UnknownVectorMember(name: name) }
            let model = NarrowbandEModel(parameters)
            return [
                "R": model.rating, "MOS": model.mos, "Ro": model.basicSignalToNoise, "No": model.noise,
                "Is": model.simultaneousImpairment, "Iolr": model.loudnessImpairment,
                "Ist": model.sidetoneImpairment, "Iq": model.quantisingImpairment, "Id": model.delayImpairment,
                "Idte": model.talkerEchoImpairment, "Idle": model.listenerEchoImpairment,
                "Idd": model.absoluteDelayImpairment, "Ie_eff": model.equipmentImpairment,
            ]
        }
    }

    /// G.1070's speech part has the talker's echo alone, and its delay as Ts.
    private var wideband: [String: Double] {
        get throws {
            var model = WidebandEModel()
            var echo = WidebandEModel.Echo(delayMilliseconds: input["T"] ?? input["Ts"] ?? 0)
            for (name, value) in input where !model.equipment.set(name, value) {
                switch name {
                case "T", "Ts", "Ta": break
                case "TELR": echo.talkerEchoLoudness = value
                case "WEPL": echo.weightedEchoPathLoss = value
                case "Tr": echo.roundTripMilliseconds = value
                default: throw UnknownVectorMember(name: name)
                }
            }
            model.oneWayMilliseconds = input["Ta"] ?? input["T"] ?? 0
            model.echo = echo
            guard kind == "wb_speech_quality_g1070" else { return rating(model) }
            let quality = model.rating + model.listenerEchoImpairment + model.absoluteDelayImpairment
            return ["Q": quality, "MOS": WidebandEModel.mos(rating: quality)]
        }
    }

    /// rtpengine takes half the round trip and the jitter for Ta.
    private var fullband: [String: Double] {
        get throws {
            var model = FullbandEModel()
            model.oneWayMilliseconds = input["Ta"] ?? (input["rtt_ms"] ?? 0) / 2 + (input["jitter_ms"] ?? 0)
            for (name, value) in input where !model.equipment.set(name, value) {
                switch name {
                case "Ta", "rtt_ms", "jitter_ms": break
                case "Ie_fb": model.equipment.codec = value
                case "Bpl_fb": model.equipment.lossRobustness = value
                case "sT": model.delaySensitivity.slope = value
                case "mT": model.delaySensitivity.leastPerceivedMilliseconds = value
                default: throw UnknownVectorMember(name: name)
                }
            }
            return [
                "R": model.rating, "MOS": model.mos, "Idd": model.delayImpairment, "Ie_eff": model.equipmentImpairment,
            ]
        }
    }
}

extension EquipmentImpairment {
    /// Sets a parameter by its symbol; `false` when it is not one of these.
    fileprivate mutating func set(_ symbol: String, _ value: Double) -> Bool {
        switch symbol {
        case "Ie": codec = value
        case "Bpl": lossRobustness = value
        case "Ppl": lossPercent = value
        case "BurstR": burstRatio = value
        default: return false
        }
        return true
    }
}

extension EModelParameters {
    private static let members: [String: any WritableKeyPath<EModelParameters, Double> & Sendable] = [
        "SLR": \.sendLoudness, "RLR": \.receiveLoudness, "STMR": \.sidetoneMasking, "Ds": \.sendD, "Dr": \.receiveD,
        "TELR": \.talkerEchoLoudness, "WEPL": \.weightedEchoPathLoss, "T": \.echoDelayMilliseconds,
        "qdu": \.quantisingDistortion, "Nc": \.circuitNoise, "Nfor": \.noiseFloor, "Ps": \.sendRoomNoise,
        "Pr": \.receiveRoomNoise, "A": \.advantage, "sT": \.delaySensitivity.slope,
        "mT": \.delaySensitivity.leastPerceivedMilliseconds,
    ]
    private static let optionalMembers: [String: any WritableKeyPath<EModelParameters, Double?> & Sendable] = [
        "LSTR": \.listenerSidetone, "Tr": \.roundTripMilliseconds, "Ta": \.oneWayMilliseconds,
    ]

    /// Sets a parameter by its symbol; `false` when there is none.
    fileprivate mutating func set(_ symbol: String, _ value: Double) -> Bool {
        if let member = Self.members[symbol] {
            self[keyPath: member] = value
        } else if let member = Self.optionalMembers[symbol] {
            self[keyPath: member] = value
        } else {
            return equipment.set(symbol, value)
        }
        return true
    }
}
