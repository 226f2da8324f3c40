import CallModel

/// The body of `POST /v1/calls/{callId}/stats`: one `getStats` report or several, in any shape clients print.
public enum StatsBody {
    /// Reads a body.
    ///
    /// Accepted are statistics objects keyed by id, an array of them, `[id, object]` pairs, `{key, value}` pairs, a
    /// JSON text of any of these, all of it bare or inside an envelope (`statistics` or `stats`, with `callId`, `time`,
    /// `observer`), and several envelopes as an array, or reports one a line. An empty body is an empty report.
    /// - Throws: ``ClientStatsError`` when nothing of it can be used.
    public static func parse(
        _ bytes: [UInt8], in context: ParsingContext
    ) throws(ClientStatsError) -> ParsedBody {
        var reader = StatsBodyReader(context)
        switch try BodyDocument(bytes, limits: context.limits, acceptsBareNumbers: true) {
        case .empty: break
        case .single(let value, let notes): try reader.readDocument(value, notes: notes)
        case .lines(let lines): try reader.readLines(lines)
        }
        return reader.builder.result
    }
}

private struct StatsBodyReader {
    var builder: SubmissionBuilder

    init(_ context: ParsingContext) {
        builder = SubmissionBuilder(context)
    }

    mutating func readLines(_ lines: [BodyDocument.Line]) throws(ClientStatsError) {
        for (index, line) in lines.enumerated() {
            let place = BodyPlace.line(index, number: line.number)
            switch line.value {
            case .success(let value): try readPart(value, notes: line.notes, at: place)
            case .failure(let problem): builder.refuse(problem, at: BodyPlace(index: index, name: ""))
            }
        }
    }

    /// Reads a document: text of another one, an array of envelopes, or one report.
    mutating func readDocument(_ value: JSONValue, notes: [String], isNested: Bool = false) throws(ClientStatsError) {
        switch value {
        case .string(let text) where !isNested: try readNested(text)
        case .array(let elements):
            if case .string(let text) = elements.first, elements.count == 1, !isNested { return try readNested(text) }
            guard elements.contains(where: { $0.members.map(Envelope.isEnvelope) == true }) else {
                return try readPart(value, notes: notes, at: .whole)
            }
            try builder.check(elements.count)
            for (index, element) in elements.enumerated() { try readPart(element, notes: [], at: .element(index)) }
        default: try readPart(value, notes: notes, at: .whole)
        }
    }

    private mutating func readNested(_ text: String) throws(ClientStatsError) {
        let inner: JSONValue
        do {
            inner = try nestedJSON(text, limits: builder.context.limits)
        } catch {
            throw ClientStatsError(error)
        }
        try readDocument(inner, notes: [], isNested: true)
    }

    /// Reads one report, bare or in its envelope.
    private mutating func readPart(_ value: JSONValue, notes: [String], at place: BodyPlace) throws(ClientStatsError) {
        let context = builder.context
        let envelope: Envelope
        let call: CallID
        do {
            envelope =
                try value.members.flatMap { (members) throws(Problem) in
                    Envelope.isEnvelope(members) ? try Envelope(members, limits: context.limits) : nil
                } ?? Envelope(around: value)
            call = try Self.call(of: envelope, in: context)
        } catch {
            return builder.refuse(error, at: place)
        }
        builder.noteUnknown(properties: envelope.unknownProperties)
        try builder.addReport(
            envelope.statistics, call: call, session: envelope.session,
            observer: envelope.observer ?? context.observer ?? .client, connection: envelope.connection,
            carried: envelope.time.flatMap { EpochTime.isPossible($0, receivedAt: context.receivedAt) ? $0 : nil },
            notes: notes, at: place)
    }

    private static func call(of envelope: Envelope, in context: ParsingContext) throws(Problem) -> CallID {
        if let path = context.call {
            return try EventReader.agreed(envelope.call, session: envelope.session, with: path)
        }
        guard let own = envelope.call ?? envelope.session else {
            throw .missing("callId", hint: ", and so is `sessionId`")
        }
        return CallID(rawValue: own)
    }
}
