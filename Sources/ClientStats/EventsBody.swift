import CallModel

/// The body of `POST /v1/events`: what clients tell of their calls, as `callAdditionalInfo` gives it.
public enum EventsBody {
    /// Reads one event, an array of events, an object with the member `events`, or one event a line.
    ///
    /// An event needs `action`, `type`, `time` and `callId` (or `sessionId`); types that are not known are taken and
    /// named in ``ParsedBody/unknownTypes``. A bad event never costs the others.
    /// An event `rtpStatistics` becomes a report.
    /// - Throws: ``ClientStatsError`` when nothing of the body can be used.
    public static func parse(
        _ bytes: [UInt8], in context: ParsingContext
    ) throws(ClientStatsError) -> ParsedBody {
        var reader = EventsBodyReader(context)
        switch try BodyDocument(bytes, limits: context.limits) {
        case .empty: break
        case .single(let value, _): try reader.readDocument(value)
        case .lines(let lines): try reader.readLines(lines)
        }
        return reader.builder.result
    }
}

private struct EventsBodyReader: PartReader {
    var builder: SubmissionBuilder

    init(_ context: ParsingContext) {
        builder = SubmissionBuilder(context)
    }

    mutating func readDocument(_ value: JSONValue) throws(ClientStatsError) {
        switch value {
        case .array(let elements): try readElements(elements)
        case .object(let members):
            if case .array(let elements) = members["events"], members["action"] == nil {
                builder.noteUnknown(properties: members.keys.filter { $0 != "events" })
                try readElements(elements)
            } else {
                try readPart(value, at: .whole)
            }
        default:
            throw ClientStatsError(
                reason: .unrecognised,
                description: "found \(value.kindName), expected an event, an array of events, or one event a line")
        }
    }

    mutating func readPart(_ value: JSONValue, at place: BodyPlace) throws(ClientStatsError) {
        try builder.count(1)
        guard let members = value.members else {
            let problem = Problem(.wrongType, "found \(value.kindName), expected an event, which is an object")
            return builder.refuse(problem, at: place)
        }
        let event: EventReader
        let fact: CallEvent
        let connection: ConnectionID
        do {
            event = try EventReader(members, in: builder.context)
            fact = try event.event()
            connection = try event.connection()
        } catch {
            return builder.refuse(error, at: place)
        }
        noteUnknown(event, isKnown: fact.isKnown)
        guard let statistics = event.statistics else {
            return builder.add(.event(fact), call: event.call, observer: event.observer, index: place.index)
        }
        try builder.addReport(
            statistics, call: event.call, session: event.session, observer: event.observer,
            connection: connection, carried: event.carriedTime,
            isTimeOfSampling: event.isTimeOfSampling, at: place)
    }

    private mutating func noteUnknown(_ event: EventReader, isKnown: Bool) {
        builder.noteUnknown(properties: event.unknownProperties)
        if !isKnown { builder.noteUnknown(type: "\(event.action)/\(event.type)") }
    }
}
