/// What the app asked its SDK to do in a call, and whether it worked.
enum OperationVocabulary {
    static func meanings(of event: CallEvent, _ name: FoldedName) -> [EventMeaning]? {
        if name == "hold" { return [.operation("hold", isSuccess: nil), .held(.local)] }
        if name == "resume" || name == "unhold" { return [.operation(name.text, isSuccess: nil), .resumed] }
        for ending in successes {
            if let operation = name.dropping(ending) { return told(operation.text, isSuccess: true) }
        }
        if let operation = name.dropping("failed") { return told(operation.text, isSuccess: false) }
        guard event.action == "operation" else { return nil }
        return [.operation(name.text, isSuccess: event.detail("success")?.truth)]
    }

    /// Documents and headers spell it in three ways.
    private static let successes = ["succeeded", "succeed", "succedded"]

    private static func told(_ operation: String, isSuccess: Bool) -> [EventMeaning] {
        let told = EventMeaning.operation(operation, isSuccess: isSuccess)
        guard isSuccess, let condition = conditions[operation] else { return [told] }
        return [told, condition]
    }

    private static let conditions: [String: EventMeaning] = [
        "mutecall": .condition(.microphoneMuted, isOn: true), "unmutecall": .condition(.microphoneMuted, isOn: false),
        "videomute": .condition(.cameraOff, isOn: true), "videounmute": .condition(.cameraOff, isOn: false),
        "videostop": .condition(.cameraOff, isOn: true), "videostart": .condition(.cameraOff, isOn: false),
    ]
}
