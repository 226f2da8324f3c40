/// The event types whose meaning the product knows, of whatever client; all others are kept and named back to the sender.
///
/// Events are stored as they were sent and read when they are folded, so that a later version reads old calls better.
public enum EventVocabulary {
    /// Whether `type` is the status code of a SIP response (RFC 3261 §21).
    public static func isSIPStatus(_ type: String) -> Bool { SIPVocabulary.isStatus(type) }

    /// Whether an event may say what was dialled: DTMF stands in its action or type, however they are spelled.
    public static func isOfTones(action: String, type: String) -> Bool {
        [action, type].contains { FoldedName.letters($0).contains("dtmf") }
    }

    /// The first that knows an event says what it means.
    static func meanings(of event: CallEvent) -> [EventMeaning]? {
        if event.action == SIPVocabulary.action { return SIPVocabulary.meanings(of: event) }
        let name = FoldedName(event.type)
        return ConditionVocabulary.meanings(of: event, name) ?? CallStateVocabulary.meanings(of: event, name)
            ?? NetworkVocabulary.meanings(of: event, name) ?? ProblemVocabulary.meanings(of: event, name)
            ?? NoteVocabulary.meanings(of: event, name) ?? OperationVocabulary.meanings(of: event, name)
    }
}

extension CallEvent {
    /// ``action`` as it compares: its letters and digits, in lower case. `CALL_STATE` is `callState`.
    public var foldedAction: String { FoldedName.letters(action) }

    /// What the event says; empty where the product does not know it.
    public var meanings: [EventMeaning] { EventVocabulary.meanings(of: self) ?? [] }

    /// A member of `detail`, or of the event itself where a client puts it there; `nil` where it has neither.
    public func detail(_ name: String) -> JSONValue? {
        members["detail"]?.members?[name] ?? members[name]
    }

    /// Whether the product knows what the event says.
    public var isKnown: Bool { EventVocabulary.meanings(of: self) != nil }
}
