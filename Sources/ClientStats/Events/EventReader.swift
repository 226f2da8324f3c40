import CallModel

/// One event as it was sent, read as far as all events are alike.
struct EventReader {
    /// The call it belongs to: the path's, else its `callId`, else its `sessionId` (SendBird: its `channelUrl`).
    let call: CallID
    /// The session it names, if that can be an identifier.
    let session: String?
    let observer: ObserverID
    /// Whether the event, or who reads it, says so.
    let isObserverTold: Bool
    let action: String
    let type: String
    private let typeAsSent: String
    let unknownProperties: [String]
    private let time: EventTime
    private let members: JSONObject
    private let context: ParsingContext

    init(_ sent: JSONObject, in context: ParsingContext) throws(Problem) {
        let members = EventNames.known(sent)
        self.members = members
        self.context = context
        let sentAction = try Self.required("action", in: members, limits: context.limits)
        let sentType = try Self.required("type", in: members, limits: context.limits)
        let isOfTones = EventVocabulary.isOfTones(action: sentAction, type: sentType)
        action = isOfTones ? DialledDigits.name(sentAction) : sentAction
        typeAsSent = isOfTones ? DialledDigits.name(sentType) : sentType
        type = EventNames.canonicalType(action: action, type: typeAsSent)
        session =
            ["sessionId", "channelUrl"].lazy
            .compactMap { try? identifier($0, in: members, limits: context.limits) }.first
        call = try Self.call(of: members, session: session, in: context)
        let told = try Envelope.observer(in: members, limits: context.limits) ?? context.observer
        (observer, isObserverTold) = (told ?? .client, told != nil)
        time = try EventTime(members, receivedAt: context.receivedAt)
        unknownProperties = members.keys.filter { !EventNames.members.contains($0) }
        for (name, value) in members where !Envelope.statisticsNames.contains(name) {
            guard let longest = value.longestText, longest > context.limits.stringBytes else { continue }
            throw .tooLong("`\(name)`", bytes: longest, limit: context.limits.stringBytes)
        }
    }

    private static func required(
        _ name: String, in members: JSONObject, limits: BodyLimits
    ) throws(Problem) -> String {
        if case .integer = members[name], let value = members[name] {
            throw .wrongType(name, value, expected: "text")
        }
        guard let text = try identifier(name, in: members, limits: limits) else { throw .missing(name) }
        return text
    }

    private static func call(
        of members: JSONObject, session: String?, in context: ParsingContext
    ) throws(Problem) -> CallID {
        let own = try identifier("callId", in: members, limits: context.limits)
        if let path = context.call { return try agreed(own, session: session, with: path) }
        if let own { return CallID(rawValue: own) }
        for name in ["sessionId", "channelUrl"] {
            if let session = try identifier(name, in: members, limits: context.limits) {
                return CallID(rawValue: session)
            }
        }
        throw .missing("callId", hint: ", and so is `sessionId`")
    }

    /// The call of the path, unless the body names another one; where the path names the session of the body's call,
    /// that call.
    static func agreed(_ own: String?, session: String? = nil, with path: CallID) throws(Problem) -> CallID {
        guard let own, own != path.rawValue else { return path }
        guard session == path.rawValue else {
            throw Problem(
                .unrecognised, "`callId` is \"\(own)\", but the request is for the call \"\(path.rawValue)\"")
        }
        return CallID(rawValue: own)
    }

    // MARK: Facts

    /// The statistics the event carries (`rtpStatistics`), to be read as a report.
    var statistics: JSONValue? {
        guard action == "rtpStatistics" else { return nil }
        return members.firstMember(of: Envelope.statisticsNames)?.value
    }

    /// Whether its time is that of the call of `getStats()` by the wall clock, as `/reporter.js` tells it. Of others it may
    /// be when they sent what they had sampled before.
    var isTimeOfSampling: Bool { members["source"] == "sidetone-web" }

    /// When it happened as it was sent.
    var sentTime: JSONValue? { members["time"] }

    /// When it happened, if its own time can be used.
    var carriedTime: Timestamp? {
        time.isReceipt ? nil : time.timestamp
    }

    /// What the event's own time counts from something else than 1970; `nil` where it does not, and where it cannot be told.
    var countedMilliseconds: Int64? { time.counted }

    func connection() throws(Problem) -> ConnectionID {
        try Envelope.connection(in: members, limits: context.limits)
    }

    func event() throws(Problem) -> CallEvent {
        CallEvent(
            time: time.timestamp, receivedAt: context.receivedAt, action: action, type: type,
            sequence: try sequence() ?? time.replaced, members: otherMembers())
    }

    private func sequence() throws(Problem) -> Int64? {
        guard let value = members["seq"], value != .null else { return nil }
        guard let number = value.wholeNumber else { throw .wrongType("seq", value, expected: "a whole number") }
        return number
    }

    private static let keyMembers: Set<String> = [
        "action", "type", "callId", "time", "timeUnit", "observer", "seq",
    ]

    private func otherMembers() -> JSONObject {
        // A stream that is null is one that went.
        var others = members.filter { !Self.keyMembers.contains($0.key) && ($0.value != .null || $0.key == "value") }
        if typeAsSent != type { others["typeAsSent"] = .string(typeAsSent) }
        if time.isImplausible { others["implausibleTime"] = members["time"] }
        if EventVocabulary.isOfTones(action: action, type: type) { DialledDigits.cutAll(in: &others) }
        let redaction = Redaction(policy: context.addresses)
        if DeviceKind.isConcern(ofAction: action, type: type) { DeviceKind.cutAll(in: &others) }
        if SourceNumbers.isConcern(ofType: type) { SourceNumbers.applyToEvent(&others) }
        redaction.applyDeep(to: &others)
        return others
    }
}
