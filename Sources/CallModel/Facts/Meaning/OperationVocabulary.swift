/// What the app asked its SDK to do in a call, and whether it worked.
enum OperationVocabulary {
    static func meanings(of event: CallEvent, _ name: FoldedName) -> [EventMeaning]? {
        if name == "hold" { return [.operation(event.type, isSuccess: nil), .held(.local)] }
        if name == "resume" || name == "unhold" { return [.operation(event.type, isSuccess: nil), .resumed] }
        for ending in successes {
            guard let operation = name.dropping(ending) else { continue }
            return told(operation, as: event.type.dropLast(ending.utf8.count), isSuccess: true)
        }
        if let operation = name.dropping("failed") {
            return told(operation, as: event.type.dropLast("failed".utf8.count), isSuccess: false)
        }
        guard event.action == "operation" else { return nil }
        return [.operation(event.type, isSuccess: event.detail("success")?.truth)]
    }

    /// Documents and headers spell it in three ways.
    private static let successes = ["succeeded", "succeed", "succedded"]

    private static func told(_ operation: FoldedName, as name: Substring, isSuccess: Bool) -> [EventMeaning] {
        let told = EventMeaning.operation(String(name), isSuccess: isSuccess)
        guard isSuccess, let condition = conditions[operation] else { return [told] }
        return [told, condition]
    }

    private static let conditions: [FoldedName: EventMeaning] = [
        "mutecall": .condition(.microphoneMuted, isOn: true), "unmutecall": .condition(.microphoneMuted, isOn: false),
        "videomute": .condition(.cameraOff, isOn: true), "videounmute": .condition(.cameraOff, isOn: false),
        "videostop": .condition(.cameraOff, isOn: true), "videostart": .condition(.cameraOff, isOn: false),
    ]
}
