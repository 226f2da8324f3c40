/// What the app asked its SDK to do in a call, and whether it worked.
enum OperationVocabulary {
    static func meanings(of event: CallEvent, _ name: FoldedName) -> [EventMeaning]? {
        let isSuccess = event.detail("success")?.truth
        if holds.contains(name) || resumes.contains(name) {
            let told = EventMeaning.operation(event.type, isSuccess: isSuccess)
            guard isSuccess != false else { return [told] }
            return [told, holds.contains(name) ? .held(.local) : .resumed]
        }
        if let switched = switched(event, name) { return [.operation(event.type, isSuccess: isSuccess)] + switched }
        for ending in successes {
            guard let operation = name.dropping(ending) else { continue }
            return told(operation, as: event.type.dropLast(ending.utf8.count), isSuccess: true)
        }
        if let operation = name.dropping("failed") {
            return told(operation, as: event.type.dropLast("failed".utf8.count), isSuccess: false)
        }
        guard event.foldedAction == "operation" || asked.contains(name) else { return nil }
        return [.operation(event.type, isSuccess: isSuccess)]
    }

    /// Documents and headers spell it in three ways.
    private static let successes = ["succeeded", "succeed", "succedded"]

    private static func told(_ operation: FoldedName, as name: Substring, isSuccess: Bool) -> [EventMeaning] {
        let told = EventMeaning.operation(String(name), isSuccess: isSuccess)
        // What did not begin is over.
        if !isSuccess, operation == "holdcall" { return [told, .resumed] }
        guard isSuccess, let condition = conditions[operation] else { return [told] }
        return [told, condition]
    }

    private static let holds: Set<FoldedName> = ["hold", "linphonecorepausecall"]
    private static let resumes: Set<FoldedName> = ["resume", "unhold", "linphonecoreresumecall"]
    private static let asked: Set<FoldedName> = ["answer", "endcall", "end"]

    /// Methods that switch this end's sound or picture. Some documents swap the names of on and off: the value counts.
    private static func switched(_ event: CallEvent, _ name: FoldedName) -> [EventMeaning]? {
        func lane(_ kind: CallLane.Kind, _ members: String...) -> [EventMeaning] {
            let value = members.lazy.compactMap { event.detail($0)?.truth }.first
            return value.map { [.condition(kind, isOn: !$0)] } ?? []
        }
        switch name {
        case "enablelocalaudio", "mutemicrophone", "unmutemicrophone":
            return lane(.microphoneMuted, "isAudioEnabled", "enabled", "value")
        case "enablelocalvideo", "startvideo", "stopvideo":
            return lane(.cameraOff, "isVideoEnabled", "enabled", "value")
        case "setlocalmediaenabled":
            return lane(.microphoneMuted, "audio", "enableAudio") + lane(.cameraOff, "video", "enableVideo")
        default: return nil
        }
    }

    private static let conditions: [FoldedName: EventMeaning] = [
        "mutecall": .condition(.microphoneMuted, isOn: true), "unmutecall": .condition(.microphoneMuted, isOn: false),
        "videomute": .condition(.cameraOff, isOn: true), "videounmute": .condition(.cameraOff, isOn: false),
        "videostop": .condition(.cameraOff, isOn: true), "videostart": .condition(.cameraOff, isOn: false),
    ]
}
