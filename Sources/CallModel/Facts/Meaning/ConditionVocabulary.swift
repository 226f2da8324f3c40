/// Events that begin or end a condition of a running call: ICE, address, interruptions, muting, the app in the background.
enum ConditionVocabulary {
    static func meanings(of event: CallEvent, _ name: FoldedName) -> [EventMeaning]? {
        if let meaning = simple[name] { return [meaning] }
        switch name {
        case "mediaattributeschanged": return attributes(of: event)
        case "didopponentaudiostatechange": return switched(.farEndMuted, by: "isAudioEnabled", of: event) ?? [.noted]
        case "didopponentvideostatechange":
            return switched(.farEndVideoOff, by: "isVideoEnabled", of: event) ?? [.noted]
        case "didreceivemediachangerequest":
            return (switched(.farEndMuted, by: "hasRemoteAudio", of: event) ?? [])
                + (switched(.farEndVideoOff, by: "hasRemoteVideo", of: event) ?? [])
        case "ondevicelistchanged", "getdevicelistchanged", "audiodevicechanged", "audioroutechanged":
            return [selectedDevice(of: event).map(EventMeaning.audioDevice) ?? .noted]
        case "onremotemediastream", "calldidaddremotemediastream", "calldidreceiveremotemediastream":
            return [.remoteMedia(isPresent: event.members["value"] != .null)]
        case "didreceivessrcs", "didreceivessrcsforaudio": return [.streams(sources(of: event))]
        default:
            return event.foldedAction == "audiodevice" ? [.audioDevice(selectedDevice(of: event) ?? event.type)] : nil
        }
    }

    private static let simple: [FoldedName: EventMeaning] = [
        "icenormal": .gathered(.normal), "iceonerelay": .gathered(.oneRelay), "icenorelay": .gathered(.noRelay),
        "iceconnected": .iceConnected, "icedisconnected": .iceDisconnected,
        "ipchangestarted": .addressChangeStarted, "ipchangeended": .addressChangeEnded,
        "begininterruption": .condition(.interrupted, isOn: true),
        "endinterruption": .condition(.interrupted, isOn: false),
        "didreceivesessioninterruption": .condition(.interrupted, isOn: true),
        "background": .condition(.background, isOn: true), "foreground": .condition(.background, isOn: false),
        "didenterbackground": .condition(.background, isOn: true),
        "suspended": .condition(.background, isOn: true),
        "willenterforeground": .condition(.background, isOn: false),
        "onpause": .condition(.background, isOn: true), "onresume": .condition(.background, isOn: false),
    ]

    /// What the app may show and send, as Kandy tells it (`mediaAttributes`).
    private static func attributes(of event: CallEvent) -> [EventMeaning] {
        let lanes: [(String, CallLane.Kind)] = [
            ("localAudio", .microphoneMuted), ("localVideo", .cameraOff), ("remoteVideo", .farEndVideoOff),
            ("remoteAudio", .farEndMuted),
        ]
        return lanes.flatMap { switched($1, by: $0, of: event) ?? [] }
    }

    /// The condition is on while the member is false.
    private static func switched(_ lane: CallLane.Kind, by member: String, of event: CallEvent) -> [EventMeaning]? {
        event.detail(member)?.truth.map { [.condition(lane, isOn: !$0)] }
    }

    private static func selectedDevice(of event: CallEvent) -> String? {
        event.detail("selected")?.text ?? event.detail("device")?.text ?? event.members["value"]?.text
    }

    /// SSRCs as text: decimal, or hexadecimal with or without `0x`.
    private static func sources(of event: CallEvent) -> [UInt32] {
        ["audio", "video", "audioSSRCs", "videoSSRCs", "ssrcs"].flatMap { name -> [UInt32] in
            guard case .array(let values)? = event.detail(name) else { return [] }
            return values.compactMap(source)
        }
    }

    private static func source(_ value: JSONValue) -> UInt32? {
        if let number = value.wholeNumber { return UInt32(exactly: number) }
        guard let text = value.text?.lowercased() else { return nil }
        return UInt32(text.hasPrefix("0x") ? String(text.dropFirst(2)) : text, radix: 16)
    }
}
