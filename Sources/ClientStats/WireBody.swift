import CallModel

/// The body of `POST /v1/wire`: what probes saw of calls on the wire.
public enum WireBody {
    /// Reads one object, an array of them, or one a line: each a wire report or a SIP event.
    ///
    /// A wire report needs `callId`, `time` and `streams`; `sensor` and `audioPacketsSent` may stand beside them
    /// (``CallModel/WireReport/members``). A SIP event is an event as in ``EventsBody`` with the action `sip`. Who says
    /// nothing else is the observer `wire`. Addresses are cut on arrival. A bad part never costs the others.
    /// - Throws: ``ClientStatsError`` when nothing of the body can be used.
    public static func parse(
        _ bytes: [UInt8], in context: ParsingContext
    ) throws(ClientStatsError) -> ParsedBody {
        var reader = WireBodyReader(context)
        switch try BodyDocument(bytes, limits: context.limits) {
        case .empty: break
        case .single(let value, _): try reader.readDocument(value)
        case .lines(let lines): try reader.readLines(lines)
        }
        return reader.builder.result
    }
}

private struct WireBodyReader: PartReader {
    var builder: SubmissionBuilder

    init(_ context: ParsingContext) {
        var context = context
        context.observer = context.observer ?? .wire
        builder = SubmissionBuilder(context)
    }

    mutating func readDocument(_ value: JSONValue) throws(ClientStatsError) {
        switch value {
        case .array(let elements): try readElements(elements)
        case .object: try readPart(value, at: .whole)
        default:
            throw ClientStatsError(
                reason: .unrecognised,
                description: "found \(value.kindName), expected a wire report or a SIP event, an array of them, "
                    + "or one a line")
        }
    }

    mutating func readPart(_ value: JSONValue, at place: BodyPlace) throws(ClientStatsError) {
        try builder.count(1)
        guard let members = value.members else {
            let problem = Problem(
                .wrongType, "found \(value.kindName), expected a wire report or a SIP event, which is an object")
            return builder.refuse(problem, at: place)
        }
        if members["action"] == nil {
            try readReport(members, at: place)
        } else {
            readEvent(members, at: place)
        }
    }

    private mutating func readReport(
        _ members: JSONObject, at place: BodyPlace
    ) throws(ClientStatsError) {
        let reader: WireReportReader
        let report: WireReport
        do {
            reader = try WireReportReader(members, in: builder.context)
            report = try reader.report()
        } catch {
            return builder.refuse(error, at: place)
        }
        try builder.count(report.streams.count)
        builder.noteUnknown(properties: reader.unknownProperties)
        builder.add(.wire(report), call: reader.call, observer: reader.observer, index: place.index)
    }

    private mutating func readEvent(_ members: JSONObject, at place: BodyPlace) {
        let event: EventReader
        let fact: CallEvent
        do {
            event = try EventReader(members, in: builder.context)
            fact = try Self.signalling(event, builder.context.addresses)
        } catch {
            return builder.refuse(error, at: place)
        }
        builder.noteUnknown(properties: event.unknownProperties.filter { !Self.signallingMembers.contains($0) })
        if !fact.isKnown {
            builder.noteUnknown(type: "\(event.action)/\(event.type)")
        }
        builder.add(.event(fact), call: event.call, observer: event.observer, index: place.index)
    }

    private static func signalling(_ event: EventReader, _ addresses: AddressPolicy) throws(Problem) -> CallEvent {
        guard event.action == "sip" else {
            throw Problem(
                .unrecognised,
                "`action` is the text \"\(event.action)\", expected \"sip\"; POST /v1/events takes other events")
        }
        var fact = try event.event()
        for name in endpoints {
            guard let text = fact.members[name]?.text else { continue }
            fact.members[name] = .string(NetworkAddress.keepEndpoint(text, by: addresses))
        }
        return fact
    }

    private static let endpoints = ["source", "destination"]

    /// Members of a SIP event that other events do not have.
    private static let signallingMembers: Set<String> = [
        "aliases", "destination", "end", "followsCancel", "isActive", "isFromMedia", "isRetry", "method", "receives",
        "releaseReason", "unreadDescription", "userAgent", "userToUser",
    ]
}

extension ObserverID {
    /// A probe that did not say which end it stands for.
    static let wire = ObserverID(rawValue: "wire")
}
