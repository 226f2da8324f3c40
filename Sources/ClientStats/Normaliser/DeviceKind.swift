import CallModel

/// What kind of device it is, in place of what its owner calls it.
enum DeviceKind {
    /// Members of events that name a device.
    static let members = ["device", "selected", "audioDevice", "microphone", "camera", "speaker"]

    private static let kinds = [
        "bluetooth", "headset", "headphone", "earpiece", "receiver", "speaker", "hearing", "carplay", "airplay", "hdmi",
        "usb", "wired", "microphone", "camera", "screen",
    ]

    /// Words of names that a system gives, and no person.
    private static let plain: Set<String> = kinds.reduce(into: [
        "a2dp", "audio", "built", "builtin", "car", "communications", "default", "device", "external", "front", "back",
        "hands", "handsfree", "free", "headphones", "hfp", "in", "input", "internal", "le", "line", "loudspeaker",
        "mic",
        "none", "out", "output", "phone", "port", "rear", "sco", "speakerphone", "wireless", "aid",
    ]) { $0.insert($1) }

    /// The name, when it is one that a system gives; else the kind it speaks of, else `device`.
    static func cut(_ name: String) -> String {
        let lower = name.lowercased()
        let words = lower.split { !$0.isLetter && !$0.isNumber }
        // camelCase and one word for two: `builtInMic`, `WIREDHEADSET`.
        let isPlain = words.allSatisfy { plain.contains(String($0)) } || plainPairs.contains(words.joined())
        if isPlain { return name }
        return kinds.first { lower.contains($0) } ?? "device"
    }

    private static let plainPairs: Set<String> = Set(plain.flatMap { first in plain.map { first + $0 } })

    /// Whether an event tells of devices: then every name in it is cut.
    static func isConcern(ofAction action: String, type: String) -> Bool {
        let type = type.lowercased()
        return action == "audioDevice" || ["devicelist", "audiodevice", "audioroute"].contains { type.contains($0) }
    }

    /// Cuts all texts of an event that tells of devices.
    static func cutAll(in members: inout JSONObject) {
        for name in ["value", "detail"] { members[name] = members[name].map(cut) }
    }

    private static func cut(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let name): .string(cut(name))
        case .array(let values): .array(values.map(cut))
        case .object(let members): .object(members.mapValues(cut))
        default: value
        }
    }
}
